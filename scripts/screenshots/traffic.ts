/**
 * Three months of a bookshop's business for the screenshots, made by the use cases that real
 * traffic runs, day by day with the database's clock. What is chosen follows from one seed and the
 * last day is always the same, so a page changes only where the code does.
 */

import assert from "node:assert/strict";
import { now } from "../../src/infra/db/clock.ts";
import type { Scope } from "../../src/kit/scopes.ts";
import { openChargeback } from "../../src/modules/transactions/dispute.ts";
import type { PaymentResult } from "../../src/modules/transactions/finalise-transaction.ts";
import { mintToken } from "../../testkit/credentials.ts";
import { moveClock } from "../../testkit/move-clock.ts";
import type { TestService } from "../../testkit/service.ts";
import { sweepPayouts, sweepRefunds } from "../../testkit/sweeps.ts";
import { whenQuiet } from "../../testkit/tool/say.ts";
import { newPayment, pay } from "../../testkit/transactions.ts";
import { type Chance, chanceOf } from "../soak/random.ts";
import { orderOf } from "./books.ts";
import { CUSTOMERS, DECLINES, REASONS } from "./people.ts";

/** A Tuesday afternoon in Port of Spain. */
const LAST_MOMENT = new Date("2026-11-17T19:30:00Z");
const DAYS = 90;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LAST_MIDNIGHT = new Date("2026-11-17T04:00:00Z").getTime();
const FIRST_ORDER = 4_100;
/** More than the bank takes to answer. */
const PAYOUT_SECONDS = 120;

const SHOP = { accountNumber: "1234567890" };
export const ENVIRONMENT = "live";

const SCOPES: readonly Scope[] = ["svc-user-all", "svc-transactions-all", "svc-withdrawals-all"];

/** Tokens last for hours, and days pass. */
export async function ask(
  service: TestService,
  path: string,
  json: Record<string, unknown>,
): Promise<Record<string, string>> {
  const { token } = await mintToken(service.ctx, SHOP, SCOPES);
  const answer = await service.request(path, { method: "POST", token, json });
  assert(answer.status < 300, answer.text);
  return answer.body.data ?? answer.body;
}

async function setClock({ ctx: { db } }: TestService, to: Date): Promise<void> {
  await moveClock(db, { seconds: (to.getTime() - (await now(db)).getTime()) / 1_000 });
}

/** Where the demo world begins. */
export function goToFirstDay(service: TestService): Promise<void> {
  return setClock(service, new Date(LAST_MOMENT.getTime() - DAYS * DAY_MS));
}

/** Up to half an hour before the end; gives the number of the last order. */
export async function makeTraffic(service: TestService): Promise<number> {
  const chance = chanceOf(28, "screenshots");
  let order = FIRST_ORDER;
  for (let day = DAYS - 1; day >= 0; day--) {
    whenQuiet(() => `  ${DAYS - day} of ${DAYS} days`);
    const midnight = LAST_MIDNIGHT - day * DAY_MS;
    await setClock(service, new Date(midnight + 8 * HOUR_MS));
    if (new Date(midnight).getUTCDay() === 5) await withdraw(service, chance.between(14, 20) * 500);
    for (const at of timesOf(chance, { midnight, day })) {
      await setClock(service, new Date(at));
      await makePayment(service, chance, { orderId: String(++order), day });
    }
  }
  await setClock(service, new Date(LAST_MOMENT.getTime() - HOUR_MS / 2));
  await ask(service, "/withdrawals/", withdrawal("1800.00"));
  // Its customer is still at the page.
  await pay(service, paymentOf(chance, String(++order)));
  await service.numberEvents();
  return order;
}

/** More on Fridays and Saturdays, few on Sundays, and some more each week. */
function timesOf(chance: Chance, { midnight, day }: { midnight: number; day: number }): number[] {
  const weekday = new Date(midnight).getUTCDay();
  const usual = weekday === 0 ? 2 : weekday >= 5 ? 7 : 4;
  const count = Math.round((usual + chance.between(0, 3)) * (1 + (DAYS - day) / (2 * DAYS)));
  const seconds = Array.from({ length: count }, () => chance.between(9 * 3_600, 21 * 3_600));
  return seconds
    .toSorted((one, other) => one - other)
    .map((second) => midnight + second * 1_000)
    .filter((at) => at < LAST_MOMENT.getTime() - HOUR_MS);
}

/** The shop bears the fee, so that customers pay what the book says. */
export function shopPayment(more: Parameters<typeof newPayment>[1]) {
  return newPayment(SHOP, {
    environment: ENVIRONMENT,
    feeStructure: "merchant_absorb",
    origin: "web-shop",
    ...more,
  });
}

function paymentOf(chance: Chance, orderId: string) {
  const isForeign = chance.percent(14);
  const units = isForeign ? chance.between(14, 90) : chance.between(45, 620);
  const cents = chance.pick(["00", "50", "95"]);
  const amount = `${units}.${cents} ${isForeign ? "USD" : "TTD"}`;
  const customer = chance.pick(CUSTOMERS);
  const order = orderOf(orderId, units * 100 + Number(cents));
  return shopPayment({ amount, orderId, customer, order });
}

function approved(chance: Chance): PaymentResult {
  const brand = chance.percent(64) ? "visa" : "mastercard";
  const card = { brand, lastFour: String(chance.between(1_000, 9_999)) } as const;
  return { status: "success", message: "[1-R00]: Transaction is approved.", card };
}

async function makePayment(
  service: TestService,
  chance: Chance,
  { orderId, day }: { orderId: string; day: number },
): Promise<void> {
  const result = approved(chance);
  const { card } = result;
  const decline = chance.percent(8) ? chance.pick(DECLINES) : undefined;
  const { transaction_id: id } = await pay(
    service,
    paymentOf(chance, orderId),
    decline === undefined ? result : { status: "failed", message: decline, card },
  );
  if (decline !== undefined) return;
  if (chance.percent(3)) {
    await moveClock(service.ctx.db, { seconds: chance.between(60, 1_200) });
    const amount = chance.percent(50) ? { amount: "20.00" } : {};
    const reason = chance.pick(REASONS);
    await ask(service, `/transactions/${id}/refund`, { ...amount, reason });
    await sweepRefunds(service.ctx);
  } else if (day === 3 && orderId.endsWith("7")) {
    const action = { transactionId: id, by: "operator", why: "The card's bank asks." };
    await service.ctx.db.transaction((tx) => openChargeback(tx, action));
  }
}

function withdrawal(amount: string) {
  return { environment: ENVIRONMENT, withdrawal_type: "normal", currency: "TTD", amount };
}

async function withdraw(service: TestService, units: number): Promise<void> {
  await ask(service, "/withdrawals/", withdrawal(`${units}.00`));
  await moveClock(service.ctx.db, { seconds: PAYOUT_SECONDS });
  await sweepPayouts(service.ctx);
  await moveClock(service.ctx.db, { seconds: PAYOUT_SECONDS });
  await sweepPayouts(service.ctx);
}
