/**
 * The calls of the API, by path in any case: what each is about, and what it does when it takes
 * effect. `run` happens in one turn of the loop, so of two equal calls at once one wins.
 */

import type { IncomingHttpHeaders } from "node:http";
import { type About, aboutSale, failure, TYPES } from "./answers.ts";
import { completeSale, tokenIn } from "./charge-sale.ts";
import { challenge, conduct, fingerprint, type Roots } from "./conductor.ts";
import { readCredentials } from "./credentials.ts";
import type { Page } from "./fault-kinds.ts";
import type { Endpoint } from "./faults.ts";
import { type Fields, parseFields } from "./fields.ts";
import type { Journal, Merchant } from "./journal.ts";
import { type Found, lookUp, search, searchOrder } from "./lookups.ts";
import { aboutRequest, type Caller, prepareSale, sellDirectly } from "./prepare-sale.ts";
import { INVALID_REQUEST, ORIGINAL_NOT_FOUND } from "./problems.ts";
import { refundSale, voidSale } from "./undo-sale.ts";
import { amountMinorOf } from "./validate.ts";

export interface Incoming {
  readonly method: string;
  /** Below the root, in small letters. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly roots: Roots;
}

export type Outcome = { readonly json: unknown } | Page;

export interface Work {
  readonly endpoint: Endpoint;
  readonly about: About;
  readonly amountMinor?: number | undefined;
  run(): Outcome;
}

const EMPTY_BODY: Fields = new Map();
const NOT_FOUND: Page = { status: 404, body: "" };
const ALIVE = { json: { Name: "PowerTranz Api", Version: "fake" } };

/** Undefined: there is no such call. */
export function workOf(journal: Journal, incoming: Incoming): Work | undefined {
  const { method, path } = incoming;
  if (method === "GET" && path === "alive")
    return { endpoint: "alive", about: { type: TYPES.sale }, run: () => ALIVE };
  if (method === "GET" && path.startsWith("transactions/")) return lookup(journal, incoming);
  if (method !== "POST") return undefined;
  if (path === "spi/payment") return payment(journal, incoming);
  if (path === "spi/conductor") {
    const form = new URLSearchParams(incoming.text);
    const sale = journal.saleOfToken(form.get("SpiToken") ?? undefined);
    return {
      endpoint: "spi/conductor",
      about: sale === undefined ? { type: TYPES.sale } : aboutSale(sale),
      run: () => conduct(journal, form, incoming.roots),
    };
  }
  return order(journal, incoming);
}

/** The pages of the card's bank, which stand beside the API. */
export function bankWork(journal: Journal, incoming: Incoming): Work | undefined {
  const { method, path, roots } = incoming;
  const form = new URLSearchParams(incoming.text);
  const sale = journal.saleOfBank(form.get("bankId") ?? undefined);
  const about = sale === undefined ? { type: TYPES.sale } : aboutSale(sale);
  if (method === "GET" && path === "fingerprint")
    return { endpoint: "bank", about, run: fingerprint };
  if (method === "POST" && path === "challenge")
    return { endpoint: "bank", about, run: () => challenge(journal, form, roots) };
  return undefined;
}

/** The token is the authority; credentials are not read. */
function payment(journal: Journal, { text }: Incoming): Work {
  const sale = journal.saleOfToken(tokenIn(text));
  return {
    endpoint: "spi/payment",
    about: sale === undefined ? { type: TYPES.sale } : aboutSale(sale),
    amountMinor: sale?.amountMinor,
    run: () => ({ json: completeSale(journal, text) }),
  };
}

const ORDERS = {
  "spi/sale": { type: TYPES.sale, act: prepareSale },
  sale: { type: TYPES.sale, act: sellDirectly },
  void: { type: TYPES.void, act: voidSale },
  refund: { type: TYPES.refund, act: refundSale },
} as const;

function isOrder(path: string): path is keyof typeof ORDERS {
  return Object.hasOwn(ORDERS, path);
}

function order(journal: Journal, incoming: Incoming): Work | undefined {
  const { path, text, roots } = incoming;
  if (!isOrder(path)) return undefined;
  const { type, act } = ORDERS[path];
  const body = parseFields(text);
  const about = aboutRequest(body ?? EMPTY_BODY, type);
  const run = (merchant: Merchant): Outcome => {
    if (body === undefined) return { json: failure(about, "97", [INVALID_REQUEST]) };
    const caller: Caller = { merchant, root: roots.root };
    return { json: act(journal, body, caller) };
  };
  return {
    endpoint: path,
    about,
    amountMinor: decidingAmount(journal, path, body ?? EMPTY_BODY),
    run: () => withMerchant(journal, incoming, about, run),
  };
}

/** Preparing a sale moves no money: its cents decide when it is charged. */
function decidingAmount(
  journal: Journal,
  path: keyof typeof ORDERS,
  body: Fields,
): number | undefined {
  if (path === "spi/sale") return undefined;
  if (path === "void") return journal.saleOf(aboutRequest(body).identifier)?.amountMinor;
  return amountMinorOf(body);
}

function lookup(journal: Journal, incoming: Incoming): Work | undefined {
  const [, kind = "", identifier] = incoming.path.split("/");
  const isOrderSearch = kind === "ordersearch" && identifier !== undefined;
  const about = { type: TYPES.sale, identifier: isOrderSearch ? identifier : kind };
  const find = (merchant: Merchant) => {
    if (isOrderSearch) return searchOrder(journal, merchant, identifier);
    if (kind === "search") return search(journal, merchant, incoming.query);
    return lookUp(journal, merchant, kind);
  };
  return {
    endpoint: "lookup",
    about,
    run() {
      if (journal.switches.lookupOff) return NOT_FOUND;
      return withMerchant(journal, incoming, about, (merchant) =>
        foundAnswer(journal, about, find(merchant)),
      );
    },
  };
}

function foundAnswer({ switches }: Journal, about: About, found: Found): Outcome {
  if (found !== undefined) return { json: found };
  switch (switches.lookupNotFoundAs) {
    case "404":
      return NOT_FOUND;
    case "null":
      return { json: null };
    case "12":
      return { json: failure(about, "12") };
    case "12/381":
      return { json: failure(about, "12", [ORIGINAL_NOT_FOUND]) };
  }
}

function withMerchant(
  journal: Journal,
  { headers }: Incoming,
  about: About,
  act: (merchant: Merchant) => Outcome,
): Outcome {
  const credentials = readCredentials(journal, headers);
  if ("merchant" in credentials) return act(credentials.merchant);
  if (journal.switches.credentials401) return { status: 401, body: "" };
  return { json: failure(about, credentials.iso, [{ code: credentials.error }]) };
}
