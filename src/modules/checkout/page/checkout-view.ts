/**
 * What the payment page shows, as data: everything it may print and nothing else (Decision
 * 0041). Made from a session by `view-session.ts`, turned into a page by `render-page.ts`.
 */

import type { CardNetwork } from "../../../kit/card-network.ts";
import type { Money } from "../../../kit/money.ts";
import type { Problem } from "../form/card-fields.ts";
import type { KeptValues } from "../form/form-values.ts";
import type { PurposeName, SessionStep, SessionView } from "../session/session.ts";

export interface CheckoutView {
  /** The page's own path, `/checkout/{token}`. */
  readonly path: string;
  readonly purpose: PurposeName;
  /** Full: the whole window, never framed. Simple: made for a frame in the merchant's page. */
  readonly layout: "full" | "simple";
  readonly isSandbox: boolean;
  readonly merchant: {
    readonly name: string;
    readonly picture?: string | undefined;
    readonly logo?: { readonly src: string } & Record<"width" | "height", number>;
    /** The colour of its buttons, as `#rrggbb`. */
    readonly accent?: string | undefined;
  };
  /** Empty where nothing was ordered. */
  readonly orderId: string;
  /** The transaction's id. */
  readonly reference: string;
  /** Of what was paid: the address of its receipt. */
  readonly receiptUrl?: string | undefined;
  /** Absent where the page may not tell: what is not here cannot be printed. */
  readonly amounts: SessionView["amounts"] | undefined;
  /** What the merchant says of the payment. */
  readonly details?: readonly { readonly label: string; readonly value: string }[];
  readonly description?: string | undefined;
  readonly items?: readonly ViewedItem[] | undefined;
  readonly feeIs: "customer's" | "shared" | "merchant's";
  readonly step: CardStep | ChallengeStep | WorkingStep | EndedStep;
}

interface ViewedItem {
  readonly name: string;
  readonly quantity: number;
  /** Of all pieces of it. */
  readonly amount: Money;
}

export interface CardStep {
  readonly kind: "card";
  readonly secondsLeft: number;
  readonly triesLeft: number;
  /** How many cards were tried when this was shown; a form that says less is an old one. */
  readonly attempts: number;
  readonly isAvs: boolean;
  /** When it was shown, by the database's clock: cards expire by it. */
  readonly at: Date;
  /** Numbers of the sandbox's cards are right, though they need not pass Luhn. */
  readonly takesSandboxCards: boolean;
  /** Where the payment request brought none. */
  readonly asksEmail?: boolean;
  /** The only network that the merchant takes for this order. */
  readonly only?: CardNetwork | undefined;
  /** The card that is charged, in words: then only its security code is asked for. */
  readonly stored?: { readonly card: string; readonly expiry: string } | undefined;
  /** Proves that the form came from this page. */
  readonly formToken: string;
  readonly values: KeptValues;
  readonly problems: readonly Problem[];
  readonly declined?: Declined | undefined;
  readonly isLimited?: boolean;
  /** Where the address is folded away: whether it is being filled in. */
  readonly isAddressOpen?: boolean;
}

interface Declined {
  readonly card: string;
  readonly message: string;
  /** It is not the card's fault: none could be charged now, or until our settings are mended. */
  readonly ourFault?: "now" | "settings" | undefined;
  /** There was no answer: nobody declined. */
  readonly isUnreachable?: boolean;
}

export interface ChallengeStep {
  readonly kind: "challenge";
  readonly secondsLeft: number;
  readonly attempts: number;
  readonly formToken: string;
  /** The bank's page is shown by scripts only. */
  readonly needsScripts: boolean;
}

export interface WorkingStep {
  readonly kind: "working";
  readonly attempts: number;
  /** Since the card was submitted. */
  readonly waitedSeconds: number;
}

export interface EndedStep {
  readonly kind: "ended";
  readonly outcome: Extract<SessionStep, { kind: "ended" }>["outcome"];
  readonly message?: string | undefined;
  readonly card?: string | undefined;
  /** The page of the payment that replaced this one, shown in place of the merchant's address. */
  readonly newer?: { readonly url: string; readonly leavesFrame: boolean } | undefined;
  /**
   * The merchant's address with the result; empty for a replaced payment while another one of its
   * order is open or paid: a shop would take the failure for that of the order.
   */
  readonly returnUrl: string;
  /** Whether the browser goes there by itself. */
  readonly goesOn: boolean;
}
