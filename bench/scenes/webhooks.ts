/**
 * Events to receivers (P5): how long from a commit to the first byte at the receiver, at a steady
 * 200 events a second; and how many deliveries a second leave one process when many wait.
 *
 * The service is the process of the stage; receivers and the writer of events are here, on the same
 * machine, so what is measured carries their cost, too.
 */

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../src/infra/config.ts";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import type { Environment } from "../../src/kit/vocabulary.ts";
import { recordEvents } from "../../src/modules/events/record-event.ts";
import { makeMerchants } from "../../testkit/books.ts";
import { say } from "../../testkit/tool/say.ts";
import { until } from "../../testkit/until.ts";
import { insertEndpoint } from "../../testkit/webhooks.ts";
import { takeTurns } from "../support/quietly.ts";
import { median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const EVENTS_PER_SECOND = 200;
const STEADY_ENDPOINTS = 50;
const BUSY_ENDPOINTS = 400;
/** Within the burst that an endpoint takes: the messenger is measured and not its limits. */
const EVENTS_PER_BUSY_ENDPOINT = 20;
const CONNECTIONS = 8;

interface Yard {
  readonly db: Database;
  readonly merchants: readonly string[];
  /** When each event arrived first. */
  readonly arrived: Map<string, number>;
}

export const webhooks: Scene = { name: "webhooks", play };

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const log = createLog({ level: "warn" });
  const url = stage.settings.DATABASE_URL ?? "";
  const db = openDatabase({ url, connectionsMax: CONNECTIONS, log });
  const arrived = new Map<string, number>();
  const receiver = await startReceiver(arrived);
  try {
    const merchants = await makeEndpoints(db, receiver.url);
    const yard = { db, merchants, arrived };
    await steadily(yard, 2);
    const waits = (await pace.quietly(() => steadily(yard, pace.seconds * pace.rounds))).toSorted(
      (a, b) => a - b,
    );
    const at = (part: number) => waits[Math.floor(part * (waits.length - 1))] ?? Number.NaN;
    const rates = await takeTurns(pace, async (turn) => {
      // Until every endpoint may take a burst again.
      await sleep(2_000);
      const rate = await allAtOnce(yard);
      say(`round ${turn} of ${pace.rounds}: ${round(rate)} deliveries/s`);
      return rate;
    });
    const figures = { p50Ms: at(0.5), p99Ms: at(0.99), deliveriesPerSecond: median(rates) };
    const { p50Ms, p99Ms, deliveriesPerSecond: measured } = figures;
    const what = "commit to first byte of a webhook";
    return {
      figures,
      goals: [
        { number: "P5", what: `${what}, p50`, measured: p50Ms, unit: "ms", goal: { below: 50 } },
        { number: "P5", what: `${what}, p99`, measured: p99Ms, unit: "ms", goal: { below: 500 } },
        { number: "P5", what: "webhooks", measured, unit: "/s", goal: { atLeast: 1_000 } },
      ],
    };
  } finally {
    await db.close();
    await receiver.close();
  }
}

/** Milliseconds from the answer to COMMIT to the first byte, of each event. */
async function steadily({ db, merchants, arrived }: Yard, seconds: number): Promise<number[]> {
  const committed = new Map<string, number>();
  const write = async (turn: number) => {
    const [id = ""] = await record(db, [merchants[turn % STEADY_ENDPOINTS] ?? ""]);
    committed.set(id, performance.now());
  };
  const beganAt = performance.now();
  const writes: Promise<void>[] = [];
  for (let turn = 0; turn < EVENTS_PER_SECOND * seconds; turn++) {
    const wait = beganAt + (turn * 1000) / EVENTS_PER_SECOND - performance.now();
    if (wait > 1) await sleep(wait);
    writes.push(write(turn));
  }
  await Promise.all(writes);
  await allArrived(arrived, [...committed.keys()]);
  return [...committed].map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at);
}

async function allAtOnce({ db, merchants, arrived }: Yard): Promise<number> {
  const ids: string[] = [];
  const beganAt = performance.now();
  for (let one = 0; one < EVENTS_PER_BUSY_ENDPOINT; one++)
    ids.push(...(await record(db, merchants)));
  await allArrived(arrived, ids);
  return (ids.length / (performance.now() - beganAt)) * 1000;
}

/** One event for each of them, until it has arrived. */
export async function tellEach({ db, merchants, arrived }: Yard): Promise<void> {
  await allArrived(arrived, await record(db, merchants));
}

function record(db: Database, accountNumbers: readonly string[]): Promise<string[]> {
  const record = { is: "an event of the bench", padding: "x".repeat(400) };
  return db.transaction((tx) =>
    recordEvents(
      tx,
      accountNumbers.map((accountNumber) => ({
        accountNumber,
        environment: "live",
        event: "payment.success",
        resource: randomUUID(),
        record,
      })),
    ),
  );
}

async function allArrived(arrived: ReadonlyMap<string, number>, ids: readonly string[]) {
  await until(() => ids.every((id) => arrived.has(id)), "events have arrived", 60, { pauseMs: 5 });
}

export async function makeEndpoints(
  db: Database,
  url: string,
  { count = BUSY_ENDPOINTS, environment = "live" as Environment } = {},
): Promise<string[]> {
  const merchants = await makeMerchants(db, count);
  await giveEndpoints(db, url, { merchants, environment });
  return merchants;
}

export async function giveEndpoints(
  db: Database,
  url: string,
  { merchants, environment }: { merchants: readonly string[]; environment: Environment },
): Promise<void> {
  // As the process of the stage has them: those of the development stage.
  const { wrappingKeys } = readConfig({});
  for (const accountNumber of merchants)
    await insertEndpoint(db, wrappingKeys, { accountNumber, environment, url });
}

export async function startReceiver(arrived: Map<string, number>) {
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"]);
    if (!arrived.has(id)) arrived.set(id, performance.now());
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
