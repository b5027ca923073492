/** The files to download: one collection in the format of each program. */

import { JSON_TYPE } from "../../infra/http/answer.ts";
import { etagOf } from "../../infra/http/serve/client-caching.ts";
import { writeBruno } from "./bruno.ts";
import type { Collection } from "./collection.ts";
import { writeHttpFile } from "./http-file.ts";
import { writePostman } from "./postman.ts";

/** `opening` says how the program opens the file. */
const FORMATS = [
  {
    program: "Postman",
    ending: "postman_collection.json",
    opening: "Import it, then run the collection. Newman runs it as well. Format 2.1.",
    write: writePostman,
  },
  {
    program: "Bruno",
    ending: "bruno.json",
    opening: "Choose Import Collection and this file; Bruno makes its folder from it.",
    write: writeBruno,
  },
  {
    program: "REST Client, Visual Studio, httpYac",
    ending: "http",
    opening: "Open it in the editor and send the requests one by one.",
    write: writeHttpFile,
  },
];

export type CollectionFile = ReturnType<typeof collectionFiles>[number];

export function collectionFiles(collection: Collection) {
  return FORMATS.map(({ program, ending, opening, write }) => {
    const written = write(collection);
    const isText = typeof written === "string";
    const text = isText ? written : `${JSON.stringify(written, null, 2)}\n`;
    return {
      program,
      opening,
      name: `windward-${collection.version}.${ending}`,
      latest: `windward-latest.${ending}`,
      body: Buffer.from(text),
      etag: etagOf(text),
      contentType: isText ? "text/plain; charset=utf-8" : JSON_TYPE,
    };
  });
}
