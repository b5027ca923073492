/**
 * The payment page is its merchant's: the name, logo and colour of the business, escaped, and the
 * holder's names where there is none (Decision 0093).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ask, minimal } from "../../../testkit/payment-requests.ts";
import { multipart } from "../../../testkit/pictures.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const SVG = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="100"><rect width="960"
  height="100" fill="teal"/></svg>`,
);

const who = await service.world.merchant();
const { access_token: token } = await who.signIn();

async function page() {
  const { body } = await ask(service, minimal(who.accountNumber));
  return (await service.request(new URL(body.url).pathname)).text;
}

const change = (json: object) =>
  service.request("/user/business", { method: "PATCH", token, json });

test("without a profile it names the holder and has our colour", async () => {
  const text = await page();
  assert.ok(text.includes("<bdi>Test merchant</bdi>"));
  assert.doesNotMatch(text, /accent-|class="logo"/);
});

test("shows name, logo and colour", async () => {
  await change({ business_name: `Sea <b>"Grape"</b>`, accent_colour: "#FFE08A" });
  const logo = multipart([
    { name: "logo", content: SVG, fileName: "a.svg", type: "image/svg+xml" },
  ]);
  await service.request("/user/logo", { method: "POST", token, raw: logo });
  const text = await page();
  assert.match(text, /<bdi>Sea &lt;b&gt;&quot;Grape&quot;&lt;\/b&gt;<\/bdi>/);
  assert.match(
    text,
    /<img class="logo" src="\/logos\/[0-9a-f]{32}" width="480" height="50" alt="">/,
  );
  const style = /href="(\/checkout\/assets\/accent-ffe08a\.[0-9a-f]+\.css)"/.exec(text)?.[1];
  const css = await service.request(style ?? "");
  assert.equal(css.headers.get("content-type"), "text/css; charset=utf-8");
  assert.match(css.text, /--accent:#ffe08a;--on-accent:#000;/);
});

test("a colour that no page links is not served", async () => {
  const made = "/checkout/assets/accent-123456.0123456789abcdef.css";
  assert.equal((await service.request(made)).status, 404);
});
