/**
 * A checkout session: the time in which a customer may pay, and what the page needs to know of it
 * (Interface §3.2, Decision 0040).
 *
 * The rule that matters: whatever changes a session or one of its attempts holds the session's row
 * first, so that a submitted card, a gateway's answer and the end of the time meet one after the
 * other.
 */

import { prepared, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import type { Money } from "../../../kit/money.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import type { FeeStructure } from "../../platforms/fee-quote.ts";
import type { Customer } from "../../transactions/transaction.ts";
import type { CheckoutContext } from "./context.ts";
import type { PurposeName } from "./purpose.ts";
import { type NamedCard, recordsOf, type StoredCard } from "./record.ts";

export const ATTEMPTS_MAX = 5;
/** How long after its end a session waits for a gateway that owes it an answer. */
export const GRACE_SECONDS = 30;

export interface SessionView {
  readonly transactionId: string;
  readonly purpose: PurposeName;
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly merchant: {
    readonly name: string;
    /** For the rule that the customer's is another one. Never shown. */
    readonly email: string;
    readonly pictureId: string | undefined;
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

export type SessionStep =
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
      readonly outcome: "paid" | "notPaid" | "notKnown" | "expired" | "replaced";
      readonly message: string;
      readonly card: NamedCard | undefined;
    };

/** Ended for a newer request: then the order is not over, and the merchant is told nothing here. */
export function isReplaced({ step }: Pick<SessionView, "step">): boolean {
  return step.kind === "ended" && step.outcome === "replaced";
}

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

/** In a tx of many, nobody waits longer than this for what one of them needs. */
const TOGETHER_LOCK_MAX = "300ms";

/**
 * Those of many that are open and of these purposes, held until the tx ends. One that somebody else
 * holds is left out: the others do not wait for it, and for whatever else they need in this tx they
 * wait only a moment. Its plan goes by keys (Decision 0061).
 */
export async function holdOpenSessions(
  tx: Tx,
  { transactionIds, purposes }: Record<"transactionIds" | "purposes", readonly string[]>,
): Promise<ReadonlySet<string>> {
  const statement = sql`
    select transaction_id
    from (select set_config('lock_timeout', ${TOGETHER_LOCK_MAX}, true)) as impatient,
      checkout_sessions
    where transaction_id = any(array(select unnest(${transactionIds}::text[])))
      and purpose = any(${purposes}) and state || '' = 'open'
    order by transaction_id for update of checkout_sessions skip locked`;
  const rows = await tx.rows<{ transaction_id: string }>(prepared("hold-open-sessions", statement));
  return new Set(rows.map(({ transaction_id }) => transaction_id));
}

/** Holds the session still until the tx ends; nothing else is locked before it. */
export function lockSession(
  { purposes }: Pick<CheckoutContext, "purposes">,
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
