/**
 * What a session is for (Decision 0042): a payment, saving a card, or charging a saved one. All
 * three are the same session, page, attempts and sweep; whatever differs is asked here, and a
 * module that stands later in the line hands its answers in through `app.ts`.
 *
 * The rule that matters: a purpose decides what a card is, what an end means and what the merchant
 * is told; never when a session ends or what the gateway's answer was.
 */

import type { Tx } from "../../../infra/db/transaction.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import type { Card } from "../../gateway/gateway.ts";
import type { PaymentResult } from "../../transactions/finalise-transaction.ts";
import type { CardRules, Problem } from "../form/card-fields.ts";
import type { FormValues } from "../form/form-values.ts";
import type { ClaimedAttempt } from "./attempt.ts";
import type { CheckoutContext } from "./context.ts";
import type { FoundRecord } from "./record.ts";
import type { LockedSession, SessionView } from "./session.ts";

export type PurposeName = "payment" | "card" | "charge";

/** The card that a submitted form stands for. */
export interface GivenCard {
  readonly network: CardNetwork;
  readonly lastFour: string;
  /** Of a typed card, for the limits on trying cards out; a stored one stays closed. */
  readonly number: string | undefined;
  /** For the gateway, within the call that carries it; and to seal one that is to be kept. */
  readonly open: () => Promise<Card>;
}

/** Thrown by `open`: nothing was sent, and the customer reads why. */
export class CardUnusable extends Error {}

export interface Purpose {
  /** What `session` is about. */
  readonly record: FoundRecord;
  /** Whether `begin` asks nothing, so that many may begin at once (Decision 0062). */
  readonly beginsTogether: boolean;
  /** Whether `end` is a payment's, so that many may be approved at once. */
  readonly isApprovedTogether: boolean;
  readCard(
    ctx: CheckoutContext,
    session: SessionView,
    form: FormValues,
    rules: CardRules,
  ): Promise<GivenCard | { readonly problems: readonly Problem[] }>;
  /**
   * In the tx that writes an attempt, the session being held: keeps what its answer will need.
   * Tells why the card cannot be tried any more, which ends the session.
   */
  begin(
    ctx: CheckoutContext,
    tx: Tx,
    session: LockedSession,
    card: GivenCard,
  ): Promise<string | undefined>;
  /** The last thing in its tx: the record gets its result, and money moves. */
  end(ctx: CheckoutContext, tx: Tx, session: LockedSession, result: PaymentResult): Promise<void>;
  /** The merchant's address with the result; undefined while there is none. */
  returnUrl(ctx: CheckoutContext, session: ReturnUrlOf): Promise<string | undefined>;
  /** Tells the merchant that an approval which came too late was undone. */
  tellVoided(tx: Tx, claimed: ClaimedAttempt): Promise<void>;
}

export type ReturnUrlOf = Pick<
  SessionView,
  "transactionId" | "responseUrl" | "accountNumber" | "environment"
>;

export type Purposes = Readonly<Record<PurposeName, Purpose>>;

/** The names of those that are so. */
export function purposesThat(purposes: Purposes, is: (one: Purpose) => boolean): PurposeName[] {
  const names = Object.keys(purposes) as PurposeName[];
  return names.filter((name) => is(purposes[name]));
}

/** A card that the form itself holds. */
export function typedCard(card: Card, network: CardNetwork): GivenCard {
  const { number } = card;
  return { network, number, lastFour: number.slice(-4), open: async () => card };
}
