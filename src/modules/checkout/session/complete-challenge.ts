/**
 * The customer comes back from the card's bank: that is written first, so that the sale is
 * completed whatever becomes of this process; then the gateway is asked to complete it (Decisions
 * 0040, 0068).
 *
 * What the browser posts proves nothing. It must name the challenge, and the gateway believes its
 * own word about the rest.
 */

import { insertAudit } from "../../../infra/audit.ts";
import { sqlOf } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { sameBytes } from "../../../kit/secrets.ts";
import { LEASE_SECONDS } from "../../gateway/call-lease.ts";
import { ask } from "./ask-gateway.ts";
import { type AttemptRow, attemptsOf, moveAttempts } from "./attempt.ts";
import { countDecline } from "./card-testing.ts";
import type { CheckoutContext } from "./context.ts";
import { lockSession, type SessionView } from "./session.ts";
import { takeAnswer } from "./take-answers.ts";

export interface Return {
  readonly session: SessionView;
  readonly posted: Readonly<Record<string, string>>;
  /** The customer's. */
  readonly address: string;
}

const REFUSED = "challenge_result_refused";

/** Does nothing when no such challenge waits; the session says what came of it. */
export async function completeChallenge(ctx: CheckoutContext, back: Return): Promise<void> {
  const { session, posted, address } = back;
  const gateway = ctx.gateways[session.environment];
  const token = gateway?.returnedToken(posted) ?? "";
  await ctx.failpoint("challenge: back");
  const attempt = await writeReturn(ctx, back, token);
  if (attempt === undefined || gateway === undefined) return;
  await ctx.failpoint("challenge: back kept");
  const answer = await ask(ctx, gateway, attempt, () =>
    gateway.completeChallenge(attempt.attempt_id, token, posted),
  );
  await ctx.failpoint("challenge: completed");
  await takeAnswer(ctx, attempt, answer, gateway);
  if (answer.outcome === "declined") await countDecline(ctx, { session, address });
}

function writeReturn(
  ctx: CheckoutContext,
  back: Return,
  token: string,
): Promise<AttemptRow | undefined> {
  const { transactionId } = back.session;
  return ctx.db.transaction(async (tx) => {
    const session = await lockSession(tx, transactionId);
    await ctx.failpoint("challenge: session held");
    const attempts = await attemptsOf(tx, transactionId);
    if (!attempts.some((one) => fits(one, token))) {
      await noteRefusal(tx, back);
      return undefined;
    }
    const attempt = attempts.at(-1);
    if (session.session_state === "ended" || session.is_over || attempt?.state !== "challenged")
      return undefined;
    if (!fits(attempt, token)) return undefined;
    // From now on the sale is completed, by this process or another.
    const { attempt_id: attemptId } = attempt;
    await moveAttempts(tx, [{ attemptId, state: "unknown", askAfterSeconds: LEASE_SECONDS }]);
    await ctx.failpoint("challenge: back written");
    return { ...attempt, state: "unknown" };
  });
}

function fits({ challenge_token }: AttemptRow, token: string): boolean {
  return challenge_token !== null && sameBytes(Buffer.from(challenge_token), Buffer.from(token));
}

/**
 * Audits a result that names no challenge of this session. A result that comes twice, or late, is
 * no such case: browsers send forms again. Once a minute for each session, so that a flood of them
 * is no flood of writes; the session is held, so none is missed or written twice.
 */
async function noteRefusal(tx: Tx, { session, address }: Return): Promise<void> {
  const { transactionId, accountNumber, environment } = session;
  const noted = await tx.maybeOne(sqlOf({})`
    select from audit_entries
    where detail ->> 'transaction_id' = ${transactionId} and action = ${REFUSED}
      and happened_at > app_now() - interval '1 minute' limit 1`);
  if (noted !== undefined) return;
  await insertAudit(tx, {
    action: REFUSED,
    accountNumber,
    actor: address,
    detail: { transaction_id: transactionId, environment },
  });
}
