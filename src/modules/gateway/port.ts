/**
 * The port to an acquirer, which moves money on cards (Decisions 0030 and 0037). It knows no
 * adapter; `create-gateways.ts` chooses one for each environment.
 *
 * Every order carries a reference of ours, and the same reference is the same order however often
 * it is sent. So after a lost answer we ask about the reference, or send the order again. A call is
 * made between two txs, never inside one. A method that throws leaves the outcome unknown.
 *
 * A sale may need a challenge: an HTML document for a frame, in which the card's bank asks the
 * customer. The result is posted to our address, and a second call completes the sale.
 */

import type { Infra } from "../../infra/context.ts";
import type { Row } from "../../infra/db/row.ts";
import type { tables } from "../../infra/db/tables.ts";
import type { Money } from "../../kit/money.ts";
import type { Environment, Language } from "../../kit/vocabulary.ts";

/** Held in memory for one request: never in a table, a log line, an address or an error. */
export interface Card {
  readonly number: string;
  /** 1 to 12. */
  readonly expiryMonth: number;
  /** All four digits. */
  readonly expiryYear: number;
  readonly cvv: string;
  readonly holder: string;
}

/** The billing address; fields that the form did not ask for are absent. */
export interface Billing {
  readonly country?: string | undefined;
  readonly address?: string | undefined;
  readonly city?: string | undefined;
  /** ISO 3166-2, as `US-CA`. */
  readonly state?: string | undefined;
  readonly zipcode?: string | undefined;
  readonly phone?: string | undefined;
}

export interface Sale {
  readonly reference: string;
  /** The payment that the sale is for; several cards may be tried for one. */
  readonly transactionId: string;
  /** Which card of this payment it is: 1 for the first. */
  readonly attemptNumber: number;
  readonly amount: Money;
  /**
   * A challenge must not show the amount: the customer proves that the card is theirs by reading
   * it from the card's statement (Decision 0043).
   */
  readonly isAmountSecret: boolean;
  readonly card: Card;
  /** The card was saved by an earlier payment and not typed for this one. */
  readonly isStoredCard: boolean;
  readonly billing: Billing;
  /** The customer's. */
  readonly email: string | undefined;
  readonly wantsAvs: boolean;
  /** Where the customer's browser posts the result of a challenge. */
  readonly challengeReturnUrl: string;
}

/** M: street and postal code match, A: street only, Z: postal code only, N: neither, G: no AVS. */
export const AVS_ANSWERS = ["M", "A", "Z", "N", "G"] as const;

export type AvsAnswer = (typeof AVS_ANSWERS)[number];

/** M: the security code matches, N: it does not. */
export const CVV_ANSWERS = ["M", "N"] as const;

export interface Checks {
  readonly avs?: AvsAnswer | undefined;
  readonly cvv?: (typeof CVV_ANSWERS)[number] | undefined;
}

export type Decided = { readonly message: string } & Checks &
  (
    | { readonly outcome: "approved"; readonly code: "00" }
    | { readonly outcome: "declined"; readonly code: string }
  );

export interface Challenge {
  readonly outcome: "challenge";
  /** Names the challenge; it is kept, so it is no secret of the gateway's. */
  readonly token: string;
}

/** The order was not accepted, for a reason that is not the card's; nothing can be charged. */
export interface NotTaken {
  readonly outcome: "not taken";
  /** Until a person has mended our settings no card is taken; without it, the next may be. */
  readonly because?: "settings";
}

type SaleAnswer = Decided | Challenge | NotTaken;

export type SaleOutcome =
  | SaleAnswer
  /** The gateway has the sale and has no outcome yet. */
  | { readonly outcome: "unknown" }
  /** Says nothing about an order that may still arrive. */
  | { readonly outcome: "never seen" }
  /** The customer has answered, the sale is not completed: no money moves until it is. */
  | { readonly outcome: "challenge pending" };

export type VoidAnswer =
  | { readonly outcome: "voided" }
  | { readonly outcome: "rejected"; readonly reason: string };

export interface RefundOrder {
  readonly reference: string;
  /** The payment that is refunded. */
  readonly transactionId: string;
  /** The sale that paid it; null where the payment is older than this record of it. */
  readonly saleReference: string | null;
  readonly amount: Money;
  /** Refunds the random amount of a card check, whose cents must not trigger sandbox behaviour. */
  readonly isCardCheck?: true;
}

export type RefundAnswer =
  | { readonly outcome: "refunded" }
  | { readonly outcome: "rejected"; readonly reason: string };

/** As of a sale. */
export type RefundOutcome =
  | RefundAnswer
  | { readonly outcome: "unknown" }
  | { readonly outcome: "never seen" };

export interface Gateway {
  /**
   * After so many questions without an answer, how long until the next; the last one stays.
   * Undefined: as often as the caller likes.
   */
  readonly askAfterSeconds?: readonly number[];
  /** Down: it has not answered for a while, or has refused everything of ours. */
  state(): "up" | "down";
  /** Called with the first answer after it was down. */
  onUp(listener: () => void): void;
  stop(): Promise<void>;
  sale(sale: Sale): Promise<SaleAnswer>;
  /**
   * The document for the frame; undefined: no challenge of this sale is open. `language`: of the
   * page around it, for a bank that can be told.
   */
  challengeDocument(reference: string, language?: Language): Promise<string | undefined>;
  /** Which challenge a post of the customer's browser names; undefined: none. */
  returnedToken(posted: Readonly<Record<string, string>>): string | undefined;
  /**
   * The second call. `posted` came through the customer's browser, so a gateway decides by its own
   * record of the challenge.
   */
  completeChallenge(
    reference: string,
    token: string,
    posted: Readonly<Record<string, string>>,
  ): Promise<Decided>;
  /** The outcome of the sale itself; a later void does not change it. */
  saleOutcome(reference: string): Promise<SaleOutcome>;
  /** Undoes an approved sale; repeating the call does nothing more. */
  voidSale(reference: string): Promise<VoidAnswer>;
  refund(order: RefundOrder): Promise<RefundAnswer>;
  refundOutcome(reference: string): Promise<RefundOutcome>;
}

export type GatewayName = Row<typeof tables.gateway_orders>["gateway"];

/** Why a void or a refund of something else is rejected. */
export const NO_SUCH_SALE = "There is no approved sale of this reference.";

/** The connection broke, and whether the order arrived is unknown. */
export class ConnectionLost extends Error {}

/** Undefined: none is configured for that environment. */
export type Gateways = Readonly<Record<Environment, Gateway | undefined>>;

export interface GatewayContext extends Infra {
  readonly gateways: Gateways;
}
