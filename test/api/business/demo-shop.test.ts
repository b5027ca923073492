/**
 * The development world has one account with a business of its own: Sea Grape Books, with a colour
 * and the logo that our own decoder draws. The others have none, so that both can be seen.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { DEMO_ACCOUNTS, seedDemoWorld } from "../../../src/demo-world.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
await seedDemoWorld(service.ctx);

const fileOf = (name: string) => readFileSync(new URL(`../../../src/${name}`, import.meta.url));

async function businessOf(accountNumber: string) {
  const { token } = await mintToken(service.ctx, { accountNumber }, ["svc-user-retrieve"]);
  return (await service.request("/user/business", { token })).body.data;
}

test("1234567890 is Sea Grape Books, with a colour and a logo", async () => {
  const { logo_url, ...profile } = await businessOf("1234567890");
  assert.equal(profile.business_name, "Sea Grape Books");
  assert.match(profile.accent_colour, /^#[0-9a-f]{6}$/);
  const served = await fetch(service.url + new URL(logo_url).pathname);
  assert.equal(served.headers.get("content-type"), "image/png");
  assert(fileOf("demo-logo.png").equals(Buffer.from(await served.arrayBuffer())));
});

test("its logo is what an upload of the drawing would be stored as", async () => {
  const drawn = await service.ctx.images.toLogo(fileOf("demo-logo.svg"));
  assert(drawn.equals(fileOf("demo-logo.png")), "draw src/demo-logo.png anew");
});

test("the others have neither", async () => {
  for (const { accountNumber } of DEMO_ACCOUNTS.slice(1)) {
    const values = Object.values(await businessOf(accountNumber));
    assert(
      values.every((value) => value === null),
      accountNumber,
    );
  }
});
