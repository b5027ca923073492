/**
 * The customer comes back from the card's bank: that is written first, so that the sale is
 * completed whatever becomes of this process; then the gateway is asked to complete it (Decision
 * 0040).
 *
 * What the browser posts proves nothing. It must name the challenge, and the gateway believes its
 * own word about the rest.
 */

import { sameBytes } from "../../../kit/secrets.ts";
import { type AttemptRow, lastAttempt } from "./attempt.ts";
import { countDecline } from "./card-testing.ts";
import { noteReturn } from "./change-attempt.ts";
import type { CheckoutContext } from "./context.ts";
import { ask } from "./sell.ts";
import { lockSession, type SessionView } from "./session.ts";
import { takeAnswer } from "./take-answer.ts";

export interface Return {
  readonly session: SessionView;
  /** Which challenge, in the words of the post. */
  readonly token: string;
  readonly posted: Readonly<Record<string, string>>;
  /** The customer's. */
  readonly address: string;
}

/** Does nothing when no such challenge waits; the session tells what came of it. */
export async function completeChallenge(ctx: CheckoutContext, back: Return): Promise<void> {
  const { session, token, posted, address } = back;
  const gateway = ctx.gateways[session.environment];
  await ctx.passing("challenge: back");
  const attempt = await writeReturn(ctx, session.transactionId, token);
  if (attempt === undefined || gateway === undefined) return;
  await ctx.passing("challenge: back kept");
  const answer = await ask(ctx, gateway, attempt, () =>
    gateway.completeChallenge(attempt.attempt_id, token, posted),
  );
  await ctx.passing("challenge: completed");
  await takeAnswer(ctx, attempt, answer);
  if (answer.outcome === "declined") await countDecline(ctx, { session, address });
}

function writeReturn(
  ctx: CheckoutContext,
  transactionId: string,
  token: string,
): Promise<AttemptRow | undefined> {
  return ctx.db.transaction(async (tx) => {
    const session = await lockSession(ctx, tx, transactionId);
    await ctx.passing("challenge: session held");
    const attempt = await lastAttempt(tx, transactionId);
    if (session.state === "ended" || session.is_over || attempt?.state !== "challenged")
      return undefined;
    const asked = attempt.challenge_token;
    if (asked === null || !sameBytes(Buffer.from(asked), Buffer.from(token))) return undefined;
    await noteReturn(tx, attempt);
    await ctx.passing("challenge: back written");
    return { ...attempt, state: "unknown" };
  });
}
