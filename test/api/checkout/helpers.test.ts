/** The guarantee: a shop can ask what it may offer, and need not ask again (Interface §4.4). */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const get = (path: string, headers = {}) => service.request(`/plugins/get/${path}`, { headers });

test("what each of them tells", async () => {
  assert.deepEqual((await get("currencies?country_code=TT")).body, ["TTD", "USD"]);
  assert.deepEqual((await get("currencies?country_code=GD")).body, ["XCD", "USD"]);
  const all = (await get("currencies")).body;
  assert.deepEqual([...all].sort(), ["BBD", "GYD", "JMD", "TTD", "USD", "XCD"]);
  assert.deepEqual((await get("environments")).body, ["live", "sandbox"]);
  assert.deepEqual((await get("fee_structures")).body, {
    customer_pay: "Customer Pay",
    merchant_absorb: "Merchant Absorb",
    split: "Split",
  });
  const states = (await get("states?country_code=US")).body;
  assert.equal(states["US-CA"], "California");
  assert.deepEqual((await get("states?country_code=SX")).body, {});
});

describe("a wrong question is refused", () => {
  const cases: [path: string, message: string][] = [
    ["states", "The country code field is required."],
    ["states?country_code=us", "The country code format is invalid."],
    ["states?country_code=USA", "The country code must not be longer than 2 characters."],
    ["currencies?country_code=US", "The country code must be one of: BB, GD, GY, JM, TT."],
  ];
  for (const [path, message] of cases)
    test(path, async () => {
      const { status, body } = await get(path);
      assert.deepEqual([status, body], [400, { message }]);
    });
});

describe("each may be kept", () => {
  for (const path of ["states?country_code=US", "currencies", "environments", "fee_structures"])
    test(path, async () => {
      const first = await get(path, { accept: "image/png" });
      assert.equal(first.status, 200);
      assert.equal(first.headers.get("cache-control"), "public, max-age=3600");
      const etag = first.headers.get("etag") ?? "";
      assert.match(etag, /^"[\w-]{22}"$/);
      for (const known of [etag, `"x", ${etag}`, `W/${etag}`, "*"]) {
        const again = await get(path, { "if-none-match": known });
        assert.deepEqual([again.status, again.text], [304, ""]);
        assert.equal(again.headers.get("etag"), etag);
      }
      assert.equal((await get(path, { "if-none-match": '"other"' })).status, 200);
      const head = await service.request(`/plugins/get/${path}`, { method: "HEAD" });
      assert.deepEqual([head.status, head.text], [200, ""]);
      assert.equal(head.headers.get("etag"), etag);
      const options = await service.request(`/plugins/get/${path}`, { method: "OPTIONS" });
      assert.equal(options.headers.get("allow"), "GET, HEAD, OPTIONS");
    });
});
