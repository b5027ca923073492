/**
 * Sessions by the tokens in their addresses, as the page needs them: any number of them in one
 * statement, each with everything that is shown of it, of one moment. Its plan goes by keys
 * (Decisions 0061 and 0078).
 */

import { prepared, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import {
  bool,
  columns,
  computed,
  float,
  int,
  nullable,
  pick,
  type Row,
  text,
  timestamp,
  uuid,
} from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { money } from "../../../kit/money.ts";
import { logoOf, PICTURE, pictureOf, SHOP } from "../../business/shop.ts";
import { isUndecided } from "./attempt.ts";
import { tokenDigest } from "./checkout-token.ts";
import type { CheckoutContext } from "./context.ts";
import { expireSession } from "./end-sessions.ts";
import { RECORD, recordsOf, storedOf } from "./record.ts";
import { REPLACED, TIMED_OUT } from "./result-messages.ts";
import { type SessionStep, type SessionView, TRIES_MAX } from "./session.ts";

/** Ends that have words of their own on the page. */
const NAMED_ENDS: ReadonlyMap<string, "expired" | "replaced"> = new Map([
  [TIMED_OUT, "expired"],
  [REPLACED, "replaced"],
]);

const secondsOf = (span: Sql) => sql`extract(epoch from ${span})::float8`;

/** Beside its record: the session, its merchant and its last attempt, if any. */
const FOUND = {
  place: computed(int, sql`wanted.place::int`),
  ...pick(tables.checkout_sessions, "transaction_id", "purpose", "response_url"),
  ...pick(tables.checkout_sessions, "is_avs", "card_type", "attempt_count", "not_taken_count"),
  session_state: computed(tables.checkout_sessions.state, sql`session.state`),
  at: computed(timestamp, sql`(select app_now())`),
  seconds_left: computed(float, secondsOf(sql`session.expires_at - (select app_now())`)),
  is_forgotten: computed(
    nullable(bool),
    sql`session.ended_at < (select app_now()) - interval '1 day'`,
  ),
  ...SHOP,
  ...PICTURE,
  accent_colour: computed(tables.businesses.accent_colour, sql`business.accent_colour`),
  merchant_email: computed(text, sql`account.email`),
  attempt_state: computed(nullable(tables.checkout_attempts.state), sql`attempt.state`),
  attempt_brand: computed(nullable(text), sql`attempt.card_brand`),
  attempt_last_four: computed(nullable(text), sql`attempt.card_last_four`),
  attempt_code: computed(nullable(text), sql`attempt.outcome_code`),
  attempt_message: computed(nullable(text), sql`attempt.message`),
  challenge_token: computed(nullable(text), sql`attempt.challenge_token`),
  attempt_id: computed(nullable(uuid), sql`attempt.attempt_id`),
  attempt_seconds: computed(nullable(float), secondsOf(sql`(select app_now()) - attempt.began_at`)),
};

const FOUND_ROW = { ...RECORD, ...FOUND };
const FOUND_COLUMNS = columns(FOUND, "session");

type FoundRow = Row<typeof FOUND_ROW>;

/**
 * A session as it is now: one whose time is over is ended first, without waiting for the sweep.
 * Undefined: nothing was ever to be paid at this address.
 */
export async function lookAtSession(
  ctx: CheckoutContext,
  token: string,
): Promise<SessionView | undefined> {
  const session = await ctx.batches.findSession(token);
  if (session === undefined || session.step.kind !== "working" || session.secondsLeft > 0)
    return session;
  await expireSession(ctx, session);
  return ctx.batches.findSession(token);
}

/** In the order given; undefined: nothing was ever to be paid at this address. */
export async function findSessions(
  { db, purposes }: Pick<CheckoutContext, "db" | "purposes">,
  tokens: readonly string[],
): Promise<(SessionView | undefined)[]> {
  const statement = sqlOf(FOUND_ROW)`
    select record.*, ${FOUND_COLUMNS}
    from unnest((select ${tokens.map(tokenDigest)}::bytea[])) with ordinality
      as wanted (token_digest, place)
    join lateral (
      select * from checkout_sessions as one where one.token_digest = wanted.token_digest limit 1
    ) as session on true
    cross join ${recordsOf(purposes)}
    join lateral (
      select first_name, last_name, email from accounts as one
      where one.account_number = record.account_number limit 1
    ) as account on true
    left join lateral (
      select picture_id from pictures as one
      where one.account_number = record.account_number limit 1
    ) as picture on true
    left join lateral (
      select business_name, accent_colour, language from businesses as one
      where one.account_number = record.account_number limit 1
    ) as business on true
    left join lateral (
      select logo_id, width, height from logos as one
      where one.account_number = record.account_number limit 1
    ) as logo on true
    left join lateral (
      select * from checkout_attempts as one
      where one.transaction_id = session.transaction_id and one.number = session.attempt_count
      limit 1
    ) as attempt on true`;
  const rows = await db.rows(prepared("find-sessions", statement));
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return tokens.map((_, at) => {
    const row = byPlace.get(at + 1);
    return row === undefined ? undefined : viewSession(row);
  });
}

function viewSession(row: FoundRow): SessionView {
  const { currency, total_minor, customer_total_minor, attempt_count } = row;
  return {
    transactionId: row.transaction_id,
    purpose: row.purpose,
    accountNumber: row.account_number,
    environment: row.environment,
    merchant: {
      name: row.shop,
      email: row.merchant_email,
      picture: pictureOf(row),
      logo: logoOf(row),
      accent: row.accent_colour ?? undefined,
      language: row.business_language ?? undefined,
    },
    method: row.method,
    orderId: row.order_id,
    feeStructure: row.fee_structure,
    amounts: {
      price: money(currency, total_minor),
      fee: money(currency, customer_total_minor - total_minor),
      total: money(currency, customer_total_minor),
    },
    isAmountSecret: row.is_amount_secret,
    stored: storedOf(row),
    customer: row.customer,
    details: row.details,
    language: row.language ?? undefined,
    description: row.description ?? undefined,
    items: row.items ?? undefined,
    asksEmail: isOrdinary(row) && row.customer.email === undefined,
    responseUrl: row.response_url,
    isAvs: row.is_avs,
    only: row.card_type ?? undefined,
    at: row.at,
    secondsLeft: Math.max(0, row.seconds_left),
    attempts: attempt_count,
    triesLeft: TRIES_MAX - attempt_count + row.not_taken_count,
    isForgotten: row.is_forgotten === true,
    step: stepOf(row),
  };
}

/** Of a link, too: the customer of a saved card is known to the merchant. */
function isOrdinary({ purpose }: FoundRow): boolean {
  return purpose === "payment" || purpose === "link";
}

function stepOf(row: FoundRow): SessionStep {
  if (row.session_state === "ended") return endedStep(row);
  const { attempt_state: state, challenge_token: token, attempt_id: attemptId } = row;
  const isOver = row.seconds_left <= 0;
  if (state === "challenged" && token !== null && attemptId !== null && !isOver)
    return { kind: "challenge", attemptId, token };
  if (state !== null && isUndecided(state))
    return { kind: "working", waitedSeconds: row.attempt_seconds ?? 0 };
  // Over, and not written down yet.
  if (isOver) return { kind: "working", waitedSeconds: 0 };
  const card = { brand: row.attempt_brand ?? "", lastFour: row.attempt_last_four ?? "" };
  const said = { code: row.attempt_code ?? "", message: row.attempt_message ?? "" };
  return { kind: "card", declined: state === "declined" ? { card, ...said } : undefined };
}

function endedStep(row: FoundRow): SessionStep {
  const { status, message, card_brand: brand, card_last_four: lastFour } = row;
  const told = message ?? "";
  const card = brand === null || lastFour === null ? undefined : { brand, lastFour };
  if (status === "success") return { kind: "ended", outcome: "paid", message: told, card };
  if (status === "error") return { kind: "ended", outcome: "notKnown", message: told, card };
  return { kind: "ended", outcome: NAMED_ENDS.get(told) ?? "notPaid", message: told, card };
}
