/**
 * More requests than can be served: an open loop that sends at the planned rate whatever became of
 * the requests before, each batch on a connection that has nothing under way. It spends as few
 * cycles as possible, because it shares the machine with what it measures: bytes are made ready
 * beforehand, a batch is one write, and of a response only the head is read.
 */

import { randomBytes } from "node:crypto";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createResponseReader, requestText } from "./connection.ts";
import { quantile } from "./report.ts";
import { answerApart, runApart } from "./run-apart.ts";

const TICK_MS = 5;
/** Until responses come as fast as they are given. */
const LEAD_MS = 1_000;
/** As many as a proxy's limits per address leave room for. */
const ADDRESSES = 50;
/** A response later than this is of no use. */
const USEFUL_MS = 5_000;

interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly perSecond: number;
  readonly connections: number;
  /** Sent in one write. */
  readonly batch: number;
  /** Of each request, which gets an order's id besides. */
  readonly fields: object;
}

export interface Flooded {
  /** When the last was sent, by the wall clock. */
  readonly endedAt: number;
  readonly sentPerSecond: number;
  /** 2xx in time, while the flood lasted. */
  readonly goodPerSecond: number;
  readonly sent: number;
  readonly good: number;
  readonly late: number;
  /** 503 or 429 with Retry-After. */
  readonly refused: number;
  /** Every other response, by status. */
  readonly others: Record<string, number>;
  readonly unanswered: number;
  readonly refusedP50Ms: number;
}

export function flood(load: Load): Promise<Flooded> {
  return runApart(import.meta.url, load);
}

async function run(load: Load): Promise<Flooded> {
  const counts = { sent: 0, good: 0, late: 0, refused: 0, others: {} as Record<string, number> };
  const goodAt: number[] = [];
  const refusedMs: number[] = [];
  const record = (status: number, head: string, ms: number) => {
    if (status >= 200 && status < 300) {
      counts[ms <= USEFUL_MS ? "good" : "late"] += 1;
      if (ms <= USEFUL_MS) goodAt.push(performance.now());
    } else if ((status === 503 || status === 429) && /\r\nretry-after: \d/i.test(head)) {
      counts.refused += 1;
      refusedMs.push(ms);
    } else counts.others[status] = (counts.others[status] ?? 0) + 1;
  };
  const idle: Client[] = [];
  for (let one = 0; one < load.connections; one++) idle.push(createClient(load, one, idle, record));
  const clients = [...idle];
  const nextRequest = requestMaker(load);
  const beganAt = performance.now();
  const endsAt = beganAt + load.seconds * 1_000;
  let planned = 0;
  for (let now = beganAt; now < endsAt; now = performance.now()) {
    const due = Math.floor(((now - beganAt) * load.perSecond) / 1_000);
    for (; planned + load.batch <= due; planned += load.batch) {
      // Taken from the front, so that all of them take part. With none left the batch is given up.
      const client = idle.shift();
      if (client === undefined) continue;
      let bytes = "";
      for (let one = 0; one < load.batch; one++) bytes += nextRequest();
      counts.sent += load.batch;
      client.send(bytes, load.batch);
    }
    await sleep(TICK_MS);
  }
  const lastSentAt = performance.now();
  const endedAt = Date.now();
  // For responses that are still to come.
  await sleep(USEFUL_MS);
  for (const client of clients) client.end();
  const leadEndsAt = beganAt + LEAD_MS;
  const goodMeanwhile = goodAt.filter((at) => at >= leadEndsAt && at < lastSentAt).length;
  const others = Object.values(counts.others).reduce((sum, count) => sum + count, 0);
  return {
    ...counts,
    endedAt,
    sentPerSecond: (counts.sent / (lastSentAt - beganAt)) * 1_000,
    goodPerSecond: (goodMeanwhile / (lastSentAt - leadEndsAt)) * 1_000,
    unanswered: counts.sent - counts.good - counts.late - counts.refused - others,
    // 0 where there was none: JSON has no NaN.
    refusedP50Ms: quantile(refusedMs, 0.5) || 0,
  };
}

/** All of one length, so that the head is made once. */
function requestMaker({ url, fields }: Load): () => string {
  // No digits: with the number behind it, it would be taken for a card's now and then.
  const mark = randomBytes(6).toString("hex").replace(/\d/g, "x");
  const placeholder = `f-${mark}-00000000`;
  const body = JSON.stringify({ ...fields, order_id: placeholder });
  const whole = requestText(url, { headers: { "content-type": "application/json" }, body });
  const [before = "", after = ""] = whole.split(placeholder);
  let made = 0;
  return () => `${before}f-${mark}-${String(++made).padStart(8, "0")}${after}`;
}

interface Client {
  send(bytes: string, count: number): void;
  end(): void;
}

/** A connection that is opened when it is needed, and is among the idle ones otherwise. */
function createClient(
  { url }: Load,
  one: number,
  idle: Client[],
  record: (status: number, head: string, ms: number) => void,
): Client {
  const { hostname, port } = new URL(url);
  const localAddress = `127.0.1.${1 + (one % ADDRESSES)}`;
  let socket: net.Socket | undefined;
  let outstanding = 0;
  let sentAt = 0;
  const rest = () => {
    outstanding = 0;
    idle.push(client);
  };
  const connect = () => {
    const made = net.connect({ host: hostname, port: Number(port), localAddress, noDelay: true });
    made.on("error", () => {});
    made.once("close", () => {
      socket = undefined;
      if (outstanding > 0) rest();
    });
    made.on(
      "data",
      createResponseReader(({ status, head }) => {
        record(status, head, performance.now() - sentAt);
        outstanding -= 1;
        if (outstanding === 0) rest();
      }),
    );
    return made;
  };
  const client: Client = {
    send(bytes, count) {
      outstanding = count;
      sentAt = performance.now();
      socket ??= connect();
      socket.write(bytes, "latin1");
    },
    end: () => void socket?.destroy(),
  };
  return client;
}

await answerApart(import.meta.main, run);
