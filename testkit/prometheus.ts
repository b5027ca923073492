/**
 * Prometheus with the alarms of `docs/operations/alerts.yml`, as Debian has it: `promtool`, which
 * reads and tries rules, and the server, which reads the metrics of processes and raises alarms
 * (Decision 0130).
 */

import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";
import { type DebianPackage, unpackDebianPackage } from "./debian-package.ts";
import { freePort } from "./free-port.ts";
import { lazy } from "./lazy.ts";
import { until } from "./until.ts";

const OPERATIONS = fileURLToPath(new URL("../docs/operations/", import.meta.url));
export const ALERTS_FILE = path.join(OPERATIONS, "alerts.yml");
export const PROMETHEUS_FILE = path.join(OPERATIONS, "prometheus.yml");
export const ALERTMANAGER_FILE = path.join(OPERATIONS, "alertmanager.yml");
const DEBIAN_ALERTMANAGER: DebianPackage = {
  name: "prometheus-alertmanager",
  program: "usr/bin/amtool",
};
const DEBIAN_PROMETHEUS: DebianPackage = { name: "prometheus", program: "usr/bin/prometheus" };
const LAUNCHER = "prometheus";
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

interface Alarm {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook: string;
  };
}

interface AlarmGroup {
  readonly name: string;
  readonly rules: readonly Alarm[];
}

/** By groups, as they are shipped. */
export function shippedGroups(): readonly AlarmGroup[] {
  return parse(readFileSync(ALERTS_FILE, "utf8")).groups;
}

export function shippedAlarms(): readonly Alarm[] {
  return shippedGroups().flatMap(({ rules }) => rules);
}

interface Raised {
  readonly alarm: string;
  readonly state: "pending" | "firing";
  readonly labels: Readonly<Record<string, string>>;
}

export interface Prometheus {
  readonly url: string;
  /** What is pending or firing now. */
  raised(): Promise<readonly Raised[]>;
  /** The value of each series, by its labels. */
  query(expr: string): Promise<readonly { labels: Record<string, string>; value: number }[]>;
  stop(): Promise<void>;
}

/** Resolves when it is ready. Configuration and rules are JSON, which is YAML. */
export async function startPrometheus(given: {
  readonly config: object;
  readonly groups: readonly object[];
}): Promise<Prometheus> {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-prometheus-"));
  const rules = path.join(folder, "alerts.yml");
  const config = path.join(folder, "prometheus.yml");
  writeFileSync(rules, JSON.stringify({ groups: given.groups }));
  writeFileSync(config, JSON.stringify({ ...given.config, rule_files: [rules] }));
  const { prometheus } = await programs();
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    prometheus,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(folder, "data")}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"], cwd: folder },
  );
  const said = text(child.stderr);
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const url = `http://${address}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended:\n${await said}`);
    return fetch(`${url}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }, "Prometheus is ready");
  const ask = async (route: string) => {
    const answer = await fetch(`${url}/api/v1/${route}`);
    // biome-ignore lint/suspicious/noExplicitAny: of what shape depends on the question
    return ((await answer.json()) as { data: any }).data;
  };
  return {
    url,
    raised: async () => (await ask("alerts")).alerts.map(asRaised),
    async query(expr) {
      const { result } = await ask(`query?query=${encodeURIComponent(expr)}`);
      return result.map(asValue);
    },
    async stop() {
      process.off("exit", kill);
      kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function asRaised({ state, labels }: { state: Raised["state"]; labels: Record<string, string> }) {
  return { state, labels, alarm: labels.alertname ?? "" };
}

function asValue({ metric, value }: { metric: Record<string, string>; value: [number, string] }) {
  return { labels: metric, value: Number(value[1]) };
}

/** Gives what it printed, and throws with it when it complains. */
export async function promtool(...args: string[]): Promise<string> {
  return printedBy((await programs()).promtool, args);
}

async function printedBy(program: string, args: readonly string[]): Promise<string> {
  try {
    const run = promisify(execFile)(program, args, { maxBuffer: OUTPUT_BYTES_MAX });
    return (await run).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    const called = [path.basename(program), ...args.slice(0, 2)].join(" ");
    throw new Error(`${called}:\n${stdout}\n${stderr}`, { cause: error });
  }
}

let amtoolFound: Promise<string> | undefined;

/** What the Alertmanager's own tool printed; Debian's, where the machine has none. */
export async function amtool(...args: string[]): Promise<string> {
  amtoolFound ??= findAmtool();
  return printedBy(await amtoolFound, args);
}

async function findAmtool(): Promise<string> {
  try {
    return execFileSync("sh", ["-c", "command -v amtool"]).toString().trim();
  } catch {
    const folder = mkdtempSync(path.join(tmpdir(), "windward-alertmanager-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    await unpackDebianPackage(DEBIAN_ALERTMANAGER, { folder, launcher: "amtool" });
    return path.join(folder, "amtool");
  }
}

let unpacked: Promise<string> | undefined;

/** The machine's own where there are both, otherwise Debian's, unpacked once for a run. */
async function programs(): Promise<{ prometheus: string; promtool: string }> {
  try {
    const found = execFileSync("sh", ["-c", "command -v prometheus && command -v promtool"]);
    const [prometheus = "", tool = ""] = found.toString().trim().split("\n");
    return { prometheus, promtool: tool };
  } catch {
    const isTest = process.env.TEST_FOLDER !== undefined;
    unpacked ??= isTest ? lazy("prometheus", unpack) : unpack();
    const folder = await unpacked;
    return {
      prometheus: path.join(folder, LAUNCHER),
      promtool: path.join(folder, "usr/bin/promtool"),
    };
  }
}

async function unpack(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-prometheus-package-"));
  await unpackDebianPackage(DEBIAN_PROMETHEUS, { folder, launcher: LAUNCHER });
  return folder;
}
