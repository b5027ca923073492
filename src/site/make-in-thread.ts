/**
 * Work that would hold up every other request, or leave much in memory, done by a thread that then
 * ends. What it makes is copied into this process.
 */

import { once } from "node:events";
import module from "node:module";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { createSemaphore } from "../kit/semaphore.ts";

/** Several threads at once would take every core from the event loop of a small machine. */
const threads = createSemaphore({ atOnce: 1 });

export function makeInThread<Made>(thread: URL, job: unknown): Promise<Made> {
  return threads.pass(() => runThread<Made>(thread, job));
}

async function runThread<Made>(thread: URL, job: unknown): Promise<Made> {
  // Node warns that the type stripper is experimental, which it uses for every file of ours.
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  const worker = new Worker(thread, { workerData: job, execArgv, env: compiledAs() });
  const ended = once(worker, "exit");
  const [made] = await Promise.race([
    once(worker, "message"),
    ended.then(() => Promise.reject(new Error("the thread made nothing"))),
  ]);
  await ended;
  return made;
}

/** A thread has what was compiled by the install only when it is told where (Decision 0060). */
function compiledAs(): Record<string, string> {
  const folder = module.getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) };
}
