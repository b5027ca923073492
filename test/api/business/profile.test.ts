/**
 * The business profile: what is left out stays, null or empty clears, each field by its rule, and a
 * sandbox key reads only (Decision 0093).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { startService } from "../../../testkit/service.ts";

const service = await startService({ settings: { LIMIT_BUSINESS: "1000" } });
after(() => service.stop());

const NOTHING = {
  business_name: null,
  website: null,
  support_email: null,
  support_phone: null,
  accent_colour: null,
  time_zone: null,
  language: null,
  logo_url: null,
};

async function shop() {
  const who = await service.world.merchant();
  const { access_token: token } = await who.signIn();
  return {
    who,
    token,
    read: async () => (await service.request("/user/business", { token })).body.data,
    change: (json: Record<string, unknown>) =>
      service.request("/user/business", { method: "PATCH", token, json }),
  };
}

test("says nothing at first, keeps what is left out, and clears what is null or empty", async () => {
  const { read, change, token } = await shop();
  assert.deepEqual(await read(), NOTHING);
  const all = {
    business_name: "Sea Grape Books",
    website: "https://seagrape.example.com/",
    support_email: "help@seagrape.example.com",
    support_phone: "+442079460000",
    accent_colour: "#0B5C66",
    time_zone: "America/Port_of_Spain",
    language: "es",
  };
  const changed = await change(all);
  const expected = { ...all, accent_colour: "#0b5c66", logo_url: null };
  assert.deepEqual(changed.body, { message: "OK", data: expected });
  await change({ language: null, website: "" });
  assert.deepEqual(await read(), { ...expected, language: null, website: null });
  const form = { support_phone: "", business_name: "Ä 書店" };
  await service.request("/user/business", { method: "PATCH", token, form });
  const { support_phone, business_name } = await read();
  assert.deepEqual([support_phone, business_name], [null, "Ä 書店"]);
});

describe("is refused, and nothing changes:", () => {
  for (const [field, wrong] of [
    ["business_name", "x".repeat(61)],
    ["business_name", "one\nline"],
    ["website", "seagrape.example.com"],
    ["website", "javascript:alert(1)"],
    ["website", "https://me:secret@seagrape.example.com"],
    ["website", `https://seagrape.example.com/${"x".repeat(255)}`],
    ["support_email", "nobody"],
    ["support_phone", "622-1234"],
    ["support_phone", "+1868"],
    ["accent_colour", "teal"],
    ["accent_colour", "#fff"],
    ["time_zone", "Port of Spain"],
    ["language", "de"],
    ["business_name", 7],
  ] as const)
    test(`${field} ${JSON.stringify(wrong).slice(0, 50)}`, async () => {
      const { read, change } = await shop();
      const answer = await change({ business_name: "Kept", [field]: wrong });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, new RegExp(field.replace("_", " ")));
      assert.deepEqual(await read(), NOTHING);
    });

  test("nothing at all", async () => {
    const { change } = await shop();
    const answer = await change({ unknown: 1 });
    assert.deepEqual(answer.body, { message: "Give at least one field of the business profile." });
  });
});

test("two changes at once are both kept", async () => {
  const { read, change } = await shop();
  await Promise.all([change({ language: "nl" }), change({ business_name: "Both" })]);
  const { language, business_name } = await read();
  assert.deepEqual([language, business_name], ["nl", "Both"]);
});

test("a sandbox key reads, and changes nothing", async () => {
  const { who, read } = await shop();
  const { key } = await who.makeKey();
  assert.equal((await service.request("/user/business", { key })).status, 200);
  const json = { business_name: "No" };
  const answer = await service.request("/user/business", { method: "PATCH", key, json });
  assert.equal(answer.status, 403);
  assert.deepEqual(await read(), NOTHING);
});
