/**
 * What checkout needs beyond the gateway: what sessions are for, what they do in batches, and named
 * steps at which tests stop a process.
 */

import type { Tx } from "../../../infra/db/transaction.ts";
import type { BUSY } from "../../../infra/db/write-batch.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import type { Language } from "../../../kit/vocabulary.ts";
import type { Card, GatewayContext, SaleOutcome } from "../../gateway/port.ts";
import type { Posting } from "../../ledger/posting.ts";
import type { PaymentResult } from "../../transactions/finalise-transaction.ts";
import type { CardRules, Problem } from "../form/card-fields.ts";
import type { FormValues } from "../form/form-values.ts";
import type { PaymentToSign } from "../result/result-address.ts";
import type { AttemptRow, ClaimedAttempt } from "./attempt.ts";
import type { CardWindow, CountedWindow } from "./card-windows.ts";
import type { FoundRecord } from "./record.ts";
import type { LockedSession, PurposeName, SessionView } from "./session.ts";

/** Every step between a submitted card and the redirect at which a process may die. */
export const STEPS = [
  "submit: card read",
  "submit: session held",
  "submit: attempt written",
  "submit: attempt kept",
  "sale: about to be sent",
  "sale: answered",
  "sale: answer lost",
  "answer: taken up",
  "answer: session held",
  "answer: attempt moved",
  "answer: kept",
  "end: session ended",
  "end: payment ended",
  "challenge: back",
  "challenge: session held",
  "challenge: back written",
  "challenge: back kept",
  "challenge: completed",
  "ask: claimed",
  "ask: answered",
  "void: claimed",
  "void: done",
  "replace: older ended",
  "replace: newer opened",
  "result: shown",
] as const;

export type Step = (typeof STEPS)[number];
export type Failpoint = (step: Step) => void | Promise<void>;

/** What items of a batch share: a test may stop one of many. */
interface BatchItem {
  readonly failpoint: Failpoint;
}

export async function reach(items: readonly BatchItem[], step: Step): Promise<void> {
  for (const { failpoint } of items) await failpoint(step);
}

/** The card that a submitted form stands for. */
export interface SubmittedCard {
  readonly network: CardNetwork;
  readonly lastFour: string;
  /** Of a typed card, for the limits on card testing; a stored one stays closed. */
  readonly number: string | undefined;
  /** For the gateway, within the call that carries it; and to seal one that is to be kept. */
  readonly open: () => Promise<Card>;
}

/** Thrown by `open`: nothing was sent, and the customer reads why. */
export class CardUnusable extends Error {}

/** An attempt that a submitted form begins. */
export interface NewAttempt extends BatchItem {
  readonly attemptId: string;
  readonly session: Pick<
    SessionView,
    "transactionId" | "purpose" | "accountNumber" | "environment"
  >;
  /** How many cards had been tried when the form was shown. */
  readonly seenAttempts: number;
  readonly card: SubmittedCard;
  /** The customer's, where the payment request brought none: it joins the record. */
  readonly email: string | undefined;
  /** In which the customer read the form. */
  readonly language: Language;
}

/** An attempt that the gateway has said something about. */
export interface AnsweredAttempt extends BatchItem {
  readonly attemptId: string;
  readonly transactionId: string;
  readonly answer: SaleOutcome;
  /** The gateway's own timetable of questions. */
  readonly askAfterSeconds?: readonly number[] | undefined;
}

export type AnswerOutcome =
  /** The session has ended with it: the status of the payment. */
  | PaymentResult["status"]
  /** Another card may be tried. */
  | "declined"
  | "challenged"
  | "waiting"
  /** Approved after the session had ended, or after we had given it up: it will be undone. */
  | "late"
  /** It had been decided, or says what was known. */
  | "nothing new"
  | "contradiction";

/** A locked session that ends with this result. */
export interface SessionEnd extends BatchItem {
  readonly session: Pick<LockedSession, "transaction_id" | "purpose">;
  readonly result: PaymentResult;
}

/**
 * What a session is for (Decision 0042): a payment, one of a payment link, saving a card, or
 * charging a saved one. All of them are the same session, page, attempts and sweep. A purpose
 * decides what a card is, what an end means and what the merchant is told; never when a session
 * ends or what the answer was. Those of a later module are passed in by `app.ts`.
 */
export interface Purpose {
  /** What `session` is about. */
  readonly record: FoundRecord;
  readCard(
    ctx: SessionContext,
    session: SessionView,
    form: FormValues,
    rules: CardRules,
  ): Promise<SubmittedCard | { readonly problems: readonly Problem[] }>;
  /**
   * In the tx that writes attempts, their sessions being locked: keeps what the answers will need.
   * For each, why the card cannot be tried, which ends its session; or the error that it meets.
   * Absent where nothing is to be kept: then attempts need no tx of several statements.
   */
  begin?(
    ctx: SessionContext,
    tx: Tx,
    attempts: readonly NewAttempt[],
  ): Promise<readonly (string | Error | undefined)[]>;
  /**
   * In the tx that takes answers, before sessions end: the cards of these sessions failed, whether
   * another may be tried or not. Absent where nothing was kept for them.
   */
  cardsFailed?(ctx: SessionContext, tx: Tx, transactionIds: readonly string[]): Promise<void>;
  /** Gives the records their results; the caller posts the money as the last thing in its tx. */
  end(ctx: SessionContext, tx: Tx, ends: readonly SessionEnd[]): Promise<Posting[]>;
  /** The merchant's address with the result; undefined while there is none. */
  returnUrl(ctx: CheckoutContext, session: ReturningSession): Promise<string | undefined>;
  /** Tells the merchant that an approval which came too late was undone. */
  tellVoided(tx: Tx, claimed: ClaimedAttempt): Promise<void>;
}

export type ReturningSession = Pick<
  SessionView,
  "transactionId" | "responseUrl" | "accountNumber" | "environment"
>;

export type Purposes = Readonly<Record<PurposeName, Purpose>>;

/** What the checkouts of one process do together (Decision 0078). */
export interface CheckoutBatches {
  /** By the token in its address; undefined: nothing was ever to be paid there. */
  readonly findSession: (token: string) => Promise<SessionView | undefined>;
  /** Of each window, whether it had room for a card. */
  readonly countCard: (windows: readonly CardWindow[]) => Promise<readonly CountedWindow[]>;
  /** Takes a card out of the windows of these keys again. */
  readonly giveBackCard: (keys: readonly string[]) => Promise<undefined>;
  /** Undefined: its form is not the next one, its time is over, or its card cannot be tried. */
  readonly beginAttempt: (attempt: NewAttempt) => Promise<AttemptRow | undefined>;
  readonly takeAnswer: (answered: AnsweredAttempt) => Promise<AnswerOutcome>;
  readonly expireSession: (session: ExpiringSession) => Promise<Expired | typeof BUSY>;
  readonly findPaymentToSign: (transactionId: string) => Promise<PaymentToSign>;
}

export interface ExpiringSession extends BatchItem {
  readonly transactionId: string;
}

/** Not yet: its time is not over, or a card is not decided. */
export type Expired = "now" | "before" | "not yet";

export interface CheckoutContext extends GatewayContext {
  /** Called as each step is reached. Does nothing in the service. */
  readonly failpoint: Failpoint;
  readonly purposes: Purposes;
  readonly batches: CheckoutBatches;
}

/** What a step of a session needs. */
export type SessionContext = Pick<CheckoutContext, "db" | "log" | "config" | "purposes">;
