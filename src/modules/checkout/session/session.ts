/**
 * A checkout session: the time in which a customer may pay, and what the page shows of it
 * (Interface §3.2, Decision 0040).
 *
 * Every change of a session or one of its attempts is made while the session's row is locked, so
 * that a submitted card, a gateway's answer and the end of the time are serialised.
 */

import { empty } from "sql-template-tag";
import { prepared, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { LockWait } from "../../../infra/db/write-batch.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import type { Money } from "../../../kit/money.ts";
import type { Environment, Language } from "../../../kit/vocabulary.ts";
import type { Logo } from "../../business/shop.ts";
import type { FeeStructure } from "../../platforms/fee-quote.ts";
import type { OrderItem } from "../../transactions/order-items.ts";
import type { PageDetails } from "../../transactions/payment-details.ts";
import type { Customer } from "../../transactions/transaction.ts";

/** How many cards a customer may try: those that a gateway took. */
export const TRIES_MAX = 5;
/** With those that none would take, which are not the customer's fault (Decision 0080). */
export const ATTEMPTS_MAX = 20;
/** How long after its end a session waits for a gateway that owes it an answer. */
export const GRACE_SECONDS = 30;

/** A card, as it may be shown. */
export interface NamedCard {
  readonly brand: string;
  readonly lastFour: string;
}

/** The card that is charged, where the customer does not type one. */
export interface StoredCard extends NamedCard {
  readonly uuid: string;
  readonly brand: CardNetwork;
  readonly expMonth: number;
  readonly expYear: number;
}

export interface SessionView {
  readonly transactionId: string;
  readonly purpose: PurposeName;
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly merchant: {
    readonly name: string;
    /** For the rule that the customer's is another one. Never shown. */
    readonly email: string;
    /** Addresses on the page's own origin. */
    readonly picture: string | undefined;
    readonly logo: Logo | undefined;
    /** The colour of its buttons, as `#rrggbb`. */
    readonly accent: string | undefined;
    /** Of its customers, where neither the request nor the browser names one. */
    readonly language: Language | undefined;
  };
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
  /** What the merchant says of the payment, as far as the page shows it. */
  readonly details: Partial<PageDetails>;
  /** What the request says of the order. */
  readonly language: Language | undefined;
  readonly description: string | undefined;
  readonly items: readonly OrderItem[] | undefined;
  /** A payment whose request brought no e-mail, and whose customer has not given one yet. */
  readonly asksEmail: boolean;
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

interface Declined {
  readonly card: NamedCard;
  readonly code: string;
  readonly message: string;
}

export type SessionStep =
  | {
      readonly kind: "card";
      /** The last card, when it was refused. */
      readonly declined: Declined | undefined;
    }
  | { readonly kind: "challenge"; readonly attemptId: string; readonly token: string }
  | {
      readonly kind: "working";
      /** Since the card was submitted. */
      readonly waitedSeconds: number;
    }
  | {
      readonly kind: "ended";
      readonly outcome: "paid" | "notPaid" | "notKnown" | "expired" | "replaced";
      readonly message: string;
      readonly card: NamedCard | undefined;
    };

/** Ended for a newer request: then the order is not over, and the merchant is told nothing here. */
export function isReplaced({ step }: Pick<SessionView, "step">): boolean {
  return step.kind === "ended" && step.outcome === "replaced";
}

/** What is known of a session once its row is locked. */
export const LOCKED_SESSION = {
  ...pick(tables.checkout_sessions, "transaction_id", "purpose", "attempt_count", "expires_at"),
  ...pick(tables.checkout_sessions, "not_taken_count"),
  session_state: computed(tables.checkout_sessions.state, sql`session.state`),
  is_over: computed(bool, sql`session.expires_at <= (select app_now())`),
  /** Over for so long that the gateway is not waited for any more. */
  is_long_over: computed(
    bool,
    sql`session.expires_at + make_interval(secs => ${GRACE_SECONDS}) <= (select app_now())`,
  ),
};

export type LockedSession = Row<typeof LOCKED_SESSION>;

/** What a session is for (Decision 0042). */
export type PurposeName = LockedSession["purpose"];

export const LOCKED_COLUMNS = columns(LOCKED_SESSION, "session");

/** In a tx that is shared, nothing waits longer than this for a lock. */
const SHARED_LOCK_MAX = "300ms";

/** The beginning of a list of tables: in a tx that is shared, later statements do not wait long. */
export function limitWait(locks: LockWait): Sql {
  if (locks === "wait") return empty;
  return sql`(select set_config('lock_timeout', ${SHARED_LOCK_MAX}, true)) as limited,`;
}

export function skipLocked(locks: LockWait): Sql {
  return locks === "wait" ? empty : sql`skip locked`;
}

/**
 * Locks sessions until the tx ends; nothing else is locked before them. Those that are locked
 * elsewhere are missing, unless they are waited for. Its plan goes by keys (Decision 0061).
 */
export function lockSessions(
  tx: Tx,
  transactionIds: readonly string[],
  locks: LockWait,
): Promise<LockedSession[]> {
  const statement = sqlOf(LOCKED_SESSION)`
    select ${LOCKED_COLUMNS} from ${limitWait(locks)} checkout_sessions as session
    where session.transaction_id = any(array(select unnest(${transactionIds}::text[])))
    order by session.transaction_id for update of session ${skipLocked(locks)}`;
  return tx.rows(prepared(`lock-sessions-${locks}`, statement));
}

/** One that is waited for. */
export async function lockSession(tx: Tx, transactionId: string): Promise<LockedSession> {
  const [session] = await lockSessions(tx, [transactionId], "wait");
  if (session === undefined) throw new Error(`there is no session of ${transactionId}`);
  return session;
}
