/**
 * A fleet of endpoints of which a third misbehave, sent to by whole processes that are killed at
 * random: for the test of every build and for the soak, which differ in size only.
 *
 * What must hold at the end: every event arrived at every endpoint that ever answered well; what
 * arrived twice has one id and one body; each verified; the memory of the workers stayed flat.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { settle } from "../scripts/soak/settle.ts";
import { readConfig } from "../src/infra/config.ts";
import { type Database, openDatabase } from "../src/infra/db/database.ts";
import { sql } from "../src/infra/db/query.ts";
import { createLog } from "../src/infra/log.ts";
import { recordEvents } from "../src/modules/events/record-event.ts";
import { makeMerchants } from "./books.ts";
import { type Running, start, UNHINDERED } from "./processes.ts";
import { type Behaviour, type Receiver, startReceiver } from "./receivers.ts";
import { until } from "./until.ts";
import { insertEndpoint, newEvent } from "./webhooks.ts";

const ENDPOINTS = 50;
const ENDPOINTS_PER_ACCOUNT = 2;
const BAD: readonly Behaviour[] = ["hangs", 500, "resets", "drips", "floods", "redirects"];
const EVENTS_AT_ONCE = 100;
/** What an owner is told of an endpoint of its own that fails. */
const NOTICE = /"event":"webhook\.(?:failing|disabled)"/;

export interface Plan {
  readonly databaseUrl: string;
  readonly eventCount: number;
  readonly workers: number;
  readonly killEveryMs: { readonly min: number; readonly max: number };
  readonly killsMax: number;
  /** For each step of the wait for what is still to come. */
  readonly settleSeconds: number;
  say(line: string): void;
  /** With each step: what tells how far it is. */
  onStep?(howFar: () => string): void;
}

interface Station {
  readonly receiver: Receiver;
  readonly accountNumber: string;
  readonly secret: string;
  readonly isBad: boolean;
}

export interface Report {
  readonly kills: number;
  readonly deliveries: number;
  readonly duplicates: number;
  readonly residentMbMax: number;
  readonly seconds: number;
}

export async function runFleet(plan: Plan): Promise<Report> {
  const beganAt = performance.now();
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: plan.databaseUrl, connectionsMax: 4, log });
  const fleet = await makeFleet(db);
  const workers = await startWorkers(plan);
  const hunt = killAtRandom(plan, workers);
  try {
    // However quick the workers are, some die with events under way and some with more to come.
    const told = await tellAll(db, fleet, plan, () =>
      until(() => hunt.kills() >= 2, "two workers were killed", plan.settleSeconds),
    );
    plan.say(`${plan.eventCount} events are recorded`);
    await everyoneGoodHas(fleet, told, plan);
    plan.say("every endpoint that is well has everything that was due");
    const kills = await hunt.stop();
    // The faults are over; now all must come to rest.
    for (const { receiver } of fleet) receiver.behave("well");
    await allSettled(db, plan);
    const duplicates = check(fleet, told);
    await checkRows(db, told);
    const deliveries = fleet.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
    const seconds = (performance.now() - beganAt) / 1_000;
    return { kills, deliveries, duplicates, residentMbMax: hunt.residentMbMax(), seconds };
  } finally {
    await hunt.stop();
    await Promise.all([...workers].map((worker) => worker.kill()));
    await Promise.all(fleet.map(({ receiver }) => receiver.close()));
    await db.close();
  }
}

async function makeFleet(db: Database): Promise<Station[]> {
  const { wrappingKeys } = readConfig({});
  const accounts = await makeMerchants(db, ENDPOINTS / ENDPOINTS_PER_ACCOUNT);
  return Promise.all(
    Array.from({ length: ENDPOINTS }, async (_, turn) => {
      const accountNumber = accounts[turn % accounts.length] ?? "";
      const isBad = turn % 3 === 0;
      const receiver = await startReceiver(isBad ? (BAD[(turn / 3) % BAD.length] ?? 500) : "well");
      const at = { accountNumber, environment: "live", url: receiver.url } as const;
      return { receiver, accountNumber, isBad, ...(await insertEndpoint(db, wrappingKeys, at)) };
    }),
  );
}

async function startWorkers({ databaseUrl, workers }: Plan): Promise<Set<Running>> {
  const one = () => startWorker(databaseUrl);
  return new Set(await Promise.all(Array.from({ length: workers }, one)));
}

function startWorker(databaseUrl: string): Promise<Running> {
  const settings = { ...UNHINDERED, DATABASE_URL: databaseUrl, ROLE: "worker", LOG_LEVEL: "warn" };
  return start({ settings });
}

function killAtRandom({ databaseUrl, killEveryMs, killsMax, say }: Plan, workers: Set<Running>) {
  let isOver = false;
  let kills = 0;
  let residentMbMax = 0;
  const running = (async () => {
    while (!isOver) {
      await sleep(randomInt(killEveryMs.min, killEveryMs.max));
      for (const worker of workers) residentMbMax = Math.max(residentMbMax, residentMb(worker.pid));
      const [victim] = [...workers].slice(randomInt(workers.size));
      if (isOver || victim === undefined || kills >= killsMax) continue;
      workers.delete(victim);
      await victim.kill();
      kills += 1;
      say(`killed a worker; the largest so far had ${Math.round(residentMbMax)} MB`);
      workers.add(await startWorker(databaseUrl));
    }
  })();
  return {
    kills: () => kills,
    residentMbMax: () => residentMbMax,
    async stop() {
      isOver = true;
      await running;
      return kills;
    },
  };
}

function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib ?? 0) / 1_024;
}

/** Ids of the events of each account. */
type Told = ReadonlyMap<string, readonly string[]>;

async function tellAll(
  db: Database,
  fleet: readonly Station[],
  plan: Plan,
  halfway: () => Promise<void>,
): Promise<Told> {
  const accounts = [...new Set(fleet.map(({ accountNumber }) => accountNumber))];
  const told = new Map<string, string[]>(accounts.map((account) => [account, []]));
  const half = Math.floor(plan.eventCount / EVENTS_AT_ONCE / 2) * EVENTS_AT_ONCE;
  let made = 0;
  plan.onStep?.(() => `${made} of ${plan.eventCount} events are recorded`);
  for (; made < plan.eventCount; made += EVENTS_AT_ONCE) {
    if (made === half) await halfway();
    const events = Array.from({ length: EVENTS_AT_ONCE }, (_, turn) =>
      newEvent(
        { accountNumber: accounts[turn % accounts.length] ?? "", environment: "live" },
        { record: { turn: made + turn, padding: "x".repeat(200) } },
      ),
    );
    const ids = await db.transaction((tx) => recordEvents(tx, events));
    for (const [turn, { accountNumber }] of events.entries())
      told.get(accountNumber)?.push(ids[turn] ?? "");
  }
  return told;
}

async function everyoneGoodHas(fleet: readonly Station[], told: Told, plan: Plan): Promise<void> {
  const good = fleet.filter(({ isBad }) => !isBad);
  const isDone = (one: Station) =>
    one.receiver.ids.size >= (told.get(one.accountNumber)?.length ?? Number.NaN);
  const all = good.reduce((sum, one) => sum + (told.get(one.accountNumber)?.length ?? 0), 0);
  const arrived = () => good.reduce((sum, { receiver }) => sum + receiver.ids.size, 0);
  plan.onStep?.(() => `${arrived()} of ${all} have arrived where they are welcome`);
  await until(() => good.every(isDone), "all arrived where they are welcome", plan.settleSeconds);
}

/** The clock is moved over rests and retries; what is then still waiting would be lost. */
async function allSettled(db: Database, { settleSeconds, say }: Plan): Promise<void> {
  const { left } = await settle(db, {
    lastFaultAt: performance.now(),
    giveUpSeconds: settleSeconds,
    say,
  });
  assert.deepEqual(left, {}, "nothing waits any more");
}

/** How often something arrived that had arrived before. */
function check(fleet: readonly Station[], told: Told): number {
  let duplicates = 0;
  for (const station of fleet) {
    const wanted = told.get(station.accountNumber) ?? [];
    const arrived = Map.groupBy(station.receiver.received, ({ id }) => id);
    const missing = wanted.filter((id) => !arrived.has(id));
    assert.deepEqual(missing, [], "nothing is lost");
    const own = new Set(wanted);
    for (const [id, copies] of arrived) {
      assert(own.has(id) || NOTICE.test(copies[0]?.body ?? ""), "nothing of another account");
      assert.equal(new Set(copies.map(({ body }) => body)).size, 1, "one id, one body");
      duplicates += copies.length - 1;
    }
    for (const one of station.receiver.received) verify(one, station.secret);
  }
  return duplicates;
}

/** Times are of a clock that was moved, so only the signature counts here. */
function verify(one: { body: string; headers: Record<string, string> }, secret: string): void {
  const { "webhook-id": id, "webhook-timestamp": timestamp } = one.headers;
  const at = new Date(Number(timestamp) * 1_000);
  for (const Verifier of [Webhook, SvixWebhook]) {
    const signature = new Verifier(secret).sign(id ?? "", at, one.body);
    assert.equal(one.headers["webhook-signature"], signature);
  }
}

async function checkRows(db: Database, told: Told): Promise<void> {
  const states = await db.rows<{ state: string; count: number }>(sql`
    select state, count(*)::int from webhook_deliveries group by state`);
  const events = [...told.values()].reduce((sum, ids) => sum + ids.length, 0);
  const delivered = states.find(({ state }) => state === "delivered")?.count ?? 0;
  assert(delivered >= events * ENDPOINTS_PER_ACCOUNT, JSON.stringify(states));
}
