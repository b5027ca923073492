/**
 * A shop, a payment service and a browser: what a test of the payment page needs. The shop stands
 * on another site than the page, as shops do.
 */

import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { sql } from "../src/infra/db/query.ts";
import { expectBooksToBalance } from "./books.ts";
import { DESKTOP, PHONE, startBrowser, type TestBrowser } from "./browser.ts";
import { freePort } from "./free-port.ts";
import { startService, type TestService } from "./service.ts";
import { sweepCheckouts } from "./sweeps.ts";
import type { Person } from "./world.ts";

export const CARD = {
  approved: "4111111111111111",
  mastercard: "5111111111111111",
  declined: "4111111111113333",
  wrongCvv: "4666666666662222",
  challenged: "4111111111112010",
  silent: "4111111111112020",
  slow: "4111111111112030",
  unknown: "4111111111112040",
} as const;

/** Every way in which a customer may come. */
const ALL_WAYS: readonly [string, BrowserContextOptions][] = [
  ["on a phone", PHONE],
  ["on a desktop without JavaScript", { ...DESKTOP, javaScriptEnabled: false }],
  ["on a desktop", DESKTOP],
  ["on a phone without JavaScript", { ...PHONE, javaScriptEnabled: false }],
];

/** Both screens and both kinds of browser; every pair of them with `npm run test:browsers`. */
export const WAYS = process.env.BROWSER_WAYS === "all" ? ALL_WAYS : ALL_WAYS.slice(0, 2);

export interface Shop {
  readonly url: string;
  readonly service: TestService;
  readonly browser: TestBrowser;
  readonly merchant: Person;
  /** What the shop's page was told, newest last. */
  readonly results: URL[];
  /** Opens a payment and gives the address of its page. */
  order(fields?: Record<string, string>): Promise<{ url: string; transactionId: string }>;
  /** Approved and other sales that the gateway has seen for a payment. */
  sales(transactionId: string): Promise<{ outcome: string | null }[]>;
  statusOf(transactionId: string): Promise<string>;
  sweep(): Promise<void>;
  /** Proves that the books balance, and ends everything. */
  close(): Promise<void>;
}

export async function openShop(settings: Record<string, string> = {}): Promise<Shop> {
  const port = await freePort();
  const service = await startService({ settings: { PORT: String(port), ...settings } });
  const browser = await startBrowser();
  const merchant = await service.world.merchant();
  const results: URL[] = [];
  const server = http.createServer((request, response) => answer(request, response, results));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A name of its own makes it another site; browsers lead every such name to this machine.
  const url = `http://shop.localhost:${(server.address() as AddressInfo).port}`;
  const { db } = service.ctx;
  let orders = 0;
  return {
    url,
    service,
    browser,
    merchant,
    results,
    async order(fields = {}) {
      orders += 1;
      const form = {
        account_number: merchant.accountNumber,
        country_code: "TT",
        currency: "TTD",
        environment: "sandbox",
        fee_structure: "customer_pay",
        method: "credit_card_co",
        order_id: `order-${orders}`,
        origin: "shop",
        response_url: `${url}/back?shelf=7`,
        total: "100.00",
        email: "maya@example.com",
        ...fields,
      };
      const asked = await service.request("/plugins/payments/request", { method: "POST", form });
      assert.equal(asked.status, 200, asked.text);
      return { url: asked.body.url, transactionId: asked.body.transaction_id };
    },
    sales: (transactionId) =>
      db.rows(sql`
        select outcome from simulator_sales where transaction_id = ${transactionId}
        order by done_at`),
    async statusOf(transactionId) {
      const row = await db.one<{ status: string }>(sql`
        select status from transactions where transaction_id = ${transactionId}`);
      return row.status;
    },
    sweep: () => sweepCheckouts(service.ctx),
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await expectBooksToBalance(db);
      await service.stop();
    },
  };
}

/** The shop: shows what it was told or what a test has written, frames the page, or is silent. */
function answer(request: http.IncomingMessage, response: http.ServerResponse, results: URL[]) {
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  if (url.pathname === "/favicon.ico") return void response.writeHead(404).end();
  if (url.pathname === "/silent") return void results.push(url);
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (url.pathname === "/frame") {
    const page = url.searchParams.get("page");
    return void response.end(
      `<!doctype html><html lang="en"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><main><h1>Shop</h1>
<iframe src="${page}" title="Pay" style="width: 100%; height: 900px; border: 0"></iframe></main>`,
    );
  }
  if (url.pathname === "/site") {
    const policy = url.searchParams.get("policy");
    if (policy !== null) response.setHeader("content-security-policy", policy);
    return void response.end(url.searchParams.get("html"));
  }
  results.push(url);
  response.end(`<h1>Shop</h1><p id="status">${url.searchParams.get("status")}</p>`);
}

/** Where a person types: a page, or a frame in one. */
type Typing = Pick<Page, "locator">;

export async function fillCard(
  page: Typing,
  fields: { number: string } & Record<string, string>,
): Promise<void> {
  const { number, ...others } = fields;
  const all = { number, expiry: "09 / 35", cvv: "123", holder: "Maya Joseph", ...others };
  for (const [name, value] of Object.entries(all)) {
    const field = page.locator(`#${name}`);
    await unfold(field);
    if ((await field.evaluate((each) => each.tagName)) === "SELECT")
      await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Opens what a field is folded away in, as a person does: without scripts, too. */
export async function unfold(field: Locator): Promise<void> {
  const summary = field.locator("xpath=ancestor::details[not(@open)]/summary");
  if ((await summary.count()) > 0) await summary.click();
}

export function payButton(page: Typing): Locator {
  return page.locator("#pay");
}

export async function pay(
  page: Typing,
  fields: { number: string } & Record<string, string>,
): Promise<void> {
  await fillCard(page, fields);
  await payButton(page).click();
}

/** The result that the shop was told, once the browser is there. */
export async function atShop(page: Page, shop: Shop): Promise<URLSearchParams> {
  const arrives = () => page.waitForURL(`${shop.url}/**`);
  // Of two clicks the second gives up what the first had asked for, and still leads there.
  await arrives().catch((error: Error) =>
    error.message.includes("ERR_ABORTED") ? arrives() : Promise.reject(error),
  );
  return new URL(page.url()).searchParams;
}
