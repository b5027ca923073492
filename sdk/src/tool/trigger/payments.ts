/** Payments: made by a payment request, ended and disputed by simulation. */

import { randomUUID } from "node:crypto";
import { simulate } from "../simulate.ts";
import { CARDS, submitCard } from "./checkout-page.ts";
import { amountOf, type Recipe, type TriggerContext } from "./trigger-context.ts";

const TOTAL = 100;
/** Cents by which the sandbox rejects a refund. */
const REJECTED = "10.98";

async function request(ctx: TriggerContext): Promise<{ id: string; url: string }> {
  const { currency, amount } = await amountOf(ctx, TOTAL);
  const asked = await ctx.api.call("POST", "/plugins/payments/request", {
    body: {
      account_number: ctx.account.number,
      country_code: ctx.account.country,
      currency,
      environment: "sandbox",
      fee_structure: "customer_pay",
      method: "credit_card_co",
      order_id: `trigger-${randomUUID().slice(0, 13)}`,
      origin: "windward-trigger",
      response_url: `${ctx.url}/docs/start`,
      total: amount,
      email: "customer@example.com",
    },
  });
  ctx.note(`Payment ${asked.transaction_id} over ${currency} ${amount} is made.`);
  return { id: asked.transaction_id, url: asked.url };
}

const outcome = (name: string) => (ctx: TriggerContext, id: string) =>
  simulate(ctx.api, { kind: "transactions", id, outcome: name });

const refund = (amount?: string) => (ctx: TriggerContext, transaction_id: string) =>
  ctx.api.call("POST", "/transactions/{transaction_id}/refund", {
    path: { transaction_id },
    body: { reason: "windward trigger", ...(amount === undefined ? {} : { amount }) },
  });

const make = async (ctx: TriggerContext) => (await request(ctx)).id;

/** An object after these steps. */
const after =
  (...steps: readonly NonNullable<Recipe["force"]>[]) =>
  async (ctx: TriggerContext): Promise<string> => {
    const id = await make(ctx);
    for (const step of steps) await step(ctx, id);
    return id;
  };

/** The time is over while nobody knows what became of the card. */
const endUnknown = (card: string) => async (ctx: TriggerContext) => {
  const { id, url } = await request(ctx);
  await submitCard(url, card);
  await outcome("expire")(ctx, id);
  return id;
};

const paid = after(outcome("approve"));
const disputed = after(outcome("approve"), outcome("chargeback_pending"));

export const PAYMENT_RECIPES: Readonly<Record<string, Recipe>> = {
  "payment.created": { make },
  "payment.success": { make, force: outcome("approve") },
  "payment.failed": { make, force: outcome("decline") },
  "payment.error": { make: endUnknown(CARDS.unknownForLong) },
  "payment.late_approval_voided": { make: endUnknown(CARDS.unknownThenApproved) },
  "payment.refund_requested": { make: paid, force: refund() },
  "payment.refunded": { make: paid, force: refund() },
  "payment.refund_rejected": { make: paid, force: refund(REJECTED) },
  "payment.chargeback_pending": { make: paid, force: outcome("chargeback_pending") },
  "payment.chargeback_processed": { make: disputed, force: outcome("chargeback_processed") },
  "payment.chargeback_released": { make: disputed, force: outcome("chargeback_released") },
  "payment.fraud_confirmed": { make: paid, force: outcome("fraud_confirmed") },
};
