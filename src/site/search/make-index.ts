/** The index of the search as text, made by a thread (see `render-thread.ts`). */

import MiniSearch from "minisearch";
import { INDEX_OPTIONS } from "./index-options.ts";
import { type RequestEntry, type Section, sectionsOf } from "./sections.ts";

export interface SearchFiles {
  readonly sections: readonly Section[];
  readonly index: string;
}

export function searchFiles(given: {
  readonly requests: readonly RequestEntry[];
  readonly publicUrl: string;
}): SearchFiles {
  const sections = sectionsOf(given);
  const index = new MiniSearch<Section>(INDEX_OPTIONS);
  index.addAll(sections);
  return { sections, index: JSON.stringify(index) };
}
