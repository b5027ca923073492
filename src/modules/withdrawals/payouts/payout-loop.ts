/**
 * The loop that pays out by calls (Decision 0046): once a second it gives pending withdrawals to
 * the bank of their environment and asks about those whose answer is missing.
 */

import type { Loop } from "../../../infra/jobs/loop.ts";
import { createSweepLoop, sweepAll } from "../../../infra/jobs/sweep-loop.ts";
import type { PayoutContext } from "../context.ts";
import { claimDue, claimPending } from "./claim-payouts.ts";
import { payOut } from "./pay-out.ts";

const PAUSE_MS = 1_000;
const UNDER_WAY_MAX = 8;

export function createPayoutLoop(ctx: PayoutContext): Loop {
  return createSweepLoop({
    pauseMs: PAUSE_MS,
    underWayMax: UNDER_WAY_MAX,
    claim: () => claimPayouts(ctx),
    onError(err) {
      ctx.log.error({ err }, "payouts could not be looked after");
    },
  });
}

/** Everything that is due, until nothing is: for tests, which cannot wait. */
export async function sweepPayouts(ctx: PayoutContext): Promise<void> {
  await sweepAll(() => claimPayouts(ctx));
}

/** Those that wait for an answer first: a bank that has the order must not be forgotten. */
async function* claimPayouts(ctx: PayoutContext): AsyncIterable<() => Promise<void>> {
  for (;;) {
    const claimed = (await claimDue(ctx.db)) ?? (await claimPending(ctx));
    if (claimed === undefined) return;
    yield () => payOut(ctx, claimed);
  }
}
