/**
 * A checkout session: the time in which a customer may pay, and what the page needs to know of it
 * (Interface §3.2, Decision 0040).
 *
 * The rule that matters: whatever changes a session or one of its attempts holds the session's row
 * first, so that a submitted card, a gateway's answer and the end of the time meet one after the
 * other. The page reads everything it shows in one statement, of one moment.
 */

import { prepared, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import { type Money, money } from "../../../kit/money.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import type { FeeStructure } from "../../platforms/fee-quote.ts";
import type { Customer } from "../../transactions/transaction.ts";
import { type AttemptState, isUndecided } from "./attempt.ts";
import { tokenDigest } from "./checkout-token.ts";
import type { CheckoutContext } from "./context.ts";
import type { PurposeName } from "./purpose.ts";
import { type NamedCard, type RecordRow, recordsOf, type StoredCard, storedOf } from "./record.ts";
import { TIMED_OUT } from "./result-messages.ts";

export const ATTEMPTS_MAX = 5;
/** How long after its end a session waits for a gateway that owes it an answer. */
export const GRACE_SECONDS = 30;
/** From then on the page says that it takes longer than usual. */
const LONG_SECONDS = 10;

type Reading = Pick<CheckoutContext, "db" | "purposes">;

export interface SessionView {
  readonly transactionId: string;
  readonly purpose: PurposeName;
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly merchant: { readonly name: string; readonly pictureId: string | undefined };
  /** `credit_card_co`, `3co_simple` or `trusted_card`. */
  readonly method: string;
  readonly orderId: string;
  readonly feeStructure: FeeStructure;
  readonly amounts: {
    readonly price: Money;
    /** The customer's share. */
    readonly fee: Money;
    readonly total: Money;
  };
  /** Not even the customer may read it here: it stands on the card's statement. */
  readonly isAmountSecret: boolean;
  /** The card that is charged, where the customer does not type one. */
  readonly stored: StoredCard | undefined;
  readonly customer: Customer;
  readonly responseUrl: string;
  readonly isAvs: boolean;
  /** The only network that the merchant takes for this order. */
  readonly only: CardNetwork | undefined;
  /** When this was read, by the database's clock. */
  readonly at: Date;
  /** Never below zero. */
  readonly secondsLeft: number;
  /** How many cards were tried. */
  readonly attempts: number;
  readonly triesLeft: number;
  /** It ended so long ago that its address tells nothing any more. */
  readonly isForgotten: boolean;
  readonly step: SessionStep;
}

type SessionStep =
  | {
      readonly kind: "card";
      /** The last card, when it was refused. */
      readonly declined: { readonly card: NamedCard; readonly message: string } | undefined;
    }
  | { readonly kind: "challenge"; readonly token: string; readonly html: string }
  | {
      readonly kind: "working";
      readonly isLong: boolean;
    }
  | {
      readonly kind: "ended";
      readonly outcome: "paid" | "notPaid" | "notKnown" | "expired";
      readonly message: string;
      readonly card: NamedCard | undefined;
    };

export interface LockedSession {
  readonly transaction_id: string;
  readonly purpose: PurposeName;
  readonly state: "open" | "ended";
  readonly attempt_count: number;
  readonly expires_at: Date;
  readonly is_over: boolean;
  /** Over for so long that nobody waits for the gateway any more. */
  readonly is_long_over: boolean;
  readonly environment: Environment;
  readonly account_number: string;
}

interface FoundRow extends RecordRow {
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
  picture_id: string | null;
  attempt_state: AttemptState | null;
  attempt_brand: string;
  attempt_last_four: string;
  attempt_message: string | null;
  challenge_token: string | null;
  challenge_html: string | null;
  attempt_seconds: number;
}

/** Undefined: nothing was ever to be paid at this address. */
export async function findSession(
  { db, purposes }: Reading,
  token: string,
): Promise<SessionView | undefined> {
  const statement = sql`
    select record.*, session.transaction_id, session.purpose, session.response_url,
      session.is_avs, session.card_type,
      session.state as session_state, session.attempt_count, app_now() as at,
      extract(epoch from session.expires_at - app_now())::float8 as seconds_left,
      session.ended_at < app_now() - interval '1 day' as is_forgotten,
      merchant.first_name || ' ' || merchant.last_name as merchant_name, picture_id,
      attempt.state as attempt_state, attempt.card_brand as attempt_brand,
      attempt.card_last_four as attempt_last_four, attempt.message as attempt_message,
      attempt.challenge_token, attempt.challenge_html,
      extract(epoch from app_now() - attempt.began_at)::float8 as attempt_seconds
    from checkout_sessions as session
    cross join ${recordsOf(purposes)}
    join accounts as merchant using (account_number)
    left join pictures using (account_number)
    left join checkout_attempts as attempt
      on attempt.transaction_id = session.transaction_id
        and attempt.number = session.attempt_count
    where session.token_digest = ${tokenDigest(token)}`;
  const row = await db.maybeOne<FoundRow & Record<string, unknown>>(
    prepared("find-session", statement),
  );
  return row === undefined ? undefined : viewSession(row);
}

/** Holds the session still until the tx ends; nothing else is locked before it. */
export function lockSession(
  { purposes }: Pick<Reading, "purposes">,
  tx: Tx,
  transactionId: string,
): Promise<LockedSession> {
  const statement = sql`
    select session.transaction_id, session.purpose, session.state, session.attempt_count,
      session.expires_at,
      session.expires_at <= app_now() as is_over,
      session.expires_at + make_interval(secs => ${GRACE_SECONDS}) <= app_now() as is_long_over,
      record.environment, record.account_number
    from checkout_sessions as session cross join ${recordsOf(purposes)}
    where session.transaction_id = ${transactionId} for update of session`;
  return tx.one<LockedSession & Record<string, unknown>>(prepared("lock-session", statement));
}

function viewSession(row: FoundRow): SessionView {
  const { currency, total_minor, customer_total_minor, attempt_count } = row;
  return {
    transactionId: row.transaction_id,
    purpose: row.purpose,
    accountNumber: row.account_number,
    environment: row.environment,
    merchant: { name: row.merchant_name, pictureId: row.picture_id ?? undefined },
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
  // Over, and nobody has written it down yet.
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
  const outcome = told === TIMED_OUT ? "expired" : "notPaid";
  return { kind: "ended", outcome, message: told, card };
}
