/**
 * The files to download: the same collection in the form of each program, under the name of its
 * version and as the latest. Made once, when somebody first asks, and the same bytes from then on.
 */

import { etagOf } from "../../infra/http/serve/etag-cache.ts";
import { writeBruno } from "./bruno.ts";
import type { Collection } from "./collection.ts";
import { writeHttpFile } from "./http-file.ts";
import { writePostman } from "./postman.ts";

interface Format {
  readonly program: string;
  readonly ending: string;
  readonly contentType: string;
  /** How it is opened, in a sentence. */
  readonly opening: string;
  write(collection: Collection): string;
}

const JSON_FILE = "application/json; charset=utf-8";

const FORMATS: readonly Format[] = [
  {
    program: "Postman",
    ending: "postman_collection.json",
    contentType: JSON_FILE,
    opening: "Import it, then run the collection. Newman runs it as well. Format 2.1.",
    write: writePostman,
  },
  {
    program: "Bruno",
    ending: "bruno.json",
    contentType: JSON_FILE,
    opening: "Choose Import Collection and this file; Bruno makes its folder from it.",
    write: writeBruno,
  },
  {
    program: "REST Client, Visual Studio, httpYac",
    ending: "http",
    contentType: "text/plain; charset=utf-8",
    opening: "Open it in the editor and send the requests one by one.",
    write: writeHttpFile,
  },
];

export interface CollectionFile {
  readonly program: string;
  readonly opening: string;
  /** With the version; `latest` stands in its place in the other name. */
  readonly name: string;
  readonly latest: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly etag: string;
}

export function collectionFiles(collection: Collection): CollectionFile[] {
  return FORMATS.map(({ program, ending, contentType, opening, write }) => {
    const text = write(collection);
    return {
      program,
      opening,
      name: `windward-${collection.version}.${ending}`,
      latest: `windward-latest.${ending}`,
      bytes: Buffer.from(text),
      contentType,
      etag: etagOf(text),
    };
  });
}
