/** The QR codes of a payment link are read back by another library, and lead to the link. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import jsqr from "jsqr";
import sharp from "sharp";
import { makeLink } from "../../../testkit/payment-links.ts";
import { startService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const service = await startService();
after(() => service.stop());
const { token } = await openShop(service);

async function scan(picture: Buffer, width: number): Promise<string | undefined> {
  const { data, info } = await sharp(picture, { density: 300 })
    .resize({ width, kernel: "nearest" })
    .flatten({ background: "#fff" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

for (const kind of ["svg", "png"] as const)
  test(`as ${kind}, large and small`, async () => {
    const link = await makeLink(service, { token });
    const { pathname } = new URL(link[`qr_${kind}_url`]);
    const answer = await fetch(service.url + pathname);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", kind === "svg" ? /svg/ : /png/);
    assert.match(answer.headers.get("cache-control") ?? "", /public, max-age=\d{5,}/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert(bytes.length < 20_000, `${bytes.length} bytes`);
    for (const width of [600, 200]) assert.equal(await scan(bytes, width), link.url);
  });

test("of no link is 404", async () => {
  assert.equal((await service.request("/pay/22222222222222/qr.svg")).status, 404);
});

test("the button's script may be run by any site, and is small", async () => {
  const { status, headers, text } = await service.request("/pay/button.js", {
    headers: { origin: "https://shop.example" },
  });
  assert.equal(status, 200);
  assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
  assert.match(headers.get("content-type") ?? "", /javascript/);
  assert(text.length < 6_000, `${text.length} characters`);
});
