/**
 * The customer goes back without paying (Decision 0040). Not while the gateway may have taken the
 * money: then the page goes on waiting, and the answer counts.
 */

import { cardOf, isUndecided, lastAttempt } from "./attempt.ts";
import { endAttempt } from "./change-attempt.ts";
import type { CheckoutContext } from "./context.ts";
import { endSession } from "./end-session.ts";
import { endOf, GIVEN_UP, NOT_CONFIRMED } from "./result-messages.ts";
import { lockSession, type SessionView } from "./session.ts";

export async function giveUp(
  ctx: CheckoutContext,
  { transactionId }: Pick<SessionView, "transactionId">,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const session = await lockSession(ctx, tx, transactionId);
    if (session.state === "ended") return;
    const last = await lastAttempt(tx, transactionId);
    // While the bank asks, no money moves without us.
    if (last?.state === "challenged") await endAttempt(tx, last, "declined", NOT_CONFIRMED);
    else if (last !== undefined && isUndecided(last.state)) return;
    const message = last?.state === "declined" ? endOf(last) : GIVEN_UP;
    const card = last === undefined ? null : cardOf(last);
    await endSession(ctx, tx, session, { status: "failed", message, card });
  });
}
