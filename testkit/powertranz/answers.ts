/**
 * The JSON the gateway answers with: one shape for all financial calls. A field without a value is
 * absent. Amounts are numbers in major units.
 */

import type { Sale } from "./journal.ts";
import type { Problem } from "./problems.ts";

export type Body = Readonly<Record<string, unknown>>;

export const TYPES = { sale: 2, void: 4, refund: 5 } as const;

/** Codes that come with Approved true; those beside 00 are approvals with a condition. */
const APPROVALS = new Set(["00", "08", "10", "11", "16", "32", "85"]);

const MESSAGES: Readonly<Record<string, string>> = {
  "00": "Transaction is approved",
  "03": "Invalid merchant",
  "10": "Partially approved",
  "12": "Invalid transaction",
  "57": "Transaction not permitted to cardholder",
  "89": "Failed authentication",
  "91": "Issuer or switch inoperative",
  "96": "System error",
  "97": "Request failed validation",
  "98": "Host unreachable",
  "99": "General error",
  "09": "Request in progress",
  "68": "Response received too late",
  FC3: "Fraud check error",
  "3D3": "3DS error",
};

/** What the answer is about, as far as the request said it. */
export interface About {
  readonly type: number;
  readonly identifier?: string | undefined;
  readonly amount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly orderIdentifier?: string | undefined;
}

export function isApproval(code: string): boolean {
  return APPROVALS.has(code);
}

export function messageOf(code: string): string {
  return MESSAGES[code] ?? "Transaction is declined";
}

export function failure(about: About, code: string, problems: readonly Problem[] = []): Body {
  return withoutAbsent({
    TransactionType: about.type,
    Approved: false,
    TransactionIdentifier: about.identifier,
    TotalAmount: about.amount,
    CurrencyCode: about.currencyCode,
    IsoResponseCode: code,
    ResponseMessage: messageOf(code),
    OrderIdentifier: about.orderIdentifier,
    Errors:
      problems.length === 0
        ? undefined
        : problems.map(({ code, message }) => ({ Code: code, Message: message ?? null })),
  });
}

export function aboutSale(sale: Sale): About {
  return {
    type: TYPES.sale,
    identifier: sale.identifier,
    amount: sale.amountMinor / 100,
    currencyCode: sale.currencyCode,
    orderIdentifier: sale.orderIdentifier,
  };
}

/** The result of the authentication, as the browser posts it back. */
export function authenticationOf(sale: Sale): Body {
  const { authentication, card } = sale;
  const isNone = authentication.status === "none";
  const isMastercard = card.brand === "MasterCard";
  const eci = { Y: ["05", "02"], A: ["06", "01"], U: ["07", "00"] }[
    authentication.status as "Y" | "A" | "U"
  ]?.[isMastercard ? 1 : 0];
  return withoutAbsent({
    Eci: isNone ? undefined : eci,
    Cavv: eci === undefined || eci === "07" || eci === "00" ? undefined : cavvOf(sale),
    Xid: isNone ? undefined : authentication.dsId,
    AuthenticationStatus: isNone ? undefined : authentication.status,
    StatusReason: authentication.status === "N" ? "01" : undefined,
    ProtocolVersion: "2.2.0",
    FingerprintIndicator: card.test.fingerprint ? "Y" : "U",
    DsTransId: isNone ? undefined : authentication.dsId,
    ResponseCode: isNone ? "3D1" : "3D0",
  });
}

export function withoutAbsent(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function cavvOf(sale: Sale): string {
  return Buffer.from(sale.authentication.dsId.replaceAll("-", "").slice(0, 20)).toString("base64");
}
