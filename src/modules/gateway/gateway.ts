/**
 * The acquirer as a port: what we ask of whoever moves money on cards (Decisions 0030 and 0037).
 *
 * The rule that matters: every order carries a reference of ours, and the same reference is the
 * same order, however often it comes. So an answer that is lost costs nothing: we ask about the
 * reference, or send the order again. A call is made between two txs, never inside one. A method
 * that throws means that nobody knows.
 *
 * A sale may need the customer: then the answer is a piece of HTML for a frame, the card's bank
 * asks there, its result is posted to an address of ours, and a second call completes the sale.
 */

import type { Infra } from "../../infra/context.ts";
import type { Money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";

/** Lives in the memory of one request: never in a table, a log line, an address or an error. */
export interface Card {
  readonly number: string;
  /** 1 to 12. */
  readonly expiryMonth: number;
  /** All four digits. */
  readonly expiryYear: number;
  readonly cvv: string;
  readonly holder: string;
}

/** Where the card's bank sends its bills. What the customer was not asked for is absent. */
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
   * The card's bank asks about the card alone, without naming the amount: whoever reads it from the
   * card's statement proves that the card is theirs (Decision 0043).
   */
  readonly isAmountSecret: boolean;
  readonly card: Card;
  readonly billing: Billing;
  readonly wantsAvs: boolean;
  /** Where the customer's browser posts the result of a challenge. */
  readonly challengeReturnUrl: string;
}

/**
 * How the address fits: M both, A the street alone, Z the postal code alone, N neither, G the bank
 * does not take part.
 */
export type AvsAnswer = "M" | "A" | "Z" | "N" | "G";

/** How the security code fits: M it does, N it does not. */
export type CvvAnswer = "M" | "N";

interface Checks {
  readonly avs?: AvsAnswer;
  readonly cvv?: CvvAnswer;
}

export type Decided =
  | ({ readonly outcome: "approved"; readonly code: "00"; readonly message: string } & Checks)
  | ({ readonly outcome: "declined"; readonly code: string; readonly message: string } & Checks);

export interface Challenge {
  readonly outcome: "challenge";
  readonly token: string;
  /** A whole document for a frame; it leads to the card's bank, by itself where scripts run. */
  readonly html: string;
}

export type SaleAnswer = Decided | Challenge;

export type SaleOutcome =
  | SaleAnswer
  /** The gateway has the sale and cannot tell yet. */
  | { readonly outcome: "unknown" }
  /** Says nothing of an order that is still on its way. */
  | { readonly outcome: "never seen" }
  /** The bank has its answer and nobody has completed the sale: without us, no money moves. */
  | { readonly outcome: "challenge pending" };

export type VoidAnswer =
  | { readonly outcome: "voided" }
  | { readonly outcome: "rejected"; readonly reason: string };

export interface RefundOrder {
  readonly reference: string;
  /** The payment that is given back. */
  readonly transactionId: string;
  readonly amount: Money;
  /** The small amount that proved a card, which chance has chosen and no developer. */
  readonly isCardCheck?: true;
}

export type RefundAnswer =
  | { readonly outcome: "refunded" }
  | { readonly outcome: "rejected"; readonly reason: string };

export type RefundOutcome =
  | RefundAnswer
  /** The gateway has the order and cannot tell yet. */
  | { readonly outcome: "unknown" }
  | { readonly outcome: "never seen" };

export interface Gateway {
  sale(sale: Sale): Promise<SaleAnswer>;
  /**
   * The second call. What was posted came through the customer's browser: a gateway believes its
   * own word, not the post's.
   */
  completeChallenge(
    reference: string,
    token: string,
    posted: Readonly<Record<string, string>>,
  ): Promise<Decided>;
  /** What became of the sale itself; that it was voided later does not change its outcome. */
  saleOutcome(reference: string): Promise<SaleOutcome>;
  /** Undoes an approved sale, once, however often it is asked. */
  voidSale(reference: string): Promise<VoidAnswer>;
  refund(order: RefundOrder): Promise<RefundAnswer>;
  refundOutcome(reference: string): Promise<RefundOutcome>;
}

/** Undefined: none is configured for that environment. */
export type Gateways = Readonly<Record<Environment, Gateway | undefined>>;

export interface GatewayContext extends Infra {
  readonly gateways: Gateways;
}
