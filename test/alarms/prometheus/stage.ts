/**
 * Where alarms are raised by their causes (Decision 0130): a service in the test's process, others
 * beside it on the same database, and a Prometheus that reads all of them each second and has the
 * shipped rules. Only times are shorter: what is compared is as it is shipped.
 */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { shippedGroups, startPrometheus } from "../../../testkit/prometheus.ts";
import { until } from "../../../testkit/until.ts";

const FOR = "2s";
const PAUSE_MS = 200;
/** The longest of the windows below, and what a rule then waits. */
const QUIET_MS = 35_000;
/** A worker looks each 15 seconds, and machines are busy. */
const SECONDS_MAX = 90;
/**
 * Windows and offsets. A longer one is longer here, too, but for "15m": five starts of a process
 * (ProcessRestarts) take half a minute.
 */
const SHORTER: Readonly<Record<string, string>> = {
  "2m": "6s",
  "5m": "8s",
  "10m": "9s",
  "1h": "10s",
  "70m": "11s",
  "1d": "12s",
  "5d": "13s",
  "1w": "15s",
  "3h": "20s",
  "4h": "20s",
  "15m": "30s",
};

/** Causes that are played by promtool alone, and why. */
export const PLAYED_ONLY: Readonly<Record<string, string>> = {
  NoSinglePrimary: "needs Patroni on three nodes: `npm run drill -- --cluster` loses each of them",
  NoSyncStandby: "as NoSinglePrimary",
  DatabaseNodeAway: "as NoSinglePrimary",
  ClusterStoreAway: "as NoSinglePrimary",
  MachineUnseen: "needs node_exporter: what it tells is its own",
  DiskFills: "needs a disk of its own: the soak fills one, as root",
  RestoreTestFailed: "needs pgBackRest: test/faults/backups.test.ts runs the shipped script",
  RestoreTestOld: "as RestoreTestFailed",
  CertificateEnds: "needs node_exporter: test/alarms/certificates.test.ts runs the shipped script",
};

export interface Target {
  readonly job: string;
  readonly role?: "web" | "worker";
  /** Host and port. */
  readonly address: string;
}

export interface Watch {
  /** Until it fires. What grows is made to grow meanwhile, again and again. */
  raised(alarm: string, again?: () => Promise<unknown>): Promise<void>;
  /** Until it is over. */
  ended(alarm: string): Promise<void>;
  /** Until the expression gives a series. */
  holds(expr: string): Promise<void>;
  /** Which of these fire at any time while all that is in a window now leaves it. */
  amiss(alarms: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
}

export function shorterGroups(): object[] {
  return shippedGroups().map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) => ({
      ...rule,
      expr: rule.expr.replace(/(\[|offset )(\w+)/g, (_, before: string, time: string) => {
        assert(SHORTER[time] !== undefined, `${rule.alert} has a time that has no shorter one`);
        return before + SHORTER[time];
      }),
      ...(rule.for === undefined ? {} : { for: FOR }),
    })),
  }));
}

export async function watch(targets: readonly Target[]): Promise<Watch> {
  const jobs = Map.groupBy(targets, ({ job }) => job);
  const prometheus = await startPrometheus({
    config: {
      global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
      scrape_configs: [...jobs].map(([job, own]) => ({
        job_name: job,
        static_configs: own.map(({ role, address }) => ({
          targets: [address],
          labels: role === undefined ? {} : { role },
        })),
      })),
    },
    groups: shorterGroups(),
  });
  const firing = async () => {
    const raised = await prometheus.raised();
    return new Set(raised.filter(({ state }) => state === "firing").map(({ alarm }) => alarm));
  };
  const isFiring = async (alarm: string) => (await firing()).has(alarm);
  return {
    async raised(alarm, again = async () => {}) {
      const isRaised = async () => {
        if (await isFiring(alarm)) return true;
        await again();
        return sleep(PAUSE_MS, false);
      };
      await until(isRaised, `${alarm} is raised`, SECONDS_MAX);
    },
    ended: (alarm) =>
      until(async () => !(await isFiring(alarm)) || sleep(PAUSE_MS, false), `${alarm} is over`),
    holds: (expr) =>
      until(
        async () => (await prometheus.query(expr)).length > 0 || sleep(PAUSE_MS, false),
        `${expr} holds`,
      ),
    async amiss(alarms) {
      const seen = new Set<string>();
      const end = performance.now() + QUIET_MS;
      while (performance.now() < end) {
        for (const alarm of await firing()) seen.add(alarm);
        await sleep(PAUSE_MS);
      }
      return alarms.filter((alarm) => seen.has(alarm));
    },
    stop: () => prometheus.stop(),
  };
}

export const hostOf = (url: string) => new URL(url).host;
