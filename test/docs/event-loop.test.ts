/**
 * Documents are made beside payments (Decision 0103): the parser, the highlighter and the making of
 * the index are never loaded in the process that serves requests, only in a thread that ends.
 */

import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { after, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});

const service = await startService();
after(() => service.stop());

/** Each needs something that only the thread has. */
const PAGES = [
  "/docs/start",
  "/docs/start.md",
  "/docs/reference/checkout",
  "/docs/errors/not_found",
  "/docs/search?q=refund",
];

test("pages are made without loading what makes them", async () => {
  for (const path of PAGES) assert.equal((await service.request(path)).status, 200, path);
  const heavy = /node_modules\/(marked|highlight\.js)\/|render-guide|make-index/;
  assert.deepEqual(
    loaded.filter((url) => heavy.test(url)),
    [],
  );
  // The hook sees what is loaded on demand.
  assert(loaded.some((url) => url.includes("/minisearch/")));
});

test("many first readers at once share one thread's work", async () => {
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  const other = await startService();
  process.on("worker", count);
  try {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => other.request("/docs/search?q=webhook")),
    );
    assert.equal(threads, 1);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert(answers.every(({ text }) => text.includes('<ol class="found">')));
  } finally {
    process.off("worker", count);
    await other.stop();
  }
});

test("different documents asked for at once are made by one thread after the other", async () => {
  let [alive, most, made] = [0, 0, 0];
  const count = (worker: Worker) => {
    made += 1;
    alive += 1;
    most = Math.max(most, alive);
    worker.once("exit", () => {
      alive -= 1;
    });
  };
  const other = await startService();
  process.on("worker", count);
  try {
    // A machine that is busy answers 503 meanwhile, and makes the page nevertheless.
    const asked = (page: string) =>
      until(async () => (await other.request(page)).status === 200, `${page} is made`, 120);
    await Promise.all(PAGES.map(asked));
    assert(made > 1);
    assert.equal(most, 1);
  } finally {
    process.off("worker", count);
    await other.stop();
  }
});
