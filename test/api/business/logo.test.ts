/**
 * The logo: set, replaced, removed, served under an address that changes with it, in its own
 * proportions and as nothing but pixels (Decision 0093).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import sharp from "sharp";
import { fixture, multipart } from "../../../testkit/pictures.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService({ settings: { LIMIT_LOGO: "1000" } });
after(() => service.stop());

const form = (content: Buffer) => ({
  raw: multipart([{ name: "logo", content, fileName: "logo.png", type: "image/png" }]),
});

async function shop() {
  const who = await service.world.merchant();
  const { access_token: token } = await who.signIn();
  const url = async () =>
    (await service.request("/user/business", { token })).body.data.logo_url as string | null;
  const send = (content: Buffer) =>
    service.request("/user/logo", { method: "POST", token, ...form(content) });
  const remove = () => service.request("/user/logo", { method: "DELETE", token });
  const path = async () => new URL((await url()) ?? "").pathname;
  return { who, token, url, path, send, remove };
}

const wide = await sharp({
  create: { width: 900, height: 100, channels: 3, background: "#0b5c66" },
})
  .png()
  .toBuffer();

test("is added, replaced under another address, and removed", async () => {
  const { url, path, send, remove } = await shop();
  assert.equal(await url(), null);
  assert.equal((await send(wide)).status, 201);
  const first = await path();
  const served = await fetch(service.url + first);
  const { width, height, format } = await sharp(await served.bytes()).metadata();
  assert.deepEqual([width, height, format], [480, 53, "png"]);
  assert.equal(served.headers.get("content-security-policy"), "default-src 'none'; sandbox");
  assert.match(served.headers.get("cache-control") ?? "", /immutable/);
  assert.equal((await send(fixture("librsvg.svg"))).status, 200);
  assert.notEqual(await path(), first);
  assert.equal((await service.request(first)).status, 404);
  assert.equal((await remove()).status, 200);
  assert.equal(await url(), null);
  assert.deepEqual((await remove()).body, { message: "No logo exists." });
});

test("a file that is no picture is refused in words of a logo, and nothing changes", async () => {
  const { url, send, token } = await shop();
  const answer = await send(Buffer.from("hello"));
  assert.equal(answer.status, 400);
  const sentence = "The logo must be a file of type: bmp, gif, jpeg, jpg, png, svg.";
  assert.deepEqual(answer.body, { message: sentence });
  const none = await service.request("/user/logo", { method: "POST", token, form: {} });
  assert.equal(none.status, 400);
  assert.equal(await url(), null);
});

test("of several at once one is kept, and one of them was the first", async () => {
  const { path, send } = await shop();
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(wide)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 201]);
  assert.equal((await service.request(await path())).status, 200);
});

test("a sandbox key changes none", async () => {
  const { who, url } = await shop();
  const { key } = await who.makeKey();
  const answer = await service.request("/user/logo", { method: "POST", key, ...form(wide) });
  assert.equal(answer.status, 403);
  assert.equal(await url(), null);
});
