/**
 * The scripts of the reference and of the verifier, made on the first request by a thread that then
 * ends: the viewer's bundle and Node's type stripper would each leave some 40 MB in this process.
 */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { lazy } from "../kit/lazy.ts";

const THREAD = new URL("./page-scripts-thread.ts", import.meta.url);

/** Gzipped. */
export const readReferenceScript = lazy(async () =>
  Buffer.from(await madeByThread<Uint8Array>("reference")),
);

/** By the names of the modules. */
export const readVerifyScripts = lazy(() => madeByThread<ReadonlyMap<string, string>>("verify"));

async function madeByThread<Made>(what: "reference" | "verify"): Promise<Made> {
  // Node warns that the type stripper is experimental, which it uses for every file of ours.
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  const worker = new Worker(THREAD, { workerData: what, execArgv });
  const ended = once(worker, "exit").then(() => Promise.reject(new Error(`no script for ${what}`)));
  const [made] = await Promise.race([once(worker, "message"), ended]);
  return made;
}
