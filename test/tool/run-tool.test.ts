/**
 * The guarantee: however a long tool ends (by itself, by a mistake, by Ctrl-C or SIGTERM), its
 * processes and its folder are gone and the exit code tells how; a second Ctrl-C does not wait.
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runs } from "../../testkit/process-facts.ts";

const VICTIM = fileURLToPath(new URL("victim.ts", import.meta.url));
/** Signals closer together than half a second are one wish. */
const ANOTHER_WISH_MS = 600;
/** Far from the 20 s that what hangs is given after the first. */
const AT_ONCE_MS = 8_000;

interface Victim {
  readonly process: ChildProcess;
  readonly folder: string;
  readonly pids: readonly number[];
  /** Its exit code, all that it said, and what it did in the end. */
  readonly ended: Promise<{ code: number; said: string; did: string[] }>;
}

async function startVictim(t: TestContext, way: string): Promise<Victim> {
  const outside = mkdtempSync(path.join(tmpdir(), "windward-note-"));
  const note = path.join(outside, "note");
  writeFileSync(note, "");
  const child = spawn(process.execPath, [VICTIM, way, note]);
  t.after(() => {
    child.kill("SIGKILL");
    rmSync(outside, { recursive: true });
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  const ended = once(child, "close").then(([code]) => {
    return { code, said, did: readFileSync(note, "utf8").split("\n").filter(Boolean) };
  });
  await once(child.stdout, "data");
  const [folder = "", ...pids] = said.split("\n")[0]?.split(" ") ?? [];
  assert.equal(pids.length, 2);
  return { process: child, folder, pids: pids.map(Number), ended };
}

function expectNothingLeft({ folder, pids }: Victim): void {
  assert.match(path.basename(folder), /^windward-victim-/);
  assert.equal(existsSync(folder), false, "its folder");
  assert.deepEqual(pids.filter(runs), [], "its processes");
}

describe("a tool that is stopped", { concurrency: true }, () => {
  for (const [signal, exitCode] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    test(`by ${signal} says so, ends what it began, the last first, and exits with ${exitCode}`, async (t) => {
      const victim = await startVictim(t, "waiting");
      victim.process.kill(signal);
      const { code, said, did } = await victim.ended;
      assert.equal(code, exitCode);
      assert.match(said, /\nstopping; tidying up\n$/);
      assert.deepEqual(did, ["last", "first"]);
      expectNothingLeft(victim);
    });

  test("twice in the same moment, as npm does it, still tidies up in order", async (t) => {
    const victim = await startVictim(t, "waiting");
    victim.process.kill("SIGINT");
    victim.process.kill("SIGTERM");
    assert.deepEqual((await victim.ended).did, ["last", "first"]);
    expectNothingLeft(victim);
  });

  test("a second time, while something hangs, waits no longer and leaves nothing either", async (t) => {
    const victim = await startVictim(t, "hanging");
    victim.process.kill("SIGINT");
    await sleep(ANOTHER_WISH_MS);
    assert.equal(victim.process.exitCode, null);
    const askedAt = performance.now();
    victim.process.kill("SIGINT");
    const { code, did } = await victim.ended;
    assert(performance.now() - askedAt < AT_ONCE_MS, "it waited");
    assert.equal(code, 130);
    assert.deepEqual(did, ["last"]);
    expectNothingLeft(victim);
  });

  test("while something is starting ends that, too, and goes no further", async (t) => {
    const victim = await startVictim(t, "starting");
    victim.process.kill("SIGINT");
    const { code, did } = await victim.ended;
    assert.equal(code, 130);
    assert.deepEqual(did, ["ended the server"]);
    expectNothingLeft(victim);
  });
});

describe("a tool that comes to its end", { concurrency: true }, () => {
  test("by itself exits with 0 and leaves nothing", async (t) => {
    const victim = await startVictim(t, "busy");
    const { code, did } = await victim.ended;
    assert.equal(code, 0);
    assert.deepEqual(did, ["last", "first"]);
    expectNothingLeft(victim);
  });

  test("by a mistake says which, exits with 1 and leaves nothing", async (t) => {
    const victim = await startVictim(t, "failing");
    const { code, said } = await victim.ended;
    assert.equal(code, 1);
    assert.match(said, /Error: it went wrong/);
    expectNothingLeft(victim);
  });
});
