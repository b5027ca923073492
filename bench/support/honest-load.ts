/**
 * Honest clients at a steady, modest rate: reads and payment requests by turns, some on kept
 * connections and some on new ones, from several addresses. An open loop: each request has its
 * planned moment, and its time counts from there, so that a server that stands still is not spared
 * the requests of that time.
 */

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PATH } from "../../testkit/payment-requests.ts";
import { type Connection, openConnection, requestText } from "./connection.ts";
import { ORDER, openCheckout } from "./open-checkout.ts";
import { quantile } from "./report.ts";
import { answerApart, runApart } from "./run-apart.ts";
import type { Stage } from "./stage.ts";

const PER_SECOND = 100;
const ADDRESSES = 10;
/** Every so many requests one comes on a connection of its own. */
const NEWCOMER_EVERY = 5;

interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly reads: readonly string[];
  readonly token: string;
}

/** When it was planned, by the wall clock; how long it took from there; 0: no response. */
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

async function run({ url, seconds, reads, token }: Load): Promise<Sample[]> {
  const mark = randomBytes(6).toString("hex");
  const idle: Connection[] = [];
  const samples: Sample[] = [];
  const requestAt = (turn: number): string => {
    const read = reads[(turn >> 1) % reads.length] ?? "";
    if (turn % 2 === 0)
      return requestText(url + read, { headers: { authorization: `Bearer ${token}` } });
    const body = JSON.stringify({ ...ORDER, order_id: `h-${mark}-${turn}` });
    return requestText(url + PATH, { headers: { "content-type": "application/json" }, body });
  };
  const ask = async (turn: number, planned: number): Promise<void> => {
    const isNewcomer = turn % NEWCOMER_EVERY === 0;
    const kept = isNewcomer ? undefined : idle.pop();
    const connection = kept ?? openConnection(url, `127.0.3.${1 + (turn % ADDRESSES)}`);
    const { status } = await connection.ask(requestAt(turn));
    const ms = performance.now() - planned;
    samples.push({ at: performance.timeOrigin + planned, ms, status });
    if (isNewcomer) connection.close();
    else idle.push(connection);
  };
  const beganAt = performance.now();
  const all: Promise<void>[] = [];
  for (let turn = 0; turn < PER_SECOND * seconds; turn++) {
    const planned = beganAt + (turn * 1_000) / PER_SECOND;
    const wait = planned - performance.now();
    if (wait > 1) await sleep(wait);
    all.push(ask(turn, planned));
  }
  await Promise.all(all);
  for (const connection of idle) connection.close();
  return samples;
}

await answerApart(import.meta.main, run);
