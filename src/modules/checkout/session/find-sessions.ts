/**
 * Sessions by the tokens in their addresses, as the page needs them: any number of them in one
 * statement, each with everything that is shown of it, of one moment. Its plan goes by keys
 * (Decisions 0061 and 0078).
 */

import { prepared, sql } from "../../../infra/db/query.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import { money } from "../../../kit/money.ts";
import { type AttemptState, isUndecided } from "./attempt.ts";
import { tokenDigest } from "./checkout-token.ts";
import type { CheckoutContext } from "./context.ts";
import { expireSession } from "./end-sessions.ts";
import { type RecordRow, recordsOf, storedOf } from "./record.ts";
import { REPLACED, TIMED_OUT } from "./result-messages.ts";
import { ATTEMPTS_MAX, type PurposeName, type SessionStep, type SessionView } from "./session.ts";

/** Ends that have words of their own on the page. */
const NAMED_ENDS: ReadonlyMap<string, "expired" | "replaced"> = new Map([
  [TIMED_OUT, "expired"],
  [REPLACED, "replaced"],
]);

/** From then on the page says that it takes longer than usual. */
const LONG_SECONDS = 10;

interface FoundRow extends RecordRow {
  place: number;
  transaction_id: string;
  purpose: PurposeName;
  response_url: string;
  is_avs: boolean;
  card_type: CardNetwork | null;
  session_state: "open" | "ended";
  attempt_count: number;
  at: Date;
  seconds_left: number;
  is_forgotten: boolean | null;
  merchant_name: string;
  merchant_email: string;
  picture_id: string | null;
  attempt_state: AttemptState | null;
  attempt_brand: string;
  attempt_last_four: string;
  attempt_message: string | null;
  challenge_token: string | null;
  challenge_html: string | null;
  attempt_seconds: number;
}

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
  const statement = sql`
    select wanted.place::int, record.*, session.transaction_id, session.purpose,
      session.response_url, session.is_avs, session.card_type,
      session.state as session_state, session.attempt_count, (select app_now()) as at,
      extract(epoch from session.expires_at - (select app_now()))::float8 as seconds_left,
      session.ended_at < (select app_now()) - interval '1 day' as is_forgotten,
      merchant.first_name || ' ' || merchant.last_name as merchant_name,
      merchant.email as merchant_email, picture.picture_id,
      attempt.state as attempt_state, attempt.card_brand as attempt_brand,
      attempt.card_last_four as attempt_last_four, attempt.message as attempt_message,
      attempt.challenge_token, attempt.challenge_html,
      extract(epoch from (select app_now()) - attempt.began_at)::float8 as attempt_seconds
    from unnest((select ${tokens.map(tokenDigest)}::bytea[])) with ordinality
      as wanted (token_digest, place)
    join lateral (
      select * from checkout_sessions as one where one.token_digest = wanted.token_digest limit 1
    ) as session on true
    cross join ${recordsOf(purposes)}
    join lateral (
      select first_name, last_name, email from accounts as one
      where one.account_number = record.account_number limit 1
    ) as merchant on true
    left join lateral (
      select picture_id from pictures as one
      where one.account_number = record.account_number limit 1
    ) as picture on true
    left join lateral (
      select * from checkout_attempts as one
      where one.transaction_id = session.transaction_id and one.number = session.attempt_count
      limit 1
    ) as attempt on true`;
  const rows = await db.rows<FoundRow & Record<string, unknown>>(
    prepared("find-sessions", statement),
  );
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
      name: row.merchant_name,
      email: row.merchant_email,
      pictureId: row.picture_id ?? undefined,
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
    asksEmail: row.purpose === "payment" && row.customer.email === undefined,
    responseUrl: row.response_url,
    isAvs: row.is_avs,
    only: row.card_type ?? undefined,
    at: row.at,
    secondsLeft: Math.max(0, row.seconds_left),
    attempts: attempt_count,
    triesLeft: ATTEMPTS_MAX - attempt_count,
    isForgotten: row.is_forgotten === true,
    step: stepOf(row),
  };
}

function stepOf(row: FoundRow): SessionStep {
  if (row.session_state === "ended") return endedStep(row);
  const { attempt_state: state, challenge_token: token, challenge_html: html } = row;
  const isOver = row.seconds_left <= 0;
  if (state === "challenged" && token !== null && html !== null && !isOver)
    return { kind: "challenge", token, html };
  if (state !== null && isUndecided(state))
    return { kind: "working", isLong: row.attempt_seconds >= LONG_SECONDS };
  // Over, and not written down yet.
  if (isOver) return { kind: "working", isLong: false };
  const card = { brand: row.attempt_brand, lastFour: row.attempt_last_four };
  const message = row.attempt_message ?? "";
  return { kind: "card", declined: state === "declined" ? { card, message } : undefined };
}

function endedStep(row: FoundRow): SessionStep {
  const { status, message, card_brand: brand, card_last_four: lastFour } = row;
  const told = message ?? "";
  const card = brand === null || lastFour === null ? undefined : { brand, lastFour };
  if (status === "success") return { kind: "ended", outcome: "paid", message: told, card };
  if (status === "error") return { kind: "ended", outcome: "notKnown", message: told, card };
  return { kind: "ended", outcome: NAMED_ENDS.get(told) ?? "notPaid", message: told, card };
}
