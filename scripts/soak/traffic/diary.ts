/**
 * What the clients were told: the only memory outside the service, and what it is judged by.
 *
 * Something is written here only after its answer came whole. What was sent
 * and never answered stands here, too, because it may have happened.
 */

import type { Environment, Merchant } from "./client.ts";
import type { ToldLink, ToldVisit } from "./links.ts";
import type { WireRequest } from "./wire.ts";

const RECENT_MAX = 50;

export interface ToldPayment {
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly orderId: string;
  readonly data: string;
}

export interface ToldWithdrawal {
  readonly accountNumber: string;
  readonly data: string;
  /** A cancellation was answered with 200. */
  isCancelled?: boolean;
}

export interface ToldCard {
  readonly accountNumber: string;
  verified?: boolean;
  deleted?: boolean;
}

/** A request with a key, as it was sent and as it was answered the first time. */
export interface ToldKeyed {
  readonly owner: Merchant;
  readonly asked: WireRequest;
  readonly status: number;
  readonly text: string;
}

/** A value that only one client writes: the last that was answered, and those nobody knows of. */
export class Register<T> {
  told: T;
  /** An attempt that was not answered may still land, even after a later one. */
  readonly perhaps = new Set<T>();
  constructor(first: T) {
    this.told = first;
  }
  sent(value: T, outcome: { isTold: boolean; unsure: number }): void {
    if (outcome.unsure > 0) this.perhaps.add(value);
    if (outcome.isTold) this.told = value;
  }
  allows(value: T): boolean {
    return value === this.told || this.perhaps.has(value);
  }
}

export class Diary {
  /** How many writes of each kind were acknowledged. */
  readonly acknowledged = new Map<string, number>();
  readonly reads = { count: 0 };
  readonly payments = new Map<string, ToldPayment>();
  readonly withdrawals = new Map<string, ToldWithdrawal>();
  /** By the reason that was given with them, which is the key they were sent with. */
  readonly refunds = new Map<string, { transactionId: string; refundId: string; amount: string }>();
  /** By their reasons: those of forms in the console, which tell no id. */
  readonly formRefunds = new Map<string, { transactionId: string; amount: string }>();
  /** What browsers were led to the merchant with, by transaction. */
  readonly results = new Map<string, string>();
  readonly cards = new Map<string, ToldCard>();
  readonly links = new Map<string, ToldLink>();
  /** Forms of payment links that were sent, by the order in them. */
  readonly visits = new Map<string, ToldVisit>();
  /** By payment: for how many receipts a merchant asked, and how many were promised. */
  readonly receipts = new Map<string, { sent: number; told: number }>();
  /** Withdrawals that two of the operator let go, as far as they were told. */
  readonly letGo = new Map<string, { isAsked: boolean; isApproved: boolean }>();
  /** E-mails of who forgot a password. */
  readonly forgotten = new Set<string>();
  readonly accounts = new Map<string, { email: string; isClosed: boolean }>();
  /** Every word that was sent with a key and may stand in a row: each at most once. */
  readonly onceOnly = new Set<string>();
  readonly keyed: ToldKeyed[] = [];
  readonly registers = new Map<string, Register<string>>();
  /** What clients themselves saw that must not be. */
  readonly seenWrong = new Map<string, string[]>();
  /** Secrets that were given out or sent, to look for where they must not stand. */
  readonly secrets = new Set<string>();
  /** Of pages that merchants were told of; apart, because they are many and the others few. */
  readonly checkoutTokens = new Set<string>();
  /** When changes of a phone number were accepted, by account. */
  readonly phoneChanges = new Map<string, { beganAt: number; endedAt: number }[]>();
  /** How much was seen of what a check rests on. */
  readonly tried = new Map<string, number>();

  /** The newest records of any merchant, for attempts to read what belongs to another. */
  readonly recent: { id: string; at: string; owner: string }[] = [];

  addPayment(id: string, told: ToldPayment): void {
    this.payments.set(id, told);
    this.#remember({ id, at: "/transactions/", owner: told.accountNumber });
  }
  addWithdrawal(id: string, told: ToldWithdrawal): void {
    this.withdrawals.set(id, told);
    this.#remember({ id, at: "/withdrawals/", owner: told.accountNumber });
  }
  #remember(one: { id: string; at: string; owner: string }): void {
    this.recent.push(one);
    if (this.recent.length > RECENT_MAX) this.recent.shift();
  }
  acknowledge(kind: string): void {
    this.acknowledged.set(kind, (this.acknowledged.get(kind) ?? 0) + 1);
  }
  acknowledgedCount(): number {
    return [...this.acknowledged.values()].reduce((sum, count) => sum + count, 0);
  }
  /** The result of a payment or a saved card, as a browser was led away with it. */
  tell(id: string, status: string): void {
    const known = this.results.get(id);
    if (known !== undefined && known !== status)
      this.complain("results", `${id} was told as ${known} and as ${status}`);
    this.results.set(id, status);
  }
  try(what: string): void {
    this.tried.set(what, (this.tried.get(what) ?? 0) + 1);
  }
  complain(about: string, what: string): void {
    const known = this.seenWrong.get(about) ?? [];
    known.push(what);
    this.seenWrong.set(about, known);
  }
  register(name: string, first: string): Register<string> {
    const known = this.registers.get(name) ?? new Register(first);
    this.registers.set(name, known);
    return known;
  }
}
