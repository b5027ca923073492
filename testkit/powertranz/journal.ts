/**
 * Everything the fake gateway knows, in memory: sales with what happened to them, its clock, its
 * switches and the merchants it serves. A card number is never kept, only what it does.
 */

import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { AuthenticationStatus, Brand, TestCard } from "./cards.ts";

const TOKEN_SECONDS = 300;

export interface Merchant {
  readonly id: string;
  readonly password: string;
  /** ISO 4217 numeric; absent: all that the gateway is switched to. */
  readonly currencies?: readonly string[];
}

export interface Switches {
  /** Wrong credentials are answered with 401 and an empty body, not with 200 and a code. */
  credentials401: boolean;
  /** The right password is taken for a wrong one. */
  passwordWrong: boolean;
  voidNever: boolean;
  voidWindowSeconds: number;
  oneRefundOnly: boolean;
  lookupOff: boolean;
  lookupNotFoundAs: "404" | "null" | "12" | "12/381";
  /** After so long a decided transaction is found. */
  lookupDelaySeconds: number;
  /** ISO 4217 numeric. */
  currencies: readonly string[];
  brands: readonly Brand[];
  /** 3-D Secure needs an e-mail address or a phone number. */
  contactRequired: boolean;
  /** The answer of `spi/payment` repeats the authentication. */
  authenticationRepeated: boolean;
  /** A lookup of a sale has it, too. */
  authenticationLookedUp: boolean;
  /** Amounts from 1.00 that end in .91 to .98 decide what happens. */
  centsDecide: boolean;
  /** Of sales, in the settlement report. */
  feeBasisPoints: number;
}

export interface PreparedCard {
  readonly masked: string;
  readonly suffix: string;
  readonly brand: Brand;
  /** YYMM */
  readonly expiry: string;
  readonly test: TestCard;
  readonly code: string;
  readonly cvv: string | undefined;
  readonly avs: string | undefined;
}

interface Authentication {
  stage: "start" | "fingerprint" | "challenge" | "ended";
  status: AuthenticationStatus;
  wrongCount: number;
  /** Names the sale on the bank's pages, which do not know the SpiToken. */
  readonly bankId: string;
  readonly dsId: string;
}

interface Decision {
  readonly at: number;
  readonly code: string;
  readonly isApproved: boolean;
  readonly authorizationCode: string | undefined;
  readonly rrn: string;
}

interface Refund {
  readonly identifier: string;
  readonly externalIdentifier: string | undefined;
  readonly amountMinor: number;
  readonly at: number;
  settledAt?: number;
}

export interface Sale {
  readonly identifier: string;
  readonly merchantId: string;
  readonly orderIdentifier: string;
  readonly externalIdentifier: string | undefined;
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly card: PreparedCard;
  /** Undefined: the browser is never sent back. */
  readonly returnUrl: string | undefined;
  readonly isAmountSecret: boolean;
  readonly preparedAt: number;
  readonly token: string;
  isTokenUsed: boolean;
  readonly authentication: Authentication;
  /** How often money was taken. */
  chargeCount: number;
  decision?: Decision;
  voided?: { readonly at: number; readonly identifier: string; readonly external?: string };
  readonly refunds: Refund[];
  settledAt?: number;
}

export interface Journal {
  readonly merchants: readonly Merchant[];
  readonly gatewayKey: string | undefined;
  readonly switches: Switches;
  readonly sales: ReadonlyMap<string, Sale>;
  /** In milliseconds since 1970; it can be moved. */
  now(): number;
  advance(seconds: number): void;
  add(sale: Sale): void;
  saleOf(identifier: string | undefined): Sale | undefined;
  saleOfToken(token: string | undefined): Sale | undefined;
  saleOfBank(bankId: string | undefined): Sale | undefined;
  /** By the identifier of the sale, its void or one of its refunds. */
  orderOf(identifier: string): Sale | undefined;
  isExpired(sale: Sale): boolean;
  nextRrn(): string;
}

export function createJournal(options: {
  merchants: readonly Merchant[];
  gatewayKey: string | undefined;
  switches: Switches;
}): Journal {
  const sales = new Map<string, Sale>();
  const byToken = new Map<string, Sale>();
  const byBank = new Map<string, Sale>();
  let movedMs = 0;
  let rrn = 632_200_000_000 + randomInt(1_000_000);
  const now = () => Date.now() + movedMs;
  const saleOf = (identifier = "") => sales.get(identifier.toLowerCase());
  return {
    ...options,
    sales,
    now,
    advance(seconds) {
      movedMs += seconds * 1000;
    },
    add(sale) {
      sales.set(sale.identifier.toLowerCase(), sale);
      byToken.set(sale.token, sale);
      byBank.set(sale.authentication.bankId, sale);
    },
    saleOf,
    saleOfToken: (token = "") => byToken.get(token),
    saleOfBank: (bankId = "") => byBank.get(bankId),
    orderOf(identifier) {
      const id = identifier.toLowerCase();
      const holds = (sale: Sale) =>
        sale.voided?.identifier === id || sale.refunds.some((one) => one.identifier === id);
      return saleOf(id) ?? [...sales.values()].find(holds);
    },
    isExpired: (sale) => now() - sale.preparedAt > TOKEN_SECONDS * 1000,
    nextRrn: () => String(++rrn),
  };
}

/** As the real ones look: small letters, digits and hyphens. */
export function newToken(): string {
  const letters = Array.from(randomBytes(50), (byte) => (byte % 36).toString(36)).join("");
  return `${letters}-${randomUUID().slice(0, 8)}`;
}
