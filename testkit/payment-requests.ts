/** Payment requests as merchants send them, and what must be true of every refusal. */

import assert from "node:assert/strict";
import { sql } from "../src/infra/db/query.ts";
import type { RequestOptions, TestAnswer, TestService } from "./service.ts";

export const PATH = "/plugins/payments/request";

export type Fields = Record<string, unknown>;

let made = 0;

/** A minimal request (Interface §2.4) for an order that nobody has asked for before. */
export function minimal(accountNumber: string, fields: Fields = {}): Fields {
  return {
    account_number: accountNumber,
    country_code: "TT",
    currency: "TTD",
    environment: "sandbox",
    fee_structure: "customer_pay",
    method: "credit_card_co",
    order_id: `order-${process.pid}-${++made}`,
    origin: "shop",
    response_url: "https://shop.example/paid?cart=7",
    total: "100.00",
    email: "customer@example.com",
    ...fields,
  };
}

/** Without what is undefined; numbers and booleans as a form writes them, lists as JSON text. */
export function asForm(fields: Fields): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const textOf = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : String(value));
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

export type Encoding = "json" | "form" | "browser";

export const ENCODINGS: readonly Encoding[] = ["json", "form", "browser"];

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

export function ask(
  service: TestService,
  fields: Fields,
  encoding: Encoding = "json",
  more: RequestOptions = {},
): Promise<TestAnswer> {
  const body = encoding === "json" ? { json: fields } : { form: asForm(fields) };
  const headers = { ...(encoding === "browser" ? HTML : {}), ...more.headers };
  return service.request(PATH, { method: "POST", ...more, ...body, headers });
}

export async function countPayments(service: TestService): Promise<number> {
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select (select count(*) from transactions)::int + (select count(*) from checkout_sessions)::int
      + (select count(*) from events)::int as count`);
  return count;
}

/** Refused with these words, by the way that the encoding asks for, and nothing was written. */
export async function expectRefused(
  service: TestService,
  fields: Fields,
  encoding: Encoding,
  expected: { message: string; address?: string },
): Promise<TestAnswer> {
  const before = await countPayments(service);
  const answer = await ask(service, fields, encoding);
  const { message, address = errorAddress(fields, message) } = expected;
  if (encoding === "browser" && address !== "") {
    assert.equal(answer.status, 303, answer.text);
    assert.equal(withoutSignature(answer.headers.get("location") ?? ""), address);
  } else if (encoding === "browser") {
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.headers.get("location"), null);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
  } else {
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body.message, message);
    assert.equal(answer.body.transaction_id, "");
    assert.equal(withoutSignature(answer.body.url), address);
    assert.equal(answer.headers.get("location"), null);
  }
  assert.equal(await countPayments(service), before);
  return answer;
}

/** As Interface §2.4 and the decisions describe it, put together by hand. */
function errorAddress({ response_url: url, order_id: orderId = "" }: Fields, message: string) {
  const ours = new URLSearchParams();
  ours.set("status", "error");
  ours.set("message", message);
  ours.set("reasonDescription", message);
  ours.set("order_id", String(orderId));
  ours.set("transaction_id", "");
  return `${url}${String(url).includes("?") ? "&" : "?"}${ours}`;
}

function withoutSignature(address: string): string {
  return address.replace(/&signature=[0-9a-f]{64}/, "");
}
