/**
 * What can go wrong with a call, by name. Each says whether the call takes effect, and what the
 * caller gets instead of the answer. `alter` changes the answer's JSON, `page` replaces it.
 */

import type { Body } from "./answers.ts";

export interface Page {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How the bytes leave: whole, one a second, or cut off. */
export type Manner = "whole" | "drip" | "cut" | "cut-in-body" | "reset";

export interface Behaviour {
  readonly hasEffect: boolean;
  /** Waits the fault's seconds at this point. */
  readonly waits?: "before" | "after";
  readonly manner?: Manner;
  readonly page?: (seconds: number) => Page;
  readonly alter?: (body: Body) => Body;
  readonly prefix?: string;
}

const HTML = { "content-type": "text/html; charset=utf-8" };
const BIG_BYTES = 5 * 1024 * 1024;
const OTHER_IDENTIFIER = "00000000-0000-4000-8000-000000000000";

const errorPage = (status: number, title: string): Page => ({
  status,
  headers: HTML,
  body: `<!DOCTYPE html>
<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});

const cloudflare = (status: number, title: string) => (seconds: number) => {
  const page = errorPage(status, `${title} | ptranz.com | Cloudflare`);
  const retry = status === 429 ? { "retry-after": String(Math.ceil(seconds)) } : {};
  return {
    ...page,
    headers: { ...HTML, ...retry, "set-cookie": "__cf_bm=fake; path=/; HttpOnly" },
  };
};

const unsure = (hasEffect: boolean, iso: string, error?: string): Behaviour => ({
  hasEffect,
  alter: ({ AuthorizationCode, RiskManagement, RRN, RedirectData, SpiToken, ...rest }) => ({
    ...rest,
    Approved: false,
    IsoResponseCode: iso,
    ResponseMessage: "System error",
    ...(error === undefined ? {} : { Errors: [{ Code: error, Message: null }] }),
  }),
});

/** Only of an answer that approves. */
const odd = (change: (body: Body) => Body): Behaviour => ({
  hasEffect: true,
  alter: (body) => (body.Approved === true ? change(body) : body),
});

const without = (name: string) => (body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

export const FAULTS = {
  "slow-before": { hasEffect: true, waits: "before" },
  "slow-after": { hasEffect: true, waits: "after" },
  drip: { hasEffect: true, manner: "drip" },
  "cut-before": { hasEffect: false, manner: "cut" },
  "cut-after": { hasEffect: true, manner: "cut" },
  "cut-in-body": { hasEffect: true, manner: "cut-in-body" },
  "reset-before": { hasEffect: false, manner: "reset" },
  "reset-after": { hasEffect: true, manner: "reset" },
  "502-before": { hasEffect: false, page: () => errorPage(502, "502 Bad Gateway") },
  "504-after": { hasEffect: true, page: () => errorPage(504, "504 Gateway Time-out") },
  "500-html-before": { hasEffect: false, page: () => errorPage(500, "Server Error") },
  "500-html-after": { hasEffect: true, page: () => errorPage(500, "Server Error") },
  "cloudflare-403": { hasEffect: false, page: cloudflare(403, "Attention Required!") },
  "cloudflare-429": { hasEffect: false, page: cloudflare(429, "You are being rate limited") },
  "cloudflare-520": { hasEffect: false, page: cloudflare(520, "Web server returns an error") },
  "cloudflare-522": { hasEffect: false, page: cloudflare(522, "Connection timed out") },
  "200-html-before": { hasEffect: false, page: () => errorPage(200, "Maintenance") },
  "200-html-after": { hasEffect: true, page: () => errorPage(200, "Maintenance") },
  "200-empty-before": { hasEffect: false, page: () => ({ status: 200, body: "" }) },
  "200-empty-after": { hasEffect: true, page: () => ({ status: 200, body: "" }) },
  "json-bom": { hasEffect: true, prefix: "\uFEFF" },
  "json-5mb": {
    hasEffect: true,
    alter: (body) => ({ CustomData: "x".repeat(BIG_BYTES), ...body }),
  },
  /** To another host name of this server, which then lists what followed. */
  "redirect-302": {
    hasEffect: false,
    page: () => ({ status: 302, headers: { location: "elsewhere" }, body: "" }),
  },
  "iso-96-with-effect": unsure(true, "96", "317"),
  "iso-96-without-effect": unsure(false, "96", "317"),
  "iso-91-with-effect": unsure(true, "91", "391"),
  "iso-91-without-effect": unsure(false, "91", "391"),
  "iso-99-with-effect": unsure(true, "99"),
  "iso-99-without-effect": unsure(false, "99"),
  "iso-68-with-effect": unsure(true, "68"),
  "iso-68-without-effect": unsure(false, "68"),
  "iso-09-with-effect": unsure(true, "09"),
  "iso-09-without-effect": unsure(false, "09"),
  "approved-with-10": odd((body) => ({ ...body, IsoResponseCode: "10" })),
  "approved-other-amount": odd((body) => ({ ...body, TotalAmount: Number(body.TotalAmount) + 1 })),
  "approved-other-currency": odd((body) => ({ ...body, CurrencyCode: "978" })),
  /** Of a void or refund: that of another sale. */
  "approved-other-identifier": odd((body) =>
    "OriginalTrxnIdentifier" in body
      ? { ...body, OriginalTrxnIdentifier: OTHER_IDENTIFIER }
      : { ...body, TransactionIdentifier: OTHER_IDENTIFIER },
  ),
  "not-approved-with-00": odd((body) => ({ ...body, Approved: false })),
  "without-approved": odd(without("Approved")),
  "without-risk-management": odd(without("RiskManagement")),
} as const satisfies Record<string, Behaviour>;

export type FaultKind = keyof typeof FAULTS;

export const FAULT_KINDS = Object.keys(FAULTS).filter(isFaultKind);

export function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(FAULTS, name);
}

export function behaviourOf(kind: FaultKind): Behaviour {
  return FAULTS[kind];
}
