/** The guarantee: PostgreSQL's lock file is read for what it says. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parsePostmasterFile, readPostmasterFile } from "./running-server.ts";

const RUNNING = "4711\n/proc/self/cwd\n1763172005\n38911\n\n127.0.0.1\n  1234 5678\nready   \n";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "windward-"));
});
after(() => rm(folder, { recursive: true }));

test("a running server tells its process, its port and that it is ready", () => {
  const file = { pid: 4711, port: 38911, isReady: true };
  assert.deepEqual(parsePostmasterFile(RUNNING), file);
});

test("a starting, stopping or unfinished file is not ready", () => {
  for (const text of [RUNNING.replace("ready   ", "starting"), RUNNING.split("1234")[0] ?? ""]) {
    assert.equal(parsePostmasterFile(text).isReady, false);
  }
});

test("what is no process id counts as none: nothing, words, and the minus of a single user", () => {
  for (const text of ["", "\n", "abc\n", "-4711\n", "0\n", "12345678901\n", "4711 \n"]) {
    assert.equal(parsePostmasterFile(text).pid, 0, JSON.stringify(text));
  }
});

test("a missing file is none", async () => {
  assert.equal(await readPostmasterFile(folder), undefined);
});
