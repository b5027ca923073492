/**
 * The scripts of the reference and of the verifier, made on the first request by a thread that then
 * ends: the viewer's bundle and Node's type stripper would each leave some 40 MB in this process.
 */

import { lazy } from "../kit/lazy.ts";
import { makeInThread } from "./make-in-thread.ts";

const THREAD = new URL("./page-scripts-thread.ts", import.meta.url);

/** Gzipped. */
export const readReferenceScript = lazy(async () =>
  Buffer.from(await makeInThread<Uint8Array>(THREAD, "reference")),
);

/** By the names of the modules. */
export const readVerifyScripts = lazy(() =>
  makeInThread<ReadonlyMap<string, string>>(THREAD, "verify"),
);
