/** What hashes passwords gives way to what answers requests. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import { test } from "node:test";
import { lowerHashingThreads } from "./lower-hashing-threads.ts";

const isLinux = os.platform() === "linux";

test("the pool's threads give way, and only those", { skip: !isLinux }, async () => {
  // Uses the pool, so that it is there.
  await readFile("/proc/self/comm");
  const count = lowerHashingThreads();
  assert(count !== "never" && count > 0, "the pool was not found");
  const ownPriority = os.getPriority();
  const lowered = readdirSync("/proc/self/task").filter(
    (id) => os.getPriority(Number(id)) > ownPriority,
  );
  assert.equal(lowered.length, count);
  assert(!lowered.includes(String(process.pid)), "the thread that answers was lowered, too");
});
