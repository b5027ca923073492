/**
 * More orders than anybody can serve: an open loop that writes each at its planned moment, whatever
 * has become of the ones before it. From as few cycles as possible, because it shares the machine
 * with what it measures: bytes made ready beforehand, several requests in one write, no more of an
 * answer read than its head.
 */

import { randomBytes } from "node:crypto";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ANSWERS_PER_CONNECTION, createAnswerReader } from "./read-answers.ts";
import { quantile } from "./report.ts";
import { answerApart, runApart } from "./run-apart.ts";

const TICK_MS = 5;
/** Until answers come as fast as they are given. */
const LEAD_MS = 1_000;
const ADDRESSES = 200;

interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly perSecond: number;
  readonly connections: number;
  /** Sent in one write. */
  readonly together: number;
  /** Later than this after its planned moment an answer is of no use. */
  readonly usefulMs: number;
  /** Of each request, which gets an order's id besides. */
  readonly fields: object;
}

export interface Flooded {
  /** When the last was sent, by the wall clock. */
  readonly endedAt: number;
  readonly seconds: number;
  readonly sent: number;
  /** 2xx in time, and those that came too late. */
  readonly good: number;
  readonly late: number;
  /** Good ones that came in while it lasted: what is answered afterwards has had longer. */
  readonly goodPerSecond: number;
  /** 503 or 429 with the time to come back, and those that went down with such an answer. */
  readonly refused: number;
  readonly cutOff: number;
  /** Refusals that do not say when to come back; any other answer, by status. */
  readonly rude: number;
  readonly others: Record<string, number>;
  /** No answer at all. */
  readonly unanswered: number;
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
  readonly goodP99Ms: number;
}

export function flood(load: Load): Promise<Flooded> {
  return runApart(import.meta.url, load);
}

interface Counts {
  sent: number;
  good: number;
  /** When each of the good ones came. */
  readonly goodAt: number[];
  late: number;
  refused: number;
  cutOff: number;
  rude: number;
  readonly others: Record<string, number>;
  readonly goodMs: number[];
  readonly refusedMs: number[];
}

interface Client {
  send(bytes: string, count: number, planned: number): void;
  end(): void;
}

async function run(load: Load): Promise<Flooded> {
  const counts: Counts = {
    sent: 0,
    good: 0,
    goodAt: [],
    late: 0,
    refused: 0,
    cutOff: 0,
    rude: 0,
    others: {},
    goodMs: [],
    refusedMs: [],
  };
  const nextRequest = requestMaker(load);
  const clients = Array.from({ length: load.connections }, (_, one) =>
    createClient(load, counts, one),
  );
  const beganAt = performance.now();
  const endsAt = beganAt + load.seconds * 1_000;
  let turn = 0;
  for (let now = beganAt; now < endsAt; now = performance.now()) {
    const due = Math.floor(((now - beganAt) * load.perSecond) / 1_000);
    while (counts.sent + load.together <= due) {
      let bytes = "";
      for (let one = 0; one < load.together; one++) bytes += nextRequest();
      const planned = beganAt + (counts.sent * 1_000) / load.perSecond;
      counts.sent += load.together;
      clients[turn++ % clients.length]?.send(bytes, load.together, planned);
    }
    await sleep(TICK_MS);
  }
  const lastSentAt = performance.now();
  const seconds = (lastSentAt - beganAt) / 1_000;
  const endedAt = Date.now();
  // For answers that are still to come.
  await sleep(load.usefulMs);
  const { goodAt, goodMs, refusedMs, ...rest } = counts;
  const leadEndsAt = beganAt + LEAD_MS;
  const goodMeanwhile = goodAt.filter((at) => at >= leadEndsAt && at < lastSentAt).length;
  const answered = rest.good + rest.late + rest.refused + rest.cutOff + rest.rude;
  const others = Object.values(rest.others).reduce((sum, count) => sum + count, 0);
  for (const client of clients) client.end();
  return {
    ...rest,
    seconds,
    goodPerSecond: (goodMeanwhile / (lastSentAt - leadEndsAt)) * 1_000,
    endedAt,
    unanswered: rest.sent - answered - others,
    // 0 where there was none: JSON has no NaN.
    goodP99Ms: quantile(goodMs, 0.99) || 0,
    refusedP50Ms: quantile(refusedMs, 0.5) || 0,
    refusedP99Ms: quantile(refusedMs, 0.99) || 0,
  };
}

/** All of one length, so that the head is made once. */
function requestMaker({ url, fields }: Load): () => string {
  const { pathname, host } = new URL(url);
  // No digits: with the number behind it, it would be taken for a card's now and then.
  const mark = randomBytes(6).toString("hex").replace(/\d/g, "x");
  const placeholder = `f-${mark}-00000000`;
  const body = JSON.stringify({ ...fields, order_id: placeholder });
  const whole =
    `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const [before = "", after = ""] = whole.split(placeholder);
  let made = 0;
  return () => `${before}f-${mark}-${String(++made).padStart(8, "0")}${after}`;
}

/** A connection that is opened anew whenever it was closed. */
function createClient({ url, usefulMs }: Load, counts: Counts, one: number): Client {
  const { hostname, port } = new URL(url);
  const target = { host: hostname, port: Number(port), localAddress: addressOf(one) };
  let socket: net.Socket | undefined;
  let left = 0;
  const open = (): net.Socket => {
    const asked: number[] = [];
    let at = 0;
    let wasRefused = false;
    const made = net.connect({ ...target, noDelay: true });
    left = ANSWERS_PER_CONNECTION;
    made.on("error", () => {});
    made.once("close", () => {
      if (socket === made) socket = undefined;
      if (wasRefused) counts.cutOff += asked.length - at;
    });
    made.on(
      "data",
      createAnswerReader((status, head) => {
        const ms = performance.now() - (asked[at++] ?? Number.NaN);
        wasRefused = status === 503 || status === 429;
        if (status >= 200 && status < 300) note(counts, ms <= usefulMs ? "good" : "late", ms);
        else if (!wasRefused) counts.others[status] = (counts.others[status] ?? 0) + 1;
        else note(counts, /\r\nretry-after: \d/i.test(head) ? "refused" : "rude", ms);
        // What is on its way there by then goes down with it.
        if (/\r\nconnection: close/i.test(head) && socket === made) socket = undefined;
      }),
    );
    return Object.assign(made, { asked });
  };
  return {
    send(bytes, count, planned) {
      left -= count;
      if (socket !== undefined && left <= 0) socket.end();
      if (socket === undefined || left <= 0) socket = open();
      const { asked } = socket as net.Socket & { asked: number[] };
      for (let one = 0; one < count; one++) asked.push(planned);
      socket.write(bytes, "latin1");
    },
    end: () => void socket?.destroy(),
  };
}

/** They come from many addresses, so that no limit of one hides what is asked here. */
function addressOf(client: number): string {
  return `127.0.1.${1 + (client % ADDRESSES)}`;
}

function note(counts: Counts, outcome: "good" | "late" | "refused" | "rude", ms: number): void {
  counts[outcome] += 1;
  if (outcome === "good") counts.goodAt.push(performance.now());
  (outcome === "good" || outcome === "late" ? counts.goodMs : counts.refusedMs).push(ms);
}

await answerApart(import.meta.main, run);
