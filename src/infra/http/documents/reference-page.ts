/**
 * The reference page's two files (Decision 0016). The viewer is Scalar, whose package holds its
 * whole browser bundle in one module: importing that here would cost every process 40 MB and a
 * quarter of a second of start. So it is unpacked by a short-lived thread, when somebody first
 * opens the page, and kept compressed.
 */

import { Worker } from "node:worker_threads";

const UNPACKER = new URL("./unpack-reference.ts", import.meta.url);

let unpacking: Promise<Buffer> | undefined;

export function readReference(): Promise<Buffer> {
  unpacking ??= unpack().catch((error: unknown) => {
    unpacking = undefined; // the next reader tries again
    throw error;
  });
  return unpacking;
}

export function referenceHtml(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Windward reference</title>
  </head>
  <body>
    <noscript>
      This page needs JavaScript. The same facts are in <a href="/openapi.json">openapi.json</a>.
    </noscript>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
  </body>
</html>
`;
}

function unpack(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(UNPACKER);
    worker.once("message", (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the reference could not be unpacked")));
  });
}
