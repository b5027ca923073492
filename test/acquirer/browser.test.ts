/**
 * The guarantee: what the customer's browser goes through at the fake gateway is what the acquirer
 * describes, and a browser's word completes nothing.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, describe, test } from "node:test";
import { createCaller, saleRequest } from "../../testkit/powertranz/caller.ts";
import { CARDS, describeCard } from "../../testkit/powertranz/cards.ts";
import { startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { assertFakeInvariant } from "../../testkit/powertranz/invariant.ts";
import {
  BrowserStandsStill,
  openConductor,
  playBrowser,
} from "../../testkit/powertranz/play-browser.ts";
import { fabricate, forge, postBack } from "../../testkit/powertranz/post-back.ts";
import { startReceiver } from "../../testkit/receivers.ts";

const fake = await startPowertranzFake();
const shop = await startReceiver();
const { control } = fake;
const { post, complete } = createCaller(fake);
afterEach(() => assertFakeInvariant(fake));
after(async () => {
  await fake.stop();
  await shop.close();
});

const CHALLENGED = "4012000000020006";
const prepare = async (number: string, changes = {}) => {
  const extended = { MerchantResponseUrl: shop.url };
  const request = saleRequest({ card: { CardPan: number }, extended, ...changes });
  return (await post("spi/sale", request)).body;
};
const statusIn = (fields: { Response: string }) =>
  JSON.parse(fields.Response).RiskManagement.ThreeDSecure.AuthenticationStatus;

describe("4: RedirectData", () => {
  test("is a document with one form to the Conductor and no button", async () => {
    const { RedirectData, SpiToken, Approved } = await prepare(CHALLENGED);
    assert.equal(Approved, false);
    assert.equal(RedirectData.match(/<form/g).length, 1);
    assert.ok(RedirectData.includes(`action="${fake.url}spi/Conductor"`));
    assert.ok(RedirectData.includes(`name="powertranz_spi"`));
    assert.ok(RedirectData.includes(`name="SpiToken" value="${SpiToken}"`));
    assert.ok(!/<button|type="submit"/.test(RedirectData));
  });
});

describe("5: every card of the table", () => {
  for (const card of CARDS)
    for (const number of card.numbers)
      test(`${number}: ${describeCard(card)}`, async () => {
        const prepared = await prepare(number);
        const { fields, returnUrl, pages } = await playBrowser(prepared.RedirectData);
        assert.equal(returnUrl, shop.url);
        assert.equal(
          pages.some((page) => page.includes("<iframe")),
          card.fingerprint === true,
        );
        assert.equal(
          pages.some((page) => page.includes("Fake Bank")),
          card.challenge === true,
        );
        assert.equal(statusIn(fields), card.status === "none" ? undefined : card.status);
        const response = JSON.parse(fields.Response);
        assert.equal(response.IsoResponseCode, card.status === "none" ? "3D1" : "3D0");
        assert.equal(response.Approved, false);
        assert.deepEqual(
          [fields.TransactionIdentifier, fields.SpiToken],
          [prepared.TransactionIdentifier, prepared.SpiToken],
        );
        const { body } = await complete(fields.SpiToken);
        assert.deepEqual([body.IsoResponseCode, body.Approved], [card.code, card.code === "00"]);
      });
});

describe("5: the challenge", () => {
  test("asks again after a wrong password, and the right one is in time", async () => {
    const { RedirectData } = await prepare(CHALLENGED);
    const { fields, pages } = await playBrowser(RedirectData, { passwords: ["a", "b", "3ds2"] });
    assert.ok(pages.some((page) => page.includes("Wrong password. 1 try is left.")));
    assert.equal(statusIn(fields), "Y");
  });

  test("three wrong passwords or Cancel are N, and the completion is refused", async () => {
    for (const options of [{ passwords: ["a", "b", "c"] }, { cancel: true }] as const) {
      const { RedirectData, SpiToken } = await prepare(CHALLENGED);
      const { fields } = await playBrowser(RedirectData, options);
      assert.equal(statusIn(fields), "N");
      assert.equal((await complete(SpiToken)).body.IsoResponseCode, "12");
    }
  });

  test("shows the amount, unless the authentication is not for a payment", async () => {
    const shown = await playBrowser((await prepare(CHALLENGED)).RedirectData);
    assert.ok(shown.pages.some((page) => page.includes("120.50 TTD")));
    const ThreeDSecure = { MessageCategory: "02" };
    const ExtendedData = { MerchantResponseUrl: shop.url, ThreeDSecure };
    const secret = await playBrowser((await prepare(CHALLENGED, { ExtendedData })).RedirectData);
    assert.ok(!secret.pages.some((page) => page.includes("120.50")));
  });
});

describe("3: a return URL in the wrong place", () => {
  test("is SP4, and then the browser is never sent back", async () => {
    const ThreeDSecure = { MerchantResponseUrl: shop.url };
    const prepared = await prepare(CHALLENGED, { ExtendedData: { ThreeDSecure } });
    assert.equal(prepared.IsoResponseCode, "SP4");
    await assert.rejects(playBrowser(prepared.RedirectData), BrowserStandsStill);
  });
});

describe("14: an expired token", () => {
  test("shows an error page without a post back, and spi/payment refuses", async () => {
    const { RedirectData, SpiToken } = await prepare("4012000000020071");
    const late = await prepare("4012000000020071");
    await playBrowser(late.RedirectData);
    await control.advance(301);
    await assert.rejects(playBrowser(RedirectData), ({ page }) => /has expired/.test(page));
    assert.equal((await complete(SpiToken)).body.IsoResponseCode, "12");
    assert.equal((await complete(late.SpiToken)).body.IsoResponseCode, "12");
  });
});

describe("15 and 16: a browser that misbehaves", () => {
  test("posts before the challenge has ended: spi/payment refuses, and works afterwards", async () => {
    const { RedirectData, SpiToken, TransactionIdentifier } = await prepare(CHALLENGED);
    await openConductor(RedirectData);
    const early = fabricate({
      returnUrl: shop.url,
      transactionIdentifier: TransactionIdentifier,
      spiToken: SpiToken,
      status: "Y",
    });
    await postBack(early);
    assert.equal((await complete(early.fields.SpiToken)).body.IsoResponseCode, "12");
    await playBrowser(RedirectData);
    assert.equal((await complete(SpiToken)).body.IsoResponseCode, "00");
  });

  test("posts Y instead of N: spi/payment refuses", async () => {
    const { RedirectData, SpiToken } = await prepare("4012000000020121");
    const forged = forge(await playBrowser(RedirectData), { status: "Y" });
    assert.equal(statusIn(forged.fields), "Y");
    assert.equal((await complete(SpiToken)).body.IsoResponseCode, "12");
  });

  test("posts twice, another identifier and token, broken JSON, 60 KB, fields repeated, by GET", async () => {
    const played = await playBrowser((await prepare(CHALLENGED)).RedirectData);
    const received = () => shop.received.slice(-1).map(({ body }) => new URLSearchParams(body))[0];
    const before = shop.received.length;
    await postBack(played, { times: 2 });
    assert.equal(shop.received.length, before + 2);
    assert.equal(shop.received.at(-1)?.headers.origin, "null");
    const transactionIdentifier = randomUUID();
    await postBack(forge(played, { transactionIdentifier, spiToken: "x", response: "{" }));
    assert.deepEqual(
      [...(received() ?? [])],
      [
        ["Response", "{"],
        ["TransactionIdentifier", transactionIdentifier],
        ["SpiToken", "x"],
      ],
    );
    await postBack(forge(played, { responseBytes: 60_000 }), { more: [["SpiToken", "y"]] });
    assert.equal(received()?.get("Response")?.length, 60_000);
    assert.equal(received()?.getAll("SpiToken").length, 2);
    const [answer] = await postBack(played, { method: "GET" });
    assert.equal(answer?.status, 204);
  });

  test("comes back after the completion: the Conductor shows an error page", async () => {
    const { RedirectData, SpiToken } = await prepare(CHALLENGED);
    await playBrowser(RedirectData);
    await complete(SpiToken);
    await assert.rejects(playBrowser(RedirectData), ({ page }) => /has been completed/.test(page));
  });

  test("never comes back: nothing is charged", async () => {
    const { TransactionIdentifier } = await prepare(CHALLENGED);
    const truth = await control.transaction(TransactionIdentifier);
    assert.deepEqual(
      [truth.code, truth.isApproved, truth.authentication],
      [undefined, false, "start"],
    );
  });
});
