/**
 * The acquirer of live payments: a fake of a real one, in a process of its own that nobody kills.
 * Instead it answers some calls wrongly, late or never while the service around it dies.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import { startFakeProcess } from "../../testkit/powertranz/fake-process.ts";
import { FAULT_KINDS, type FaultKind } from "../../testkit/powertranz/fault-kinds.ts";

export type Acquirer = Pick<PowertranzFake, "control" | "password">;

const FAULT_RATE = 0.08;
const SLOW_SECONDS = 2;
/**
 * What takes effect later than it is asked for: the service gives a call two minutes to do so, and
 * a clock step makes four minutes of a moment. The slowest would outlast the settling.
 */
const LEFT_OUT: readonly FaultKind[] = ["slow-before", "drip"];

export async function startAcquirer(): Promise<PowertranzFake> {
  const fake = await startFakeProcess();
  await fake.control.send({ switches: { centsDecide: false } });
  return fake;
}

export function settingsOf({ url, id, password }: PowertranzFake): Record<string, string> {
  return {
    POWERTRANZ_URL: url,
    POWERTRANZ_ID: id,
    POWERTRANZ_PASSWORD: password,
  };
}

export async function misbehave({ control }: Acquirer, seed: number): Promise<void> {
  const kinds = FAULT_KINDS.filter((kind) => !LEFT_OUT.includes(kind));
  await control.send({ random: { rate: FAULT_RATE, kinds, seed, seconds: SLOW_SECONDS } });
}

/** From then on it is well, and what was slow has been said. */
export async function behave({ control }: Acquirer): Promise<void> {
  await control.send({ random: null });
  await sleep(SLOW_SECONDS * 1_000);
}
