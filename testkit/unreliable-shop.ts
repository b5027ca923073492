/**
 * A shop whose customers have a network that fails where a test says, and what holds at the end of
 * each of their payments (Decision 0096): how often the card was charged, what the record says,
 * that the books balance, and which sentence the customer read.
 */

import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expectBooksToBalance } from "./books.ts";
import { PHONE } from "./browser.ts";
import { type FailingNetwork, startFailingNetwork } from "./failing-network.ts";
import { freePort } from "./free-port.ts";
import { atShop, openShop, type Shop } from "./shop.ts";

export interface UnreliableShop extends Shop {
  readonly network: FailingNetwork;
  open(options?: BrowserContextOptions): Promise<Payment>;
  /** What the gateway did, in no order, the record's status, and that the books balance. */
  expectEnd(transactionId: string, end: PaymentEnd): Promise<void>;
  /** The shop was told of a success, for one charge. */
  expectPaidOnce(payment: Payment, declines?: number): Promise<void>;
}

interface Payment {
  readonly page: Page;
  readonly url: string;
  readonly transactionId: string;
}

interface PaymentEnd {
  readonly outcomes: readonly string[];
  readonly status: string;
}

export async function openUnreliableShop(): Promise<UnreliableShop> {
  const port = await freePort();
  const network = await startFailingNetwork(port);
  const shop = await openShop({ PORT: String(port), PUBLIC_URL: network.url });
  const { db } = shop.service.ctx;

  async function expectEnd(transactionId: string, { outcomes, status }: PaymentEnd) {
    const sales = await shop.sales(transactionId);
    assert.deepEqual(sales.map(({ outcome }) => outcome).sort(), [...outcomes]);
    assert.equal(await shop.statusOf(transactionId), status);
    await expectBooksToBalance(db);
  }

  return {
    ...shop,
    network,
    async open(options = PHONE) {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      return { page, url, transactionId };
    },
    expectEnd,
    async expectPaidOnce({ page, transactionId }, declines = 0) {
      assert.equal((await atShop(page, shop)).get("status"), "success");
      const outcomes = ["approved", ...Array.from({ length: declines }, () => "declined")];
      await expectEnd(transactionId, { outcomes, status: "success" });
    },
    async close() {
      await shop.close();
      await network.close();
    },
  };
}

export const noticeOf = (page: Page) => page.locator("#notice");
export const tryAgain = (page: Page) => page.getByRole("button", { name: "Try again" });

/** The sentence of an answer that was lost, whole. */
export async function expectLost(page: Page): Promise<void> {
  await tryAgain(page).waitFor();
  assert.equal(
    await noticeOf(page).innerText(),
    "The connection was lost\n\n" +
      "We do not know yet whether your details reached us. Try again: you will not be charged " +
      "twice.\n\nEverything you typed is still here.\n\nTry again",
  );
}

export async function expectTyped(page: Page, number: string): Promise<void> {
  const values = { number, expiry: "09 / 35", cvv: "123", holder: "Maya Joseph" };
  for (const [name, value] of Object.entries(values))
    assert.equal(await page.locator(`#${name}`).inputValue(), value, name);
}
