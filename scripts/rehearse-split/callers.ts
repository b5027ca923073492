/**
 * Merchants and customers of the drill, for as long as they need for a number of operations: what
 * they were told is kept, and has to be there afterwards.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../testkit/ask.ts";
import type { TestDatabase } from "../../testkit/database.ts";
import { minimal, PATH } from "../../testkit/payment-requests.ts";
import { type Running, start } from "../../testkit/processes.ts";
import { randomNumbers } from "../../testkit/random-numbers.ts";
import { type Merchant, startCallers } from "../drill/callers.ts";
import { Diary } from "../drill/diary.ts";
import { prove } from "../drill/proofs.ts";
import { settingsFor } from "./world.ts";

const CALLERS = 6;
const LOOK_MS = 50;

export interface Work {
  readonly database: TestDatabase;
  readonly merchants: readonly Merchant[];
  readonly operations: number;
  readonly seed: number;
  /** Begins the names of its orders. */
  readonly mark: string;
  /** Tried before the work ends, and why each should have been refused. */
  try?(service: Running): Promise<readonly string[]>;
}

export interface Worked {
  readonly diary: Diary;
  readonly lines: readonly string[];
  readonly complaints: readonly string[];
}

/** Starts the service on the database, works, proves what was done, and stops the service. */
export async function work(on: Work): Promise<Worked> {
  const { database, merchants, operations, seed, mark } = on;
  const service = await start({ settings: settingsFor(database) });
  const diary = new Diary();
  const random = (caller: number) => randomNumbers(seed + caller);
  const webs = [service.url];
  const callers = startCallers({ webs, merchants, diary, random, count: CALLERS, mark });
  while (diary.acknowledged.length < operations) await sleep(LOOK_MS);
  await callers.stop();
  const admitted = (await on.try?.(service)) ?? [];
  const { lines, complaints } = await prove(database.url, diary);
  await service.stop();
  return { diary, lines, complaints: [...complaints, ...admitted] };
}

/** Neither its customers nor its merchant may get anything from a part that it is not in. */
export async function tryAnothers(
  { url }: Running,
  { accountNumber, token }: Merchant,
): Promise<string[]> {
  const json = minimal(accountNumber);
  const asked = [
    await ask(url + PATH, { method: "POST", json }),
    await ask(`${url}/transactions/`, { token }),
  ];
  return asked
    .filter(({ status }) => status !== 400 && status !== 401)
    .map(({ status, text }) => `a part answered for an account that it lacks: ${status} ${text}`);
}

export function together(...diaries: readonly Diary[]): Diary {
  const all = new Diary();
  for (const { acknowledged, asked } of diaries) {
    all.acknowledged.push(...acknowledged);
    for (const [operation, names] of asked) {
      const known = all.asked.get(operation) ?? [];
      all.asked.set(operation, new Map([...known, ...names]));
    }
  }
  return all;
}
