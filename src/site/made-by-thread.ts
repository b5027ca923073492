/** What a thread of its own makes and sends, so that the memory it takes ends with it. */

import { Worker, type WorkerOptions } from "node:worker_threads";

export function madeByThread<Made>(file: URL, options: WorkerOptions = {}): Promise<Made> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, options);
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error(`${file.pathname} ended and has made nothing`)));
  });
}
