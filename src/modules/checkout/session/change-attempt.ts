/**
 * How an attempt moves on. Whoever calls these holds its session (Decision 0040). Two others move
 * one without it: a claim (`ask-gateway.ts`) moves only its time, and a void (`void-late.ts`) is of
 * an attempt that has no say in its session any more.
 */

import { prepared, type Sql, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { AvsAnswer, Challenge } from "../../gateway/gateway.ts";
import { LEASE_SECONDS } from "../../transactions/within-limit.ts";
import { type AttemptRow, UNDECIDED } from "./attempt.ts";
import { GRACE_SECONDS, type LockedSession } from "./session.ts";

/** After so many questions without an answer, how long until the next; the last one stays. */
const ASK_AFTER_SECONDS = [1, 2, 5, 10, 30, 60, 300, 900, 3600];

export function askAfterSeconds(askCount: number): number {
  return ASK_AFTER_SECONDS[askCount] ?? ASK_AFTER_SECONDS.at(-1) ?? 0;
}

export interface Ending {
  readonly code: string;
  readonly message: string;
  readonly avs?: AvsAnswer;
}

const ENDED = sql`challenge_html = null, ask_count = 0, ended_at = (select app_now())`;

export async function endAttempt(
  tx: Tx,
  { attempt_id }: AttemptRow,
  state: "approved" | "declined" | "void_due",
  { code, message, avs }: Ending,
): Promise<void> {
  const statement = sql`
    update checkout_attempts
    set state = ${state}, outcome_code = ${code}, message = ${message}, avs_answer = ${avs ?? null},
      ${ENDED}, next_ask_at = case when ${state} = 'void_due' then app_now() end
    where attempt_id = ${attempt_id}`;
  await tx.run(prepared("end-attempt", statement));
}

interface ApprovedRow
  extends Pick<AttemptRow, "attempt_id" | "transaction_id" | "card_brand" | "card_last_four"> {
  readonly outcome_code: string;
  readonly message: string;
}

/**
 * Of many, those that nobody has decided and that are of the session that is named beside them. A
 * session has one such attempt at most. Its plan goes by keys (Decision 0061).
 */
export function approveAttempts(
  tx: Tx,
  approvals: readonly {
    readonly attemptId: string;
    readonly transactionId: string;
    readonly answer: Ending;
  }[],
): Promise<ApprovedRow[]> {
  const each = <T>(of: (one: (typeof approvals)[number]) => T) => approvals.map(of);
  const statement = sql`
    with given as materialized (
      select * from unnest((select ${each((one) => one.attemptId)}::uuid[]),
        (select ${each((one) => one.transactionId)}::text[]),
        (select ${each(({ answer }) => answer.code)}::text[]),
        (select ${each(({ answer }) => answer.message)}::text[]),
        (select ${each(({ answer }) => answer.avs ?? null)}::text[]))
        as given (attempt_id, transaction_id, code, message, avs)
    )
    update checkout_attempts as attempt
    set state = 'approved', outcome_code = given.code, message = given.message,
      avs_answer = given.avs, ${ENDED}, next_ask_at = null
    from given
    where attempt.attempt_id = any(array(select attempt_id from given))
      and attempt.attempt_id = given.attempt_id
      and attempt.transaction_id = given.transaction_id
      and attempt.state || '' = any(${UNDECIDED})
    returning attempt.attempt_id, attempt.transaction_id, attempt.card_brand,
      attempt.card_last_four, attempt.outcome_code, attempt.message`;
  return tx.rows<ApprovedRow & Record<string, unknown>>(prepared("approve-attempts", statement));
}

/** The bank asks the customer; nobody else needs to ask before the time is over. */
export async function challenge(
  tx: Tx,
  { expires_at }: LockedSession,
  { attempt_id }: AttemptRow,
  { token, html }: Challenge,
): Promise<void> {
  await tx.run(sql`
    update checkout_attempts
    set state = 'challenged', challenge_token = ${token}, challenge_html = ${html},
      next_ask_at = ${expires_at}
    where attempt_id = ${attempt_id}`);
}

/** The customer has been at the bank: from now on the sale is completed, by whoever lives. */
export async function noteReturn(tx: Tx, { attempt_id }: AttemptRow): Promise<void> {
  await tx.run(sql`
    update checkout_attempts
    set state = 'unknown', challenge_html = null, ask_count = 0,
      next_ask_at = app_now() + make_interval(secs => ${LEASE_SECONDS})
    where attempt_id = ${attempt_id}`);
}

/**
 * Asked again by the schedule, and in any case when the session's time and its grace are over. A
 * question that comes early for that reason is not one of the schedule's.
 */
export async function wait(tx: Tx, session: LockedSession, attempt: AttemptRow): Promise<void> {
  await tx.run(sql`
    update checkout_attempts
    set state = case state when 'submitted' then 'unknown' else state end,
      next_ask_at = least(by_schedule, deadline),
      ask_count = greatest(ask_count - (coalesce(deadline < by_schedule, false))::int, 0)
    from (
      select ${deadlineOf(session)} as deadline,
        app_now() + make_interval(secs => ${askAfterSeconds(attempt.ask_count)}) as by_schedule
    ) as asked
    where attempt_id = ${attempt.attempt_id}`);
}

/** Null, which `least` passes over, when the result has been told or is told now. */
function deadlineOf({ state, expires_at, is_over, is_long_over }: LockedSession): Sql {
  if (state === "ended" || is_long_over) return sql`null::timestamptz`;
  const grace = sql`make_interval(secs => ${is_over ? GRACE_SECONDS : 0})`;
  return sql`${expires_at}::timestamptz + ${grace}`;
}
