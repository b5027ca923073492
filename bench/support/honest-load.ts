/**
 * Honest clients at a steady, modest rate: reads and payment requests by turns, some on kept
 * connections and some on new ones, from several addresses. An open loop: each request has its
 * planned moment, and its time counts from there, so that a server that stands still is not spared
 * the requests of that time.
 */

import { randomBytes } from "node:crypto";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PATH } from "../../testkit/payment-requests.ts";
import { ORDER, openCheckout } from "./open-checkout.ts";
import { ANSWERS_PER_CONNECTION, createAnswerReader } from "./read-answers.ts";
import { quantile } from "./report.ts";
import { answerApart, runApart } from "./run-apart.ts";
import type { Stage } from "./stage.ts";

const PER_SECOND = 100;
const ADDRESSES = 10;
/** A request without a response by then has failed. */
const ANSWER_MS_MAX = 10_000;
/** A client gives a quiet connection up before the server does, so as not to meet its end. */
const IDLE_MS_MAX = 5_000;
/** Every so many requests one comes on a connection of its own. */
const NEWCOMER_EVERY = 5;

interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly reads: readonly string[];
  readonly token: string;
}

/** When it was planned, by the wall clock; how long it took from there; 0: no answer. */
export interface Sample {
  readonly at: number;
  readonly ms: number;
  readonly status: number;
}

export type HonestClients = (seconds: number) => Promise<Sample[]>;

/** At the given address of the stage's service. */
export async function honestClients(
  stage: Stage,
  url: string = stage.service.url,
): Promise<HonestClients> {
  const { transactionId } = await openCheckout(stage, { orderId: `honest-${Date.now()}` });
  const reads = ["/auth/whoami", `/transactions/${transactionId}`];
  return (seconds) => runApart(import.meta.url, { url, seconds, token: stage.token, reads });
}

export function p99Of(samples: readonly Sample[]): number {
  return quantile(
    samples.map(({ ms }) => ms),
    0.99,
  );
}

export function failuresOf(samples: readonly Sample[]): number {
  return samples.filter(({ status }) => status !== 200).length;
}

interface Connection {
  ask(request: string, isLast: boolean): Promise<number>;
}

async function run(load: Load): Promise<Sample[]> {
  const { hostname, port, host } = new URL(load.url);
  const mark = randomBytes(6).toString("hex");
  const kept: Connection[] = [];
  const samples: Sample[] = [];
  const requestAt = (turn: number): string => {
    const read = load.reads[(turn >> 1) % load.reads.length] ?? "";
    if (turn % 2 === 0)
      return `GET ${read} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${load.token}\r\n\r\n`;
    const body = JSON.stringify({ ...ORDER, order_id: `h-${mark}-${turn}` });
    return (
      `POST ${PATH} HTTP/1.1\r\nHost: ${host}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
  const one = async (turn: number, planned: number): Promise<void> => {
    const isNewcomer = turn % NEWCOMER_EVERY === 0;
    const found = isNewcomer ? undefined : kept.pop();
    const connection =
      found ?? connect({ host: hostname, port: Number(port), localAddress: addressOf(turn) }, kept);
    const status = await connection.ask(requestAt(turn), isNewcomer);
    const ms = performance.now() - planned;
    samples.push({ at: performance.timeOrigin + planned, ms, status });
  };
  const beganAt = performance.now();
  const all: Promise<void>[] = [];
  for (let turn = 0; turn < PER_SECOND * load.seconds; turn++) {
    const planned = beganAt + (turn * 1_000) / PER_SECOND;
    const wait = planned - performance.now();
    if (wait > 1) await sleep(wait);
    all.push(one(turn, planned));
  }
  await Promise.all(all);
  return samples;
}

function addressOf(turn: number): string {
  return `127.0.3.${1 + (turn % ADDRESSES)}`;
}

/** One request at a time; among the kept ones while it may be used once more. */
function connect(target: net.TcpNetConnectOpts, kept: Connection[]): Connection {
  const socket = net.connect({ ...target, noDelay: true });
  let left = ANSWERS_PER_CONNECTION;
  let tell: ((status: number) => void) | undefined;
  const settle = (status: number) => {
    tell?.(status);
    tell = undefined;
  };
  const connection: Connection = {
    ask(request, isLast) {
      left = isLast ? 0 : left - 1;
      socket.setTimeout(ANSWER_MS_MAX);
      socket.write(request);
      return new Promise((resolve) => {
        tell = resolve;
      });
    },
  };
  socket.on("timeout", () => socket.destroy());
  socket.on("error", () => settle(0));
  socket.on("close", () => {
    const place = kept.indexOf(connection);
    if (place !== -1) kept.splice(place, 1);
    settle(0);
  });
  socket.on(
    "data",
    createAnswerReader((status, head) => {
      socket.setTimeout(IDLE_MS_MAX);
      if (left > 0 && !/\r\nconnection: close/i.test(head)) kept.push(connection);
      else socket.end();
      settle(status);
    }),
  );
  return connection;
}

await answerApart(import.meta.main, run);
