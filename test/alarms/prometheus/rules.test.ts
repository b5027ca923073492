/**
 * The guarantee: each alarm of docs/operations/alerts.yml is raised by the numbers that it is about
 * and silent just below them, as promtool plays them (Decision 0130).
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { dashboardExpressions } from "../../../testkit/dashboard.ts";
import {
  ALERTMANAGER_FILE,
  ALERTS_FILE,
  amtool,
  PROMETHEUS_FILE,
  promtool,
  shippedAlarms,
} from "../../../testkit/prometheus.ts";
import { MACHINE_TRIALS } from "./machine-trials.ts";
import { MONEY_TRIALS } from "./money-trials.ts";
import type { Scene } from "./scene.ts";
import { SERVICE_TRIALS } from "./service-trials.ts";

const TRIALS = { ...SERVICE_TRIALS, ...MONEY_TRIALS, ...MACHINE_TRIALS };
const folder = mkdtempSync(path.join(tmpdir(), "windward-rules-"));
after(() => rmSync(folder, { recursive: true }));

/** How often it was raised so far. */
const countOf = (alarm: string) =>
  `count(count_over_time(ALERTS{alertname="${alarm}", alertstate="firing"}[52w])) > bool 0`;

function asTest(alarm: string, { step, after: at, series }: Scene, isRaised: boolean) {
  const samples = isRaised ? [{ labels: "{}", value: 1 }] : [];
  return {
    interval: step,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [{ expr: countOf(alarm), eval_time: at, exp_samples: samples }],
  };
}

/** A rule by itself: promtool evaluates all that a file has at each step. */
async function play(alarm: string, scenes: readonly Scene[], isRaised: boolean): Promise<void> {
  const rules = shippedAlarms().filter(({ alert }) => alert === alarm);
  const alone = path.join(folder, `${alarm}.yml`);
  writeFileSync(alone, JSON.stringify({ groups: [{ name: alarm, rules }] }));
  for (const step of ["15s", "5m"] as const) {
    const tests = scenes
      .filter((scene) => scene.step === step)
      .map((scene) => asTest(alarm, scene, isRaised));
    if (tests.length === 0) continue;
    const file = path.join(folder, `${alarm}-${step}-${isRaised}.yml`);
    const played = { rule_files: [alone], evaluation_interval: step, tests };
    writeFileSync(file, JSON.stringify(played));
    await promtool("test", "rules", file);
  }
}

test("the Alertmanager wakes somebody for a page, mails a ticket, and loses nothing", async () => {
  await amtool("check-config", ALERTMANAGER_FILE);
  for (const [label, receiver] of [
    ["severity=page", "page"],
    ["severity=ticket", "ticket"],
    ["alertname=OfOurOwn", "ticket"],
  ] as const) {
    const file = `--config.file=${ALERTMANAGER_FILE}`;
    assert.equal((await amtool("config", "routes", "test", file, label)).trim(), receiver);
  }
});

test("promtool finds nothing wrong with the rules and the settings", async () => {
  await promtool("check", "rules", ALERTS_FILE);
  await promtool("check", "config", "--syntax-only", PROMETHEUS_FILE);
});

test("promtool reads each expression of the dashboard", async () => {
  const rules = dashboardExpressions().map((expr, at) => ({ record: `panel_${at}`, expr }));
  assert(rules.length > 60);
  const file = path.join(folder, "dashboard.yml");
  writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
  await promtool("check", "rules", file);
});

test("each alarm is tried, and nothing else", () => {
  const alarms = shippedAlarms().map(({ alert }) => alert);
  assert.deepEqual(Object.keys(TRIALS).toSorted(), alarms.toSorted());
  for (const { fires, silent } of Object.values(TRIALS)) assert(fires.length * silent.length > 0);
});

for (const [alarm, { fires, silent }] of Object.entries(TRIALS))
  describe(alarm, () => {
    test("is raised by its cause", () => play(alarm, fires, true));
    test("is silent just below it", () => play(alarm, silent, false));
  });

test("promtool notices an alarm that stays away, and one that is raised", async () => {
  const { fires = [], silent = [] } = TRIALS.NotReady ?? {};
  await assert.rejects(play("NotReady", fires, false), /FAILED/);
  await assert.rejects(play("NotReady", silent, true), /FAILED/);
});
