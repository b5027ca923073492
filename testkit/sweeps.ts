/** What the loops of a process do every so often, done now, until nothing is due. */

import type { Sweeping } from "../src/infra/jobs/sweep-loop.ts";
import { ENVIRONMENTS } from "../src/kit/vocabulary.ts";
import type { CheckoutContext } from "../src/modules/checkout/session/context.ts";
import { claimAttempts, expireSessions } from "../src/modules/checkout/session/sweep.ts";
import type { GatewayContext } from "../src/modules/gateway/port.ts";
import { claimDueRefunds } from "../src/modules/transactions/settle-refunds.ts";
import { claimDueReturns } from "../src/modules/trusted-cards/return-check.ts";
import type { PayoutContext } from "../src/modules/withdrawals/context.ts";
import { claimPayouts } from "../src/modules/withdrawals/payouts/payout-loop.ts";

/** Tells how many there were. */
export async function sweepAll(claim: Sweeping["claim"]): Promise<number> {
  for (let count = 0; ; ) {
    const before = count;
    for await (const work of claim()) {
      await work();
      count++;
    }
    if (count === before) return count;
  }
}

export async function sweepCheckouts(ctx: CheckoutContext): Promise<void> {
  await sweepAll(() => claimAttempts(ctx));
  while (!(await expireSessions(ctx)).isAll);
}

export const sweepRefunds = (ctx: GatewayContext): Promise<number> =>
  sweepAll(() => claimDueRefunds(ctx, ENVIRONMENTS));

export const returnChecks = (ctx: GatewayContext): Promise<number> =>
  sweepAll(() => claimDueReturns(ctx, ENVIRONMENTS));

export const sweepPayouts = (ctx: PayoutContext): Promise<number> =>
  sweepAll(() => claimPayouts(ctx));
