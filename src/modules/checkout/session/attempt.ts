/**
 * One card tried in a session. Its id is the reference that the gateway knows it by, written before
 * the gateway is called; of the card it keeps the network and the last four digits (Decision 0040).
 *
 * The rule that matters: an attempt that is not decided always has a time at which somebody asks
 * about it next. So no process has to live for it to come to an end.
 */

import { prepared, type Queryable, type Statement, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import type { PurposeName } from "./purpose.ts";

export const UNDECIDED = ["submitted", "challenged", "unknown"] as const;

export type AttemptState =
  | (typeof UNDECIDED)[number]
  | "approved"
  | "declined"
  | "void_due"
  | "voided";

export interface AttemptRow {
  readonly attempt_id: string;
  readonly transaction_id: string;
  readonly number: number;
  readonly state: AttemptState;
  readonly card_brand: string;
  readonly card_last_four: string;
  readonly challenge_token: string | null;
  readonly outcome_code: string | null;
  readonly message: string | null;
  readonly avs_answer: string | null;
  readonly ask_count: number;
  readonly next_ask_at: Date | null;
  readonly leased_until: Date | null;
  /** Whether whoever sent the order may still be at it. */
  readonly is_leased: boolean;
  readonly began_at: Date;
  readonly ended_at: Date | null;
}

/** An attempt, and whose gateway knows it. */
export interface ClaimedAttempt extends AttemptRow {
  readonly environment: Environment;
  readonly account_number: string;
  readonly session_state: "open" | "ended";
  readonly purpose: PurposeName;
}

export const ATTEMPT_COLUMNS = sql`attempt.attempt_id, attempt.transaction_id, attempt.number,
  attempt.state, attempt.card_brand, attempt.card_last_four, attempt.challenge_token,
  attempt.outcome_code, attempt.message, attempt.avs_answer, attempt.ask_count,
  attempt.next_ask_at, attempt.leased_until,
  coalesce(attempt.leased_until > (select app_now()), false) as is_leased, attempt.began_at,
  attempt.ended_at`;

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
  const statement = sql`
    select ${ATTEMPT_COLUMNS} from checkout_attempts as attempt
    where transaction_id = ${transactionId} order by number`;
  return db.rows<AttemptRow>(prepared("find-attempts", statement));
}

export async function lastAttempt(tx: Tx, transactionId: string): Promise<AttemptRow | undefined> {
  return (await attemptsOf(tx, transactionId)).at(-1);
}

/** The session is held, so nobody else moves it. */
export function heldAttempt(tx: Tx, attemptId: string): Promise<AttemptRow> {
  return tx.one<AttemptRow>(attemptBy(attemptId));
}

export function findAttempt(db: Queryable, attemptId: string): Promise<AttemptRow | undefined> {
  return db.maybeOne<AttemptRow>(attemptBy(attemptId));
}

export function findAttempts(db: Queryable, attemptIds: readonly string[]): Promise<AttemptRow[]> {
  return db.rows<AttemptRow>(sql`
    select ${ATTEMPT_COLUMNS} from checkout_attempts as attempt
    where attempt_id = any(${attemptIds}::uuid[])`);
}

function attemptBy(attemptId: string): Statement {
  const statement = sql`
    select ${ATTEMPT_COLUMNS} from checkout_attempts as attempt where attempt_id = ${attemptId}`;
  return prepared("find-attempt", statement);
}
