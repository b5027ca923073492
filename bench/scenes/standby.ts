/**
 * What a standby takes off the primary (Decision 0125): pages of the history, read by two services
 * on one database of which one has a standby, by turns; then the same while payments are requested.
 *
 * On one machine both servers share the processors, so pages per second say little. What counts is
 * the processor time of the primary for a page, and how many are served by the standby while it has
 * something to replay all the time.
 */

import { openDatabase } from "../../src/infra/db/database.ts";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { SECOND_MS } from "../../src/kit/clock.ts";
import { addUpCounts } from "../../src/modules/transactions/add-up-counts.ts";
import { demoSignIn } from "../../testkit/ask.ts";
import { clean } from "../../testkit/database-owners.ts";
import { NO_LIMITS } from "../../testkit/no-limits.ts";
import { PATH } from "../../testkit/payment-requests.ts";
import { type Running, start } from "../../testkit/processes.ts";
import { startPair } from "../../testkit/standby.ts";
import { say } from "../../testkit/tool/say.ts";
import { fillHistory } from "../../testkit/transactions.ts";
import { askAgain, type BurstResult } from "../support/ask-again.ts";
import { cpuSecondsBelow } from "../support/cpu-time.ts";
import { ORDER } from "../support/open-checkout.ts";
import { takeTurns } from "../support/quietly.ts";
import { medians, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const ROWS = 50_000;
const READERS = 8;
const WRITERS = 4;
const MERCHANT = { accountNumber: "1234567890" };

export const standby: Scene = { name: "standby", play };

async function play(_stage: Stage, pace: Pace): Promise<Outcome> {
  const pair = await startPair();
  const { settings } = pair.options;
  const { STANDBY_DATABASE_URL: _, ...alone } = settings;
  const on = await start({ settings: { ...settings, ...NO_LIMITS } });
  const off = await start({ settings: { ...alone, ...NO_LIMITS } });
  try {
    await fill(pair.primary.url);
    await pair.standby.catchUp();
    return await compare({ on, off, primaryPid: pair.primary.pid }, pace);
  } finally {
    await on.stop();
    await off.stop();
    await pair.standby.stop();
    await clean();
  }
}

async function fill(url: string): Promise<void> {
  const db = openDatabase({ url, connectionsMax: 2, log: createLog({ level: "warn" }) });
  const history = { rows: ROWS, until: "2026-11-01T00:00:00Z", everySeconds: 60 };
  await fillHistory({ ctx: { db } }, MERCHANT, history);
  await addUpCounts(db);
  await db.run(sql`vacuum analyze transactions, transaction_counts`);
  await db.close();
}

interface Sides {
  readonly on: Running;
  readonly off: Running;
  readonly primaryPid: number;
}

async function compare({ on, off, primaryPid }: Sides, pace: Pace): Promise<Outcome> {
  const readers = { on: await readerOf(on, primaryPid), off: await readerOf(off, primaryPid) };
  await readers.on(pace.warmUpSeconds);
  await readers.off(pace.warmUpSeconds);
  const turns = await takeTurns(pace, async (turn) => {
    const quiet = await race(readers, pace.seconds);
    const busy = await race(readers, pace.seconds, off);
    say(`round ${turn} of ${pace.rounds}, nothing written: ${tell(quiet)}`);
    say(`round ${turn} of ${pace.rounds}, beside payments: ${tell(busy)}`);
    return { ...named("quiet", quiet), ...named("busy", busy) };
  });
  return { figures: medians(turns), goals: [] };
}

interface Measured extends BurstResult {
  /** Of the primary's processor time, for a page. */
  readonly primaryMs: number;
  /** Of those that a standby may serve. */
  readonly servedPart: number;
}

type Reader = (seconds: number) => Promise<Measured>;
type Race = Readonly<Record<"on" | "off", Measured>>;

/** One after the other; payments are requested of that service meanwhile. */
async function race(
  readers: Readonly<Record<"on" | "off", Reader>>,
  seconds: number,
  writtenTo?: Running,
): Promise<Race> {
  const measure = async (read: Reader) => {
    const writing =
      writtenTo &&
      askAgain({ url: writtenTo.url + PATH, connections: WRITERS, order: ORDER, seconds });
    const measured = await read(seconds);
    await writing;
    if (measured.failures > 0) throw new Error(`${measured.failures} pages were refused`);
    return measured;
  };
  return { on: await measure(readers.on), off: await measure(readers.off) };
}

async function readerOf(service: Running, primaryPid: number): Promise<Reader> {
  const signIn = demoSignIn("merchant@example.com", "svc-transactions-retrieve");
  const { access_token: token } = (await service.ask("/auth/tokens", signIn)).body;
  const headers = { authorization: `Bearer ${token}` };
  const page = { url: `${service.url}/transactions/`, connections: READERS, headers };
  return async (seconds) => {
    const before = { cpuSeconds: cpuSecondsBelow(primaryPid), reads: await readsOf(service) };
    const result = await askAgain({ ...page, seconds });
    const cpuSeconds = cpuSecondsBelow(primaryPid) - before.cpuSeconds;
    const reads = await readsOf(service);
    const all = reads.all - before.reads.all;
    return {
      ...result,
      primaryMs: (cpuSeconds * SECOND_MS) / (result.perSecond * seconds),
      servedPart: all === 0 ? 0 : (reads.served - before.reads.served) / all,
    };
  };
}

async function readsOf(service: Running): Promise<{ served: number; all: number }> {
  const { text } = await service.ask("/metrics");
  const found = [...text.matchAll(/^windward_standby_reads_total\{outcome="(\w+)"\} (\d+)$/gm)];
  const counts = new Map(found.map(([, outcome, count]) => [outcome, Number(count)]));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { served: counts.get("served") ?? 0, all };
}

function tell({ on, off }: Race): string {
  const of = ({ perSecond, p50Ms, p99Ms, primaryMs }: Measured) =>
    `${round(perSecond)}/s, ${round(p50Ms)} and ${round(p99Ms)} ms, primary ${round(primaryMs)} ms`;
  const served = `${round(100 * on.servedPart)} %`;
  return `${of(on)} with a standby, which served ${served}; ${of(off)} without`;
}

function named(how: string, { on, off }: Race): Record<string, number> {
  const of = (which: string, measured: Measured) =>
    Object.entries(measured).map(([name, figure]) => [`${how} ${which} ${name}`, figure]);
  return Object.fromEntries([...of("with", on), ...of("without", off)]);
}
