/** Withdrawals: asked for with the owner's sign-in, moved by simulation. */

import { simulate } from "../simulate.ts";
import { amountOf, type Recipe, type TriggerContext } from "./trigger-context.ts";

const AMOUNT = 25;

async function make(ctx: TriggerContext): Promise<string> {
  const { currency, amount } = await amountOf(ctx, AMOUNT);
  const { data } = await (await ctx.ownerApi()).call("POST", "/withdrawals/", {
    body: { environment: "sandbox", withdrawal_type: "normal", currency, amount },
  });
  ctx.note(`Withdrawal ${data.transaction_id} over ${currency} ${amount} is asked for.`);
  return data.transaction_id;
}

const outcome = (name: string) => (ctx: TriggerContext, id: string) =>
  simulate(ctx.api, { kind: "withdrawals", id, outcome: name });

/** One that was moved by these. */
const after =
  (...names: readonly string[]) =>
  async (ctx: TriggerContext): Promise<string> => {
    const id = await make(ctx);
    for (const name of names) await outcome(name)(ctx, id);
    return id;
  };

export const WITHDRAWAL_RECIPES: Readonly<Record<string, Recipe>> = {
  "withdrawal.pending": { make },
  "withdrawal.processing": { make, force: outcome("process") },
  "withdrawal.held": { make, force: outcome("hold") },
  "withdrawal.released": { make: after("hold"), force: outcome("release") },
  "withdrawal.completed": { make: after("process"), force: outcome("complete") },
  "withdrawal.failed": { make: after("process"), force: outcome("fail") },
  "withdrawal.cancelled": {
    make,
    force: ({ api }, transaction_id) =>
      api.call("DELETE", "/withdrawals/{transaction_id}", { path: { transaction_id } }),
  },
  "withdrawal.returned": { make: after("process", "complete"), force: outcome("return") },
};
