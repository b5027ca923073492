/**
 * `npm run soak:alarms -- --minutes 60`: two web processes and a worker under ordinary load, and a
 * Prometheus with the alarms as they are shipped. None may be raised (Decision 0130).
 */

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../src/infra/db/database.ts";
import { migrate } from "../src/infra/db/migrate.ts";
import { startEmbeddedPostgres } from "../src/infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog } from "../src/infra/log.ts";
import { freePort } from "../testkit/free-port.ts";
import { endAll, start } from "../testkit/processes.ts";
import { type Prometheus, shippedGroups, startPrometheus } from "../testkit/prometheus.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { number } from "../testkit/tool/options.ts";
import { runTool, type Tool } from "../testkit/tool/run-tool.ts";
import { say, stampLines, whenQuiet } from "../testkit/tool/say.ts";
import { gather } from "./soak/participants.ts";
import { SETTINGS } from "./soak/settings.ts";
import { runClients } from "./soak/traffic/run-clients.ts";

/** Of the first so many, each has a receiver that takes webhooks. */
const CLIENTS = 5;
const REST_MS = 250;
const SEED = 1;
const LOOK_MS = 5_000;
const LINE_LENGTH_MAX = 1_000;
const EVERY_DAY = { OVERLOAD_LOOP_DELAY_MS: "200" };
/** What belongs to machines that this tool does not start. */
const LEFT_OUT = new Set(["cluster", "machines"]);

const { minutes } = readCommand({
  name: "soak:alarms",
  about:
    "The service under ordinary load, without faults, and Prometheus with the alarms that are " +
    "shipped, unshortened: each that becomes pending or is raised is told, and none may be raised.",
  takes: "Takes the minutes given, and one more to start.",
  options: {
    minutes: number({ about: "how long it goes on", min: 0.5, max: 1_440, hasDecimals: true }, 60),
  },
});
stampLines(() => `${new Date().toISOString().slice(11, 19)} `);

await runTool("soak-alarms", async (tool) => {
  const log = createLog({ level: "silent" });
  whenQuiet(() => "PostgreSQL, the processes and Prometheus are being started");
  const { url } = await tool.keep(
    () => startEmbeddedPostgres({ dataDir: path.join(tool.folder, "data"), log }),
    (started) => started.stop(),
  );
  await migrate({ url, log });
  tool.add(endAll);
  const web = [await startOne("web", url), await startOne("web", url)];
  const worker = await startOne("worker", url);
  const prometheus = await watchAll(tool, { web, worker });
  const db = openDatabase({ url, connectionsMax: 4, log });
  tool.add(() => db.close());
  const ports = web.map(({ port }) => port);
  const participants = await gather({ db, ports, seed: SEED, count: CLIENTS, isEveryDay: true });
  tool.add(() => participants.close());
  let isOver = false;
  const running = runClients(
    participants.clients,
    [participants.mainClient],
    () => isOver,
    REST_MS,
  );
  const { diary } = participants;
  const howFar = () => `${diary.acknowledgedCount()} acknowledged`;
  const watched = watch(prometheus, { howFar, errors: newErrors([...web, worker]) });
  const raised = await Promise.race([watched, running.then(() => watched)]);
  isOver = true;
  await running;
  return tell(raised);
});

interface Started {
  readonly stdout: () => string;
  readonly port: number;
  readonly metricsPort: number;
}

/** Lines of the log that were not given before: an alarm counts them, and does not say them. */
function newErrors(processes: readonly Started[]): () => string[] {
  const readers = processes.map(({ stdout }) => {
    let read = 0;
    return () => {
      // A line that is being written is read when it is whole.
      const end = stdout().lastIndexOf("\n") + 1;
      const fresh = stdout().slice(read, end).split("\n");
      read = end;
      return fresh.filter((line) => /"level":[56]0\b/.test(line));
    };
  });
  return () => readers.flatMap((read) => read());
}

async function startOne(role: "web" | "worker", url: string): Promise<Started> {
  const metricsPort = await freePort();
  const own = { ROLE: role, DATABASE_URL: url, METRICS_PORT: String(metricsPort) };
  const one = await start({ settings: { ...SETTINGS, ...EVERY_DAY, ...own } });
  return {
    stdout: one.stdout,
    port: one.url === "" ? 0 : Number(new URL(one.url).port),
    metricsPort,
  };
}

function watchAll(
  tool: Tool,
  { web, worker }: { web: readonly Started[]; worker: Started },
): Promise<Prometheus> {
  const targets = (role: string, all: readonly Started[]) => ({
    targets: all.map(({ metricsPort }) => `127.0.0.1:${metricsPort}`),
    labels: { role },
  });
  const scraped = [targets("web", web), targets("worker", [worker])];
  return tool.keep(
    () =>
      startPrometheus({
        config: {
          global: { scrape_interval: "15s", evaluation_interval: "15s" },
          scrape_configs: [{ job_name: "windward", static_configs: scraped }],
        },
        groups: shippedGroups().filter(({ name }) => !LEFT_OUT.has(name)),
      }),
    (started) => started.stop(),
  );
}

/** What was raised at any time, and how long; each change is said at once. */
async function watch(
  prometheus: Prometheus,
  { howFar, errors }: { howFar: () => string; errors: () => readonly string[] },
): Promise<Map<string, number>> {
  const raised = new Map<string, number>();
  let before = new Set<string>();
  const beganAt = performance.now();
  const elapsed = () => performance.now() - beganAt;
  const progress = () =>
    `${Math.round(elapsed() / 1_000)} of ${Math.round(minutes * 60)} s: ${howFar()}, ` +
    `${before.size === 0 ? "no alarm" : [...before].join(", ")}`;
  whenQuiet(progress);
  while (elapsed() < minutes * 60_000) {
    for (const line of errors()) say(line.slice(0, LINE_LENGTH_MAX));
    const now = await prometheus.raised();
    const names = new Set(now.map(({ alarm, state }) => `${alarm} is ${state}`));
    for (const name of [...names].filter((one) => !before.has(one))) say(name);
    for (const name of [...before].filter((one) => !names.has(one))) say(`${name} no more`);
    const firing = now.filter(({ state }) => state === "firing").map(({ alarm }) => alarm);
    for (const alarm of new Set(firing))
      raised.set(alarm, (raised.get(alarm) ?? 0) + LOOK_MS / 1_000);
    before = names;
    await sleep(LOOK_MS);
  }
  say(progress());
  return raised;
}

function tell(raised: ReadonlyMap<string, number>): boolean {
  for (const [alarm, seconds] of raised) say(`${alarm} was raised, for about ${seconds} s`);
  say(raised.size === 0 ? "No alarm was raised." : `${raised.size} alarms were raised.`);
  return raised.size === 0;
}
