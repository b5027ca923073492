/**
 * Runs in a thread of its own (see `render-in-thread.ts`): parses the guides, colours code, makes
 * the index of the search, and ends. Parser and highlighter are loaded here alone.
 */

import { parentPort, workerData } from "node:worker_threads";
import { ERROR_CODES, type ErrorCode } from "../kit/error-catalogue/catalogue.ts";
import { trusted } from "../kit/html.ts";
import type { JsonSchema } from "../kit/schema.ts";
import { exampleHtml } from "./error-examples.ts";
import { siteDocument } from "./frame.ts";
import { GUIDES } from "./guides.ts";
import { htmlText, type PublicText } from "./page.ts";
import { chapterHtml } from "./reference/chapter-page.ts";
import { readDocument } from "./reference/openapi-reader.ts";
import { renderGuide } from "./render-guide.ts";
import { type SearchFiles, searchFiles } from "./search/make-index.ts";
import type { RequestEntry } from "./search/sections.ts";

const JOBS = {
  /** Every guide, by its path. */
  guides({ publicUrl }: { publicUrl: string }): Map<string, PublicText> {
    return new Map(
      GUIDES.map((guide) => {
        const { title, about, path } = guide;
        const { main, contents } = renderGuide(guide, publicUrl);
        const text = { title: `${title} · Windward`, about, path, publicUrl, contents };
        return [path, htmlText(siteDocument({ ...text, main: trusted(main) }))];
      }),
    );
  },

  /** Every chapter of the reference, by its slug. */
  chapters(given: { openapi: JsonSchema; publicUrl: string }): Map<string, PublicText> {
    const document = readDocument(given.openapi);
    const page = (chapter: (typeof document.chapters)[number]) =>
      htmlText(chapterHtml(document, chapter, given.publicUrl));
    return new Map(document.chapters.map((chapter) => [chapter.slug, page(chapter)]));
  },

  /** The example on the page of each error, as HTML. */
  errorExamples(): Map<ErrorCode, string> {
    return new Map(ERROR_CODES.map((code) => [code, exampleHtml(code).toString()]));
  },

  search(given: { requests: readonly RequestEntry[]; publicUrl: string }): SearchFiles {
    return searchFiles(given);
  },
};

export type RenderJobs = typeof JOBS;

if (parentPort !== null) {
  const { name, given } = workerData as { name: keyof RenderJobs; given: never };
  parentPort.postMessage(JOBS[name](given));
}
