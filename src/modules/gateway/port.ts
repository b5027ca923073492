/**
 * The port to an acquirer, which moves money on cards (Decisions 0030 and 0037). It knows no
 * adapter; `create-gateways.ts` chooses one for each environment.
 *
 * Every order carries a reference of ours, and the same reference is the same order however often
 * it is sent. So after a lost answer we ask about the reference, or send the order again. A call is
 * made between two txs, never inside one. A method that throws leaves the outcome unknown.
 *
 * A sale may need a challenge: the answer is then an HTML document for a frame, in which the card's
 * bank asks the customer. The result is posted to our address, and a second call completes the
 * sale.
 */

import type { Infra } from "../../infra/context.ts";
import type { Money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";

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
  readonly amount: Money;
  /**
   * A challenge must not show the amount: the customer proves that the card is theirs by reading
   * it from the card's statement (Decision 0043).
   */
  readonly isAmountSecret: boolean;
  readonly card: Card;
  readonly billing: Billing;
  readonly wantsAvs: boolean;
  /** Where the customer's browser posts the result of a challenge. */
  readonly challengeReturnUrl: string;
}

/** M: street and postal code match, A: street only, Z: postal code only, N: neither, G: no AVS. */
export type AvsAnswer = "M" | "A" | "Z" | "N" | "G";

/** M: the security code matches, N: it does not. */
type CvvAnswer = "M" | "N";

export interface Checks {
  readonly avs?: AvsAnswer;
  readonly cvv?: CvvAnswer;
}

export type Decided = { readonly message: string } & Checks &
  (
    | { readonly outcome: "approved"; readonly code: "00" }
    | { readonly outcome: "declined"; readonly code: string }
  );

export interface Challenge {
  readonly outcome: "challenge";
  readonly token: string;
  /** A whole document for a frame, which sends the browser to the card's bank. */
  readonly html: string;
}

type SaleAnswer = Decided | Challenge;

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
  sale(sale: Sale): Promise<SaleAnswer>;
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

/** The connection broke, and whether the order arrived is unknown. */
export class ConnectionLost extends Error {}

/** Undefined: none is configured for that environment. */
export type Gateways = Readonly<Record<Environment, Gateway | undefined>>;

export interface GatewayContext extends Infra {
  readonly gateways: Gateways;
}
