/**
 * The guarantee: what the drills' figures are made of. A silence is measured to its end, what was
 * never answered is named, and the guide's commands reach the machine of the drill that they are
 * run on and nothing of the machine that it runs on.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Diary } from "../../scripts/drill/diary.ts";
import { onMachine } from "../../scripts/drill/three-nodes/guide.ts";
import { Machine } from "../../scripts/drill/three-nodes/machine.ts";
import { isHealthy } from "../../scripts/drill/three-nodes/members.ts";
import { withoutWatchdog } from "../../scripts/drill/three-nodes/node.ts";
import { rowOf, tableOf } from "../../scripts/drill/three-nodes/table.ts";
import { guideBlocks } from "../../testkit/guide/blocks.ts";
import { variablesOf } from "../../testkit/guide/unit-variables.ts";

const FAULT = { name: "node-lost", about: "", play: () => Promise.reject(new Error("not played")) };

function acknowledgedAt(...moments: readonly number[]): Diary {
  const diary = new Diary();
  for (const at of moments)
    diary.acknowledged.push({ operation: "checkout", name: `c${at}`, id: "", at });
  return diary;
}

test("the longest silence begins with the last yes before the fault", () => {
  assert.equal(acknowledgedAt(10, 20, 70, 80).longestSilence(25, 90), 50);
});

test("a silence that has not ended counts until the moment of looking", () => {
  assert.equal(acknowledgedAt(10, 20, 30).longestSilence(20, 95), 65);
  assert.equal(acknowledgedAt().longestSilence(20, 95), 75);
});

test("what was asked for and never acknowledged is named with its operation", () => {
  const diary = new Diary();
  diary.ask("refund", "one");
  diary.ask("checkout", "one");
  diary.acknowledge({ operation: "checkout", name: "one", id: "x" });
  assert.deepEqual(diary.unanswered(), ["refund one"]);
});

test("the table has a row for a fault, with what was before it and what callers saw after it", () => {
  const diary = acknowledgedAt(10, 20, 70);
  diary.answers.push(
    { status: 200, tookMs: 1, at: 20 },
    { status: 503, tookMs: 4_000, at: 40 },
    { status: 0, tookMs: 2, at: 50 },
  );
  const row = rowOf(FAULT, diary, { from: 30, until: 100, complaints: [] }, 0);
  assert.deepEqual(
    tableOf([row]).split("\n").at(-1),
    "| node-lost | 2 | 3 | 0 | 0.1 | 503 × 1, no answer × 1; slowest 4.0 s |",
  );
});

test("no block of the guide reaches a folder or an address outside the drill", () => {
  const machine = new Machine("node_a", "/tmp/drill/node_a");
  for (const [name, block] of guideBlocks()) {
    const own = onMachine(machine, block).replaceAll("/tmp/drill/node_a", "").split("\n");
    const theirs = onMachine(machine, block).match(/(?<![\w.])\/(etc|var|usr|run|opt)\/\S+/g) ?? [];
    assert.deepEqual(theirs, [], name);
    assert(!own.some((line) => line.includes("10.0.0.")), name);
  }
});

test("the watchdog is off, which would reset the machine that the drill runs on", () => {
  assert.equal(withoutWatchdog("watchdog:\n  mode: automatic\n"), 'watchdog:\n  mode: "off"\n');
  assert.throws(() => withoutWatchdog("watchdog:\n"), /does not say mode: automatic/);
});

test("a file of settings is read line by line, without its comments", () => {
  assert.deepEqual(variablesOf("# A=1\nETCD_NAME=node_a\nURL=http://a?b=c\n"), {
    ETCD_NAME: "node_a",
    URL: "http://a?b=c",
  });
});

test("a cluster is healthy with a leader, a synchronous standby and a replica on one timeline", () => {
  const of = (name: "node_a" | "node_b" | "node_c", role: string, more: object = {}) => ({
    name,
    role,
    state: "running",
    timeline: 3,
    ...(role === "leader" ? {} : { lag: 0 }),
    ...more,
  });
  const leader = of("node_a", "leader");
  const sync = of("node_b", "sync_standby");
  assert(isHealthy([leader, sync, of("node_c", "replica")]));
  for (const members of [
    [],
    [leader, sync],
    [leader, of("node_b", "replica"), of("node_c", "replica")],
    [leader, sync, of("node_c", "replica", { timeline: 2 })],
    [leader, sync, of("node_c", "replica", { state: "stopped" })],
    [leader, sync, of("node_c", "replica", { lag: "unknown" })],
    [leader, of("node_b", "leader"), sync],
  ])
    assert(!isHealthy(members));
});
