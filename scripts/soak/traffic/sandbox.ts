/**
 * The controls of the sandbox: what happens to payments, withdrawals and endpoints is said instead
 * of waited for, and the clock is moved a little. Each acts on what this client has made for it.
 */

import { type Client, expectStatus, write } from "./client.ts";
import { askForWithdrawal } from "./money.ts";
import { askForOrder } from "./payments.ts";
import type { Outcome, WireRequest } from "./wire.ts";

/** The bank may decide, and an operator open a dispute, while it is asked for. */
const NOT_IN_THIS_STATE = 409;
const ENDS = ["approve", "approve", "decline", "expire"] as const;
const LATER = ["chargeback_pending", "fraud_confirmed"] as const;
const CHARGEBACK_ENDS = ["chargeback_processed", "chargeback_released"] as const;
const STATUS_OF = {
  process: "processing",
  complete: "completed",
  return: "returned",
  fail: "failed",
  hold: "held",
  release: "pending",
};
const WAYS: readonly (readonly (keyof typeof STATUS_OF)[])[] = [
  ["process", "complete"],
  ["process", "complete", "return"],
  ["process", "fail"],
  ["hold", "release"],
  ["hold", "fail"],
];
const MOVE_SECONDS_MAX = 5;

export const simulatedOf = (id: string) => `simulated ${id}`;

export async function simulate(client: Client): Promise<void> {
  const does = { payment: 45, withdrawal: 35, clock: 20 };
  const way = client.chance.weigh(does);
  if (way === "payment") await simulatePayment(client);
  else if (way === "withdrawal") await simulateWithdrawal(client);
  else await moveClock(client);
}

export async function simulatePayment(client: Client): Promise<void> {
  const { chance, diary } = client;
  const made = await askForOrder(client, "sandbox");
  if (made === undefined) return;
  const at = `/sandbox/transactions/${made.id}/simulate`;
  const ended = await say(client, at, chance.pick(ENDS));
  if (ended?.status === undefined) return;
  diary.tell(made.id, ended.status);
  diary.try("simulations");
  if (ended.status !== "success" || chance.percent(50)) return;
  const next = chance.pick(LATER);
  const later = await say(client, at, next);
  if (later !== undefined && next === "chargeback_pending")
    await say(client, at, chance.pick(CHARGEBACK_ENDS));
}

/** A payment that is paid without a customer. */
export async function simulateApproval(client: Client): Promise<void> {
  const environment = "sandbox";
  const made = await askForOrder(client, environment);
  if (made === undefined) return;
  const ended = await say(client, `/sandbox/transactions/${made.id}/simulate`, "approve");
  if (ended?.status === "success") client.paid.push({ id: made.id, left: 0, environment });
}

export async function simulateWithdrawal(client: Client): Promise<void> {
  const { chance, diary } = client;
  const id = await askForWithdrawal(client, { cents: "00" });
  if (id === undefined) return;
  const known = diary.register(simulatedOf(id), "");
  for (const outcome of chance.pick(WAYS)) {
    const record = await say(client, `/sandbox/withdrawals/${id}/simulate`, outcome);
    if (record === undefined) {
      known.perhaps.add(STATUS_OF[outcome]);
      return;
    }
    diary.try("simulations");
    known.told = record.status;
  }
}

interface Simulated {
  readonly status: string;
}

/** The record as it is then; undefined when it could not be made to happen, or nobody knows. */
export async function say(
  client: Client,
  path: string,
  outcome: string,
): Promise<Simulated | undefined> {
  const word = client.word();
  const asked: WireRequest = {
    method: "POST",
    path,
    json: { outcome },
    idempotencyKey: word,
    ...client.credential(),
  };
  const said: Outcome = await write(client, `simulated: ${outcome}`, asked);
  expectStatus(client, asked, said, [200, NOT_IN_THIS_STATE]);
  return said.answer?.status === 200 ? said.answer.body.data : undefined;
}

/** The one clock of all, so by little; the weather sets it by more. */
async function moveClock(client: Client): Promise<void> {
  const { chance, wire } = client;
  const path = "/sandbox/clock";
  await wire.send({ method: "GET", path, ...client.credential() });
  const asked: WireRequest = {
    method: "POST",
    path,
    json: { advance: chance.between(0, MOVE_SECONDS_MAX) },
    idempotencyKey: client.word(),
    ...client.credential(),
  };
  expectStatus(client, asked, await write(client, "clock moved", asked), [200]);
}
