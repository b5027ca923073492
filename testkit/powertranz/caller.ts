/** Calls of the fake's API as a merchant's server makes them, without the adapter. */

import { randomUUID } from "node:crypto";
import type { PowertranzFake } from "./fake.ts";
import { playBrowser } from "./play-browser.ts";

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

type Json = Readonly<Record<string, unknown>>;

export interface SaleChanges {
  readonly card?: Json;
  readonly extended?: Json;
  readonly [name: string]: unknown;
}

export function saleRequest({ card, extended, ...changes }: SaleChanges = {}) {
  const id = randomUUID();
  return {
    TransactionIdentifier: id,
    TotalAmount: 120.5,
    CurrencyCode: "780",
    ThreeDSecure: true,
    Source: {
      CardPan: "4012000000020071",
      CardCvv: "321",
      CardExpiration: "3112",
      CardholderName: "Anita Roach",
      ...card,
    },
    OrderIdentifier: `TT-${id.slice(0, 8)}`,
    ExternalIdentifier: id,
    ExtendedData: {
      ThreeDSecure: { ChallengeWindowSize: 5, ChallengeIndicator: "01" },
      MerchantResponseUrl: "http://127.0.0.1:9/back",
      ...extended,
    },
    ...changes,
  };
}

/** The code of an answer and its errors, in short: `12/381`. */
export function verdict(body: ApiAnswer["body"]): string {
  const errors: readonly { Code: string }[] = body.Errors ?? [];
  return [body.IsoResponseCode, ...errors.map(({ Code }) => Code)].join("/");
}

export function createCaller(fake: Pick<PowertranzFake, "url" | "id" | "password">) {
  const headers = {
    "powertranz-powertranzid": fake.id,
    "powertranz-powertranzpassword": fake.password,
  };
  const call = async (path: string, init: RequestInit = {}): Promise<ApiAnswer> => {
    const response = await fetch(fake.url + path, { headers, redirect: "manual", ...init });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
  };
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    call(path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json; charset=utf-8", ...more },
      body: JSON.stringify(body),
    });
  const complete = (token: unknown) => post("spi/payment", token);
  /** Prepared, authenticated and charged. */
  const pay = async (changes: SaleChanges = {}) => {
    const request = saleRequest(changes);
    const { body: prepared } = await post("spi/sale", request);
    await playBrowser(prepared.RedirectData);
    const { body: answer } = await complete(prepared.SpiToken);
    return { id: request.TransactionIdentifier, request, prepared, answer };
  };
  return {
    call,
    post,
    complete,
    pay,
    lookUp: (id: string) => call(`Transactions/${id}`),
    searchOrder: (id: string) => call(`Transactions/OrderSearch/${id}`),
    voidSale: (id: string) => post("void", { TransactionIdentifier: id, TerminalCode: "" }),
    refund: (id: string, amount: number, more: Json = {}) =>
      post("refund", { Refund: true, TransactionIdentifier: id, TotalAmount: amount, ...more }),
  };
}
