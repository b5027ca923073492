/** A customer of live payments over HTTP: the page, the card, the bank's frame and the way back. */

import assert from "node:assert/strict";
import { formToken } from "../../../src/modules/checkout/page/form-token.ts";
import { type Order, openByRequest } from "../../../testkit/checkout-sessions.ts";
import { minimal } from "../../../testkit/payment-requests.ts";
import {
  type BrowserOptions,
  type PlayedBrowser,
  playBrowser,
} from "../../../testkit/powertranz/play-browser.ts";
import type { TestAnswer, TestService } from "../../../testkit/service.ts";
import { openShop, type Shop } from "../../../testkit/transactions.ts";
import { ASKED, type Live } from "./support.ts";

/** As a merchant asks for it: 100.00 TTD unless the fields say otherwise. */
export async function openLive(
  { service }: Pick<Live, "service">,
  fields: Record<string, unknown> = {},
  shop?: Shop,
): Promise<Order> {
  const merchant = shop ?? (await openShop(service));
  return openByRequest(
    service,
    merchant,
    minimal(merchant.accountNumber, { environment: "live", ...fields }),
  );
}

/** The form of the page, as a browser sends it. */
export function submitOver(
  service: TestService,
  { token }: Order,
  typed: Record<string, string> = {},
): Promise<TestAnswer> {
  return service.request(`/checkout/${token}`, {
    method: "POST",
    headers: { origin: service.url },
    form: {
      form_token: formToken(service.ctx.config, token),
      attempts: "0",
      number: ASKED,
      expiry: "12/39",
      cvv: "739",
      holder: "Anika Mohammed",
      ...typed,
    },
  });
}

/** The browser at the bank; what it would post is led to this service. */
export async function visitBank(
  service: TestService,
  { token }: Order,
  options: BrowserOptions = {},
): Promise<PlayedBrowser> {
  const frame = await service.request(`/checkout/${token}/challenge/document`);
  assert.equal(frame.status, 200, frame.text);
  const played = await playBrowser(frame.text, options);
  const { pathname } = new URL(played.returnUrl);
  assert.equal(pathname, `/checkout/${token}/challenge`);
  return { ...played, returnUrl: service.url + pathname };
}

export async function recordOf(service: TestService, { id, shop }: Order) {
  const answer = await service.request(`/transactions/${id}`, { token: shop.token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/** Where the page leads now: the merchant's address with the result. */
export async function resultOver(service: TestService, { token }: Order): Promise<URL> {
  const page = await service.request(`/checkout/${token}?waiting=1`);
  const [, address] = /href="(https:\/\/shop[^"]+)"/.exec(page.text) ?? [];
  assert(address !== undefined, page.text);
  return new URL(address.replaceAll("&amp;", "&"));
}
