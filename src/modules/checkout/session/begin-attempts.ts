/**
 * Begins attempts: of any number of submitted cards in one statement, which is a tx by itself, or
 * of one whose session is held (Decisions 0040 and 0062).
 *
 * The rule that matters: those that go together are the ones that nothing speaks against, judged
 * once their sessions are held. Whatever else a submitted form may be is found out alone.
 */

import { empty } from "sql-template-tag";
import { prepared, type Sql, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { LEASE_SECONDS } from "../../transactions/within-limit.ts";
import { ATTEMPT_COLUMNS, type AttemptRow, findAttempts, UNDECIDED } from "./attempt.ts";
import type { CheckoutContext } from "./context.ts";
import { purposesThat } from "./purpose.ts";
import { ATTEMPTS_MAX } from "./session.ts";

export interface NewAttempt {
  readonly attemptId: string;
  readonly transactionId: string;
  /** How many cards had been tried when the form was shown. */
  readonly seenAttempts: number;
  readonly network: string;
  readonly lastFour: string;
  /** The customer's, where the payment request brought none: it joins the record. */
  readonly email?: string | undefined;
}

const LEASED_UNTIL = sql`(select app_now()) + make_interval(secs => ${LEASE_SECONDS})`;

/**
 * In the order given; undefined: it cannot go with the others. Only of purposes that ask nothing
 * first: whether a saved card may be charged is asked while its row is held. The number of the last
 * attempt is the session's count, so that one alone tells whether any is under way; if it was
 * decided since this statement began, that is found out alone, and if it began since, the index of
 * attempts under way refuses all of it. The plan goes by keys (Decision 0061).
 */
export async function beginAttempts(
  { db, purposes }: Pick<CheckoutContext, "db" | "purposes">,
  asked: readonly NewAttempt[],
): Promise<(AttemptRow | undefined)[]> {
  const names = purposesThat(purposes, ({ beginsTogether }) => beginsTogether);
  const withEmails = asked.filter(({ email }) => email !== undefined);
  const each = <T>(of: (one: NewAttempt) => T) => asked.map(of);
  const statement = sql`
    with asked as materialized (
      select * from unnest((select ${each((one) => one.transactionId)}::text[]),
        (select ${each((one) => one.attemptId)}::uuid[]),
        (select ${each((one) => one.seenAttempts)}::int[]),
        (select ${each((one) => one.network)}::text[]),
        (select ${each((one) => one.lastFour)}::text[]))
        as asked (transaction_id, attempt_id, seen_attempts, card_brand, card_last_four)
    ), held as materialized (
      select transaction_id, attempt_count from checkout_sessions
      where transaction_id = any(array(select transaction_id from asked))
        and purpose = any(${names}) and state || '' = 'open' and expires_at > (select app_now())
        and attempt_count < ${ATTEMPTS_MAX}
      -- One that somebody else holds is left out: the others do not wait for it.
      order by transaction_id for update skip locked
    ), fit as materialized (
      -- Of two clicks that came together, one.
      select distinct on (transaction_id) asked.* from asked join held using (transaction_id)
      where attempt_count = seen_attempts and not exists (
        select from checkout_attempts as earlier
        where earlier.transaction_id = asked.transaction_id
          and earlier.number = asked.seen_attempts and earlier.state || '' = any(${UNDECIDED}))
    ), counted as (
      update checkout_sessions as session set attempt_count = seen_attempts + 1
      from fit where session.transaction_id = fit.transaction_id
        and session.transaction_id = any(array(select transaction_id from fit))
    )${withEmails.length === 0 ? empty : keepEmails(withEmails)}
    ${insertAttempts(sql`select attempt_id, transaction_id, seen_attempts + 1, card_brand,
      card_last_four, ${LEASED_UNTIL}, ${LEASED_UNTIL} from fit`)}`;
  const ids = each((one) => one.attemptId);
  const name = withEmails.length === 0 ? "begin-attempts" : "begin-attempts-keep-emails";
  const begun = await db.transactionOf<AttemptRow>(prepared(name, statement), {
    // All of them are there or none is.
    async confirm() {
      const found = await findAttempts(db, ids);
      return found.length === 0 ? undefined : found;
    },
  });
  const byId = new Map(begun.map((row) => [row.attempt_id, row]));
  return ids.map((id) => byId.get(id));
}

/**
 * A part of the statement that begins attempts, for those in `fit` that bring an e-mail: the usual
 * statement, of payments that have one, is not made longer by it.
 */
function keepEmails(asked: readonly NewAttempt[]): Sql {
  return sql`, given as materialized (
      select given.* from unnest((select ${asked.map((one) => one.attemptId)}::uuid[]),
        (select ${asked.map((one) => one.email)}::text[])) as given (attempt_id, email)
    ), kept as (
      update transactions as payment
      set customer = payment.customer || jsonb_build_object('email', given.email)
      from fit join given using (attempt_id)
      where payment.transaction_id = any(array(select transaction_id from fit))
        and payment.transaction_id = fit.transaction_id and not payment.customer ? 'email'
    )`;
}

/** Of a session that is held, and into which it fits. */
export async function beginHeldAttempt(tx: Tx, asked: NewAttempt): Promise<AttemptRow> {
  const { email } = asked;
  if (email !== undefined)
    await tx.run(sql`
      update transactions set customer = customer || jsonb_build_object('email', ${email}::text)
      where transaction_id = ${asked.transactionId} and not customer ? 'email'`);
  const statement = sql`
    with counted as (
      update checkout_sessions set attempt_count = attempt_count + 1
      where transaction_id = ${asked.transactionId}
      returning transaction_id, attempt_count
    )
    ${insertAttempts(sql`select ${asked.attemptId}::uuid, transaction_id, attempt_count,
      ${asked.network}, ${asked.lastFour}, ${LEASED_UNTIL}, ${LEASED_UNTIL} from counted`)}`;
  return tx.one<AttemptRow>(prepared("begin-held-attempt", statement));
}

function insertAttempts(from: Sql): Sql {
  return sql`
    insert into checkout_attempts as attempt
      (attempt_id, transaction_id, number, card_brand, card_last_four, leased_until, next_ask_at)
    ${from}
    returning ${ATTEMPT_COLUMNS}`;
}
