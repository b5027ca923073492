/**
 * Ends sessions with their results: sessions, payments and money in one tx (Decisions 0040 and
 * 0078). And where the browser goes then, which is worked out only after that tx was committed.
 *
 * A session is open exactly as long as its payment has no result, and it is ended while its row is
 * locked. So there is one result, and it is the same wherever it is read.
 */

import assert from "node:assert/strict";
import { prepared, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { BUSY, type LockWait } from "../../../infra/db/write-batch.ts";
import { environmentOfTransaction } from "../../../kit/ids.ts";
import { postBatch } from "../../ledger/post.ts";
import type { PaymentResult } from "../../transactions/finalise-transaction.ts";
import { type AttemptRow, cardOf, isUndecided, lastAttempts, moveAttempts } from "./attempt.ts";
import { endedCheckouts } from "./checkout-metrics.ts";
import {
  type CheckoutContext,
  type Expired,
  type ExpiringSession,
  type ReturningSession,
  reach,
  type SessionContext,
  type SessionEnd,
} from "./context.ts";
import { declineMessage, GIVEN_UP, NOT_CONFIRMED, TIMED_OUT } from "./result-messages.ts";
import { GRACE_SECONDS, lockSession, lockSessions, type SessionView } from "./session.ts";

/** Before any of them ends, so that what a purpose locks for it is locked once, in one order. */
export async function tellCardsFailed(
  ctx: SessionContext,
  tx: Tx,
  sessions: readonly SessionEnd["session"][],
): Promise<void> {
  for (const [purpose, own] of Map.groupBy(sessions, (session) => session.purpose)) {
    const ids = own.map((session) => session.transaction_id);
    await ctx.purposes[purpose].cardsFailed?.(ctx, tx, ids);
  }
}

/** The last thing in its tx: a success moves money, whose locks last until the end. */
export async function endSessions(
  ctx: SessionContext,
  tx: Tx,
  ends: readonly SessionEnd[],
): Promise<void> {
  if (ends.length === 0) return;
  const statement = sql`
    update checkout_sessions set state = 'ended', ended_at = (select app_now())
    where transaction_id =
        any(array(select unnest(${ends.map((one) => one.session.transaction_id)}::text[])))
      -- As an expression, which no index has: a plan from a quiet hour would read all open ones.
      and state || '' = 'open'`;
  const count = await tx.run(prepared("end-sessions", statement));
  assert.equal(count, ends.length, "a session ends once, while it is locked");
  await reach(ends, "end: session ended");
  const postings = [];
  for (const [purpose, own] of Map.groupBy(ends, ({ session }) => session.purpose))
    postings.push(...(await ctx.purposes[purpose].end(ctx, tx, own)));
  for (const outcome of postings.length === 0 ? [] : await postBatch(tx, postings))
    if (outcome instanceof Error) throw outcome;
  tx.afterCommit(() => {
    for (const { session, result } of ends) {
      const environment = environmentOfTransaction(session.transaction_id);
      endedCheckouts.inc({ environment, status: result.status });
    }
  });
  await reach(ends, "end: payment ended");
}

/**
 * Ends those whose time is over and whose last card, if any, is decided (Interface §3.2). One with
 * an attempt that is not decided stays open: the gateway is asked about it, and its answer counts.
 */
export async function expire(
  ctx: SessionContext,
  tx: Tx,
  expiring: readonly ExpiringSession[],
  locks: LockWait,
): Promise<(Expired | typeof BUSY)[]> {
  const ids = expiring.map(({ transactionId }) => transactionId);
  const locked = new Map(
    (await lockSessions(tx, ids, locks)).map((session) => [session.transaction_id, session]),
  );
  const over = [...locked.values()].filter((one) => one.session_state === "open" && one.is_over);
  const last = await lastAttempts(tx, over);
  const ends = expiring.flatMap(({ transactionId, failpoint }) => {
    const session = over.find(({ transaction_id }) => transaction_id === transactionId);
    const attempt = last.get(transactionId);
    if (session === undefined || (attempt && isUndecided(attempt.state))) return [];
    return [{ session, result: unpaid(attempt, TIMED_OUT), failpoint }];
  });
  await endSessions(ctx, tx, ends);
  const ended = new Set(ends.map(({ session }) => session.transaction_id));
  return ids.map((id) => {
    if (ended.has(id)) return "now";
    const session = locked.get(id);
    if (session === undefined) return BUSY;
    return session.session_state === "ended" ? "before" : "not yet";
  });
}

/**
 * As if its time and grace were over (Decision 0102). One with an attempt that is not decided
 * stays open, and ends with the answer.
 */
export async function expireNow(
  ctx: SessionContext & Pick<CheckoutContext, "failpoint">,
  tx: Tx,
  transactionId: string,
): Promise<void> {
  await tx.run(sql`
    update checkout_sessions
    set expires_at = least(expires_at, app_now() - make_interval(secs => ${GRACE_SECONDS}))
    where transaction_id = ${transactionId}`);
  await expire(ctx, tx, [{ transactionId, failpoint: ctx.failpoint }], "wait");
}

/** How a session ends that nobody paid: with the words of the last card, if it was declined. */
function unpaid(attempt: AttemptRow | undefined, message: string): PaymentResult {
  const card = attempt === undefined ? null : cardOf(attempt);
  // One that was approved after we had given it up says nothing of the kind: it is voided.
  if (attempt?.state !== "declined") return { status: "failed", message, card };
  return { status: "failed", message: declineMessage(attempt), card };
}

/** For one that is looked at, whose end need not wait for the sweep. Whether this ended it. */
export async function expireSession(
  ctx: CheckoutContext,
  { transactionId }: Pick<SessionView, "transactionId">,
): Promise<boolean> {
  const { failpoint } = ctx;
  const [ended] = await ctx.db.transaction((tx) =>
    expire(ctx, tx, [{ transactionId, failpoint }], "wait"),
  );
  return ended === "now";
}

/**
 * The customer goes back without paying (Decision 0040). Not while the gateway may have taken the
 * money: then the page goes on waiting, and the answer counts.
 */
export async function giveUp(
  ctx: CheckoutContext,
  { transactionId }: Pick<SessionView, "transactionId">,
): Promise<void> {
  await ctx.db.transaction((tx) => giveUpIn(ctx, tx, transactionId));
}

export async function giveUpIn(ctx: CheckoutContext, tx: Tx, transactionId: string): Promise<void> {
  const session = await lockSession(tx, transactionId);
  if (session.session_state === "ended") return;
  const last = (await lastAttempts(tx, [session])).get(transactionId);
  // While the bank asks, no money moves without us.
  if (last?.state === "challenged") {
    const { attempt_id: attemptId } = last;
    await moveAttempts(tx, [{ attemptId, state: "declined", answer: NOT_CONFIRMED }]);
  } else if (last !== undefined && isUndecided(last.state)) return;
  const result = unpaid(last, GIVEN_UP);
  await endSessions(ctx, tx, [{ session, result, failpoint: ctx.failpoint }]);
}

/** The merchant's address with the result; undefined while there is none, and a day later. */
export async function returnUrl(
  ctx: CheckoutContext,
  session: ReturningSession & Pick<SessionView, "purpose" | "isForgotten">,
): Promise<string | undefined> {
  if (session.isForgotten) return undefined;
  const address = await ctx.purposes[session.purpose].returnUrl(ctx, session);
  if (address === undefined) return undefined;
  // A signed result cannot be taken back, and a reader may see what only this server has.
  await ctx.db.waitForStandby();
  await ctx.failpoint("result: shown");
  return address;
}
