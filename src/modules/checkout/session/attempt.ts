/**
 * One card tried in a session. Its id is the reference that the gateway knows it by, written before
 * the gateway is called; of the card it keeps the network and the last four digits (Decision 0040).
 *
 * An attempt that is not decided always has a time at which the gateway is asked about it next, so
 * no process has to live for it to come to an end. Attempts are changed while their sessions are
 * locked. Two changes need no lock: a claim (`ask-gateway.ts`) moves only the time, and a void
 * (`void-late.ts`) is of an attempt whose session has ended.
 */

import assert from "node:assert/strict";
import { prepared, type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed, omit, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { unnest } from "../../../infra/db/unnest.ts";
import { scheduledSeconds } from "../../gateway/call-lease.ts";
import type { Challenge, Checks } from "../../gateway/port.ts";
import type { LockedSession } from "./session.ts";

export const UNDECIDED = ["submitted", "challenged", "unknown"] as const;

export const ATTEMPT = {
  ...omit(tables.checkout_attempts, "challenge_html"),
  /** Whether the sale may still be on the wire. */
  is_leased: computed(bool, sql`coalesce(attempt.leased_until > (select app_now()), false)`),
};

export type AttemptRow = Row<typeof ATTEMPT>;
export type AttemptState = AttemptRow["state"];

export const ATTEMPT_COLUMNS = columns(ATTEMPT, "attempt");

/** An attempt that this process asks about, and whose gateway knows it. */
export const CLAIMED_ATTEMPT = {
  ...ATTEMPT,
  ...pick(tables.transactions, "environment", "account_number"),
  ...pick(tables.checkout_sessions, "purpose"),
  session_state: tables.checkout_sessions.state,
};

export type ClaimedAttempt = Row<typeof CLAIMED_ATTEMPT>;

export function isUndecided(state: AttemptState): boolean {
  return UNDECIDED.some((one) => one === state);
}

/** Whether the customer came back from the bank, so that the sale is to be completed. */
export function isBack({ state, challenge_token }: AttemptRow): boolean {
  return state === "unknown" && challenge_token !== null;
}

/** How the result of a payment names the card. */
export function cardOf({
  card_brand,
  card_last_four,
}: Pick<AttemptRow, "card_brand" | "card_last_four">) {
  return { brand: card_brand, lastFour: card_last_four };
}

/** In the order in which they were tried. */
export function attemptsOf(db: Queryable, transactionId: string): Promise<AttemptRow[]> {
  return db.rows(sqlOf(ATTEMPT)`
    select ${ATTEMPT_COLUMNS} from checkout_attempts as attempt
    where transaction_id = ${transactionId} order by number`);
}

/** The last attempt of each session that has one, by the session's id. */
export async function lastAttempts(
  tx: Tx,
  sessions: readonly Pick<LockedSession, "transaction_id" | "attempt_count">[],
): Promise<ReadonlyMap<string, AttemptRow>> {
  const ids = sessions.flatMap((one) => (one.attempt_count > 0 ? [one.transaction_id] : []));
  if (ids.length === 0) return new Map();
  const rows = await tx.rows(sqlOf(ATTEMPT)`
    select distinct on (transaction_id) ${ATTEMPT_COLUMNS} from checkout_attempts as attempt
    where transaction_id = any(${ids}::text[]) order by transaction_id, number desc`);
  return new Map(rows.map((row) => [row.transaction_id, row]));
}

export function findAttempts(db: Queryable, attemptIds: readonly string[]): Promise<AttemptRow[]> {
  return db.rows(sqlOf(ATTEMPT)`
    select ${ATTEMPT_COLUMNS} from checkout_attempts as attempt
    where attempt_id = any(${attemptIds}::uuid[])`);
}

/** After so many questions without an answer, how long until the next; the last one stays. */
const ASK_AFTER_SECONDS: readonly number[] = [1, 2, 5, 10, 30, 60, 300, 900, 3600];

export function askAfterSeconds(askCount: number, schedule = ASK_AFTER_SECONDS): number {
  return scheduledSeconds(schedule, askCount);
}

/** What an attempt becomes. It is asked about at the earlier of two times; never without one. */
export interface AttemptMove {
  readonly attemptId: string;
  readonly state: Exclude<AttemptState, "submitted" | "voided">;
  /** What the gateway said, where that decides it. */
  readonly answer?: { readonly code: string; readonly message: string } & Checks;
  readonly challenge?: Challenge;
  readonly askAfterSeconds?: number;
  readonly askAt?: Date | undefined;
}

const MOVED = {
  attemptId: "uuid",
  state: "text",
  outcomeCode: "text",
  message: "text",
  avs: "text",
  cvv: "text",
  token: "text",
  askAfterSeconds: "float8",
  askAt: "timestamptz",
};

/**
 * A question that comes earlier than the schedule, for the end of the session's time, is not one of
 * the schedule's. The plan goes by keys (Decision 0061).
 */
export async function moveAttempts(tx: Tx, moves: readonly AttemptMove[]): Promise<void> {
  if (moves.length === 0) return;
  const rows = moves.map(({ answer, challenge, ...move }) => ({
    ...move,
    outcomeCode: answer?.code,
    message: answer?.message,
    avs: answer?.avs,
    cvv: answer?.cvv,
    token: challenge?.token,
  }));
  const statement = sql`
    with moved as materialized (
      select *, (select app_now()) + make_interval(secs => ask_after_seconds) as by_schedule,
        not state = any(${UNDECIDED}) as is_decided
      from ${unnest("moved", rows, MOVED, { anyLength: true })}
    )
    update checkout_attempts as attempt
    set state = moved.state, outcome_code = moved.outcome_code, message = moved.message,
      avs_answer = moved.avs, cvv_answer = moved.cvv,
      challenge_token = coalesce(moved.token, attempt.challenge_token),
      next_ask_at = least(by_schedule, ask_at),
      -- A customer who is back from the bank is asked about anew.
      ask_count = case
        when is_decided or (attempt.state = 'challenged' and moved.state = 'unknown') then 0
        else greatest(attempt.ask_count - coalesce(ask_at < by_schedule, false)::int, 0) end,
      ended_at = case when is_decided then (select app_now()) end
    from moved
    where attempt.attempt_id = any(array(select attempt_id from moved))
      and attempt.attempt_id = moved.attempt_id`;
  const count = await tx.run(prepared("move-attempts", statement));
  assert.equal(count, moves.length, "an attempt that is moved is there");
}
