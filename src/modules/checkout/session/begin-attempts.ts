/**
 * Begins attempts: any number of submitted cards in one statement, which is a tx by itself; or in a
 * tx of several statements where something is to be kept first or a lock is waited for (Decisions
 * 0040 and 0078).
 *
 * A form counts once. It is the next one if it says how many cards the session counts, judged while
 * the session is locked; no other form changes anything.
 */

import { empty } from "sql-template-tag";
import { leaseEnd } from "../../../infra/db/clock.ts";
import { prepared, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, outer, type Row, uuid } from "../../../infra/db/row.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { unnest } from "../../../infra/db/unnest.ts";
import { type BatchResult, BUSY, type LockWait } from "../../../infra/db/write-batch.ts";
import { LEASE_SECONDS } from "../../gateway/call-lease.ts";
import { ATTEMPT, ATTEMPT_COLUMNS, type AttemptRow, findAttempts, UNDECIDED } from "./attempt.ts";
import { type NewAttempt, reach, type SessionContext } from "./context.ts";
import { endSessions } from "./end-sessions.ts";
import { ATTEMPTS_MAX, lockSessions, TRIES_MAX } from "./session.ts";

/** A form whose session is locked, with the attempt that it began, if any. */
const JUDGED_FORM = { form_id: uuid, is_unsure: bool, ...outer(ATTEMPT) };

type JudgedForm = Row<typeof JUDGED_FORM>;

function hasBegun(form: JudgedForm): form is JudgedForm & AttemptRow {
  return form.attempt_id !== null;
}

export interface Begun {
  readonly forms: readonly JudgedForm[];
  /** Why cards cannot be tried, by the id of the attempt. */
  readonly refusals: ReadonlyMap<string, string | Error>;
}

/** In the order given; undefined: its form does nothing, or its card cannot be tried. */
export async function beginAttempts(
  ctx: SessionContext,
  attempts: readonly NewAttempt[],
  locks: LockWait,
): Promise<BatchResult<AttemptRow | undefined>[]> {
  const { forms, refusals } = await begin(ctx, attempts, locks);
  const byId = new Map(forms.map((form) => [form.form_id, form]));
  return attempts.map(({ attemptId }) => {
    const refusal = refusals.get(attemptId);
    if (refusal !== undefined) return refusal instanceof Error ? refusal : undefined;
    const form = byId.get(attemptId);
    if (form !== undefined && hasBegun(form)) return form;
    const isSure = form !== undefined && !form.is_unsure;
    return isSure || locks === "wait" ? undefined : BUSY;
  });
}

async function begin(
  ctx: SessionContext,
  attempts: readonly NewAttempt[],
  locks: LockWait,
): Promise<Begun> {
  const { db, purposes } = ctx;
  // Of one batch all attempts are there or none is.
  const findBegun = async (): Promise<JudgedForm[] | undefined> => {
    const found = await findAttempts(
      db,
      attempts.map(({ attemptId }) => attemptId),
    );
    const forms = found.map((row) => ({ ...row, form_id: row.attempt_id, is_unsure: false }));
    return forms.length === 0 ? undefined : forms;
  };
  if (locks === "skip" && attempts.every(({ session }) => !purposes[session.purpose].begin)) {
    const statement = writeAttempts(attempts);
    const forms = await db.transactionOf(statement, { confirm: findBegun });
    return { forms, refusals: new Map() };
  }
  return db.transaction<Begun>((tx) => beginInTx(ctx, tx, attempts, locks), {
    async confirm() {
      const forms = await findBegun();
      return forms && { forms, refusals: new Map() };
    },
  });
}

/** Locks the sessions; refusals have ended theirs. */
export async function beginInTx(
  ctx: SessionContext,
  tx: Tx,
  attempts: readonly NewAttempt[],
  locks: LockWait,
): Promise<Begun> {
  // A statement of its own: the one that judges must see what was committed while it waited.
  const ids = attempts.map(({ session }) => session.transactionId);
  await lockSessions(tx, ids, locks);
  await reach(attempts, "submit: session held");
  const refusals = await prepareAttempts(ctx, tx, attempts);
  const going = attempts.filter(({ attemptId }) => !refusals.has(attemptId));
  const forms = going.length === 0 ? [] : await tx.rows(writeAttempts(going));
  await reach(going, "submit: attempt written");
  const ends = attempts.flatMap(({ attemptId, session, failpoint }) => {
    const message = refusals.get(attemptId);
    if (typeof message !== "string") return [];
    const { transactionId: transaction_id, purpose } = session;
    const result = { status: "failed", message, card: null } as const;
    return [{ session: { transaction_id, purpose }, result, failpoint }];
  });
  await endSessions(ctx, tx, ends);
  return { forms, refusals };
}

/** Lets the purposes keep what answers will need, of the forms that begin an attempt. */
async function prepareAttempts(
  ctx: SessionContext,
  tx: Tx,
  attempts: readonly NewAttempt[],
): Promise<Map<string, string | Error>> {
  const refusals = new Map<string, string | Error>();
  const asking = attempts.filter(({ session }) => ctx.purposes[session.purpose].begin);
  if (asking.length === 0) return refusals;
  const rows = await tx.rows(sqlOf({ attempt_id: uuid })`
    with ${judgedForms(asking)} select attempt_id from fit`);
  const fit = new Set(rows.map(({ attempt_id }) => attempt_id));
  const fitting = asking.filter(({ attemptId }) => fit.has(attemptId));
  for (const [purpose, own] of Map.groupBy(fitting, ({ session }) => session.purpose)) {
    const given = (await ctx.purposes[purpose].begin?.(ctx, tx, own)) ?? [];
    for (const [at, { attemptId }] of own.entries()) {
      const refusal = given[at];
      if (refusal !== undefined) refusals.set(attemptId, refusal);
    }
  }
  return refusals;
}

const SUBMITTED = {
  transactionId: "text",
  attemptId: "uuid",
  seenAttempts: "int",
  cardBrand: "text",
  cardLastFour: "text",
  language: "text",
};
const WITH_EMAIL = { attemptId: "uuid", email: "text" };

const LEASED_UNTIL = leaseEnd(LEASE_SECONDS);

/**
 * The beginning of a statement: `judged` has the forms whose sessions are not locked elsewhere, and
 * `fit` those that begin an attempt. The number of the last attempt is the session's count, so that
 * it alone shows whether any is under way. It may have been decided since the statement began:
 * then the form is judged again. The plan goes by keys (Decision 0061).
 */
function judgedForms(attempts: readonly NewAttempt[]): Sql {
  const rows = attempts.map(({ session, attemptId, seenAttempts, card, language }) => ({
    transactionId: session.transactionId,
    attemptId,
    seenAttempts,
    cardBrand: card.network,
    cardLastFour: card.lastFour,
    language,
  }));
  return sql`submitted as materialized (
      select * from ${unnest("submitted", rows, SUBMITTED, { anyLength: true })}
    ), locked as materialized (
      select transaction_id, attempt_count, not_taken_count, state, expires_at
      from checkout_sessions
      where transaction_id = any(array(select transaction_id from submitted))
      order by transaction_id for update skip locked
    ), judged as materialized (
      select submitted.*, state = 'open' and expires_at > (select app_now())
          and attempt_count = seen_attempts and attempt_count < ${ATTEMPTS_MAX}
          and attempt_count - not_taken_count < ${TRIES_MAX} as is_next,
        -- Not EXISTS, which may be answered by reading all attempts.
        coalesce((
          select earlier.state = any(${UNDECIDED}) from checkout_attempts as earlier
          where earlier.transaction_id = submitted.transaction_id
            and earlier.number = submitted.seen_attempts limit 1), false) as is_under_way
      from submitted join locked using (transaction_id)
    ), fit as materialized (
      -- Of two clicks of one moment, one.
      select distinct on (transaction_id) * from judged where is_next and not is_under_way
    )`;
}

function writeAttempts(attempts: readonly NewAttempt[]) {
  const withEmails = attempts.filter(({ email }) => email !== undefined);
  const statement = sqlOf(JUDGED_FORM)`
    with ${judgedForms(attempts)}, counted as (
      update checkout_sessions as session set attempt_count = seen_attempts + 1
      from fit where session.transaction_id = fit.transaction_id
        and session.transaction_id = any(array(select transaction_id from fit))
    )${withEmails.length === 0 ? empty : keepEmails(withEmails)}, begun as (
      insert into checkout_attempts as attempt
        (attempt_id, transaction_id, number, card_brand, card_last_four, language,
          leased_until, next_ask_at)
      select attempt_id, transaction_id, seen_attempts + 1, card_brand, card_last_four, language,
        ${LEASED_UNTIL}, ${LEASED_UNTIL} from fit
      returning ${ATTEMPT_COLUMNS}
    )
    select judged.attempt_id as form_id, is_next and is_under_way as is_unsure, begun.*
    from judged left join begun on begun.attempt_id = judged.attempt_id`;
  const name = withEmails.length === 0 ? "begin-attempts" : "begin-attempts-keep-emails";
  return prepared(name, statement);
}

/**
 * A part of the statement that begins attempts, for those in `fit` that bring an e-mail: the usual
 * statement, of payments that have one, is not made longer by it.
 */
function keepEmails(attempts: readonly NewAttempt[]): Sql {
  return sql`, given as materialized (
      select * from ${unnest("given", attempts, WITH_EMAIL, { anyLength: true })}
    ), kept as (
      update transactions as payment
      set customer = payment.customer || jsonb_build_object('email', given.email)
      from fit join given using (attempt_id)
      where payment.transaction_id = any(array(select transaction_id from fit))
        and payment.transaction_id = fit.transaction_id and not payment.customer ? 'email'
    )`;
}
