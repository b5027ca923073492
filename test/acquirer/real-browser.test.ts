/**
 * The guarantee: the fake gateway's pages work in a real browser, in a sandboxed frame as on the
 * payment page, so that tests of the payment page can rely on them: fingerprint, question, post
 * back; and without scripts the document stands still, as the acquirer's does.
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { createCaller, saleRequest } from "../../testkit/powertranz/caller.ts";
import { startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { assertFakeInvariant } from "../../testkit/powertranz/invariant.ts";

const fake = await startPowertranzFake();
const { post, complete } = createCaller(fake);
const browser = await startBrowser();

/** The shop: `/` frames `/frame`, and `/back` takes the post. */
let framed = "";
const posted: { fields: URLSearchParams; origin: string | undefined }[] = [];
const shop = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString();
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (request.url === "/frame") return void response.end(framed);
  if (request.url !== "/back")
    return void response.end(
      `<!doctype html><html lang="en"><title>Shop</title>
<meta name="viewport" content="width=device-width"><main><h1>Shop</h1><iframe src="/frame"
title="Your bank" sandbox="allow-scripts allow-forms"
style="width: 100%; height: 38rem; border: 0"></iframe></main></html>`,
    );
  posted.push({ fields: new URLSearchParams(text), origin: request.headers.origin });
  response.end("<!doctype html><html lang=en><title>Back</title><h1>Back at the shop</h1></html>");
});
await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
after(async () => {
  await browser.close();
  await fake.stop();
  shop.closeAllConnections();
  shop.close();
});

async function open(number: string, options: BrowserContextOptions) {
  const extended = { MerchantResponseUrl: `${shopUrl}/back` };
  const request = saleRequest({ card: { CardPan: number }, extended });
  const { body } = await post("spi/sale", request);
  framed = body.RedirectData;
  const page = await browser.page(options);
  const complaints = complaintsAbout(page);
  await page.goto(shopUrl);
  return { page, frame: page.frameLocator("iframe"), complaints, token: String(body.SpiToken) };
}

const WAYS: [string, BrowserContextOptions][] = [
  ["on a phone", PHONE],
  ["on a desktop, in the dark", { ...DESKTOP, colorScheme: "dark" }],
];

describe("the fake gateway in a browser", () => {
  for (const [way, options] of WAYS)
    test(`fingerprint, a wrong password, the right one, post back ${way}`, async () => {
      const { page, frame, complaints, token } = await open("4012010000020005", options);
      await frame.getByLabel("Password").fill("wrong");
      await frame.getByRole("button", { name: "Submit" }).click();
      await frame.getByText("Wrong password. 2 tries are left.").waitFor();
      assert.deepEqual(await axeViolations(page), []);
      const { SCREENSHOTS } = process.env;
      if (SCREENSHOTS !== undefined)
        await page.screenshot({ path: `${SCREENSHOTS}/fake bank ${way}.png`, fullPage: true });
      await frame.getByLabel("Password").fill("3ds2");
      await frame.getByRole("button", { name: "Submit" }).click();
      await frame.getByText("Back at the shop").waitFor();
      assert.deepEqual(
        [posted.at(-1)?.fields.get("SpiToken"), posted.at(-1)?.origin],
        [token, "null"],
      );
      assert.deepEqual(complaints, []);
      assert.equal((await complete(token)).body.Approved, true);
      await assertFakeInvariant(fake);
    });

  test("Cancel is N, and a card without a challenge comes back by itself", async () => {
    const cancelled = await open("4012000000020006", PHONE);
    await cancelled.frame.getByRole("button", { name: "Cancel" }).click();
    await cancelled.frame.getByText("Back at the shop").waitFor();
    assert.equal((await complete(cancelled.token)).body.IsoResponseCode, "12");
    const quick = await open("4012000000020071", PHONE);
    await quick.frame.getByText("Back at the shop").waitFor();
    assert.equal((await complete(quick.token)).body.IsoResponseCode, "00");
  });

  test("without scripts nothing happens", async () => {
    const before = posted.length;
    const { page } = await open("4012000000020071", { ...PHONE, javaScriptEnabled: false });
    assert.equal(page.frames().at(-1)?.url(), `${shopUrl}/frame`);
    assert.equal(posted.length, before);
    await page.close();
  });
});
