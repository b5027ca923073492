/**
 * The profile shows an account holder everything about themselves and nothing of anybody else's
 * (Interface §2.6, Decision 0020).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { bank, FOREIGN_BANK, signedIn, TT_BANK } from "../../../testkit/banks.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const none = (currency: string) => ({
  currency,
  balance: "0.00",
  available: "0.00",
  held: "0.00",
});

describe("GET /user/", () => {
  test("shows the whole profile, in this shape and no other", async () => {
    const shop = await signedIn(service);
    const { status, body } = await service.request("/user/", { token: shop.token });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      message: "OK",
      data: {
        account_number: shop.accountNumber,
        account_type: "BUSINESS",
        country_code: "TT",
        email: shop.email,
        first_name: "Test",
        last_name: "merchant",
        phone: null,
        verified: true,
        balances: { local: none("TTD"), foreign: none("USD"), others: [] },
        bank_configured: { local: false, foreign: false },
        profile_picture: null,
      },
    });
  });

  test("is the same without the slash", async () => {
    const shop = await signedIn(service);
    const [one, other] = await Promise.all(
      ["/user/", "/user"].map((path) => service.request(path, { token: shop.token })),
    );
    assert.equal(one?.text, other?.text);
  });

  const CURRENCIES = { BB: "BBD", GD: "XCD", GY: "GYD", JM: "JMD", TT: "TTD" } as const;
  for (const [country, currency] of Object.entries(CURRENCIES))
    test(`has ${currency} as the local balance in ${country}`, async () => {
      const who = await signedIn(service, country as keyof typeof CURRENCIES);
      const { data } = (await service.request("/user/", { token: who.token })).body;
      assert.equal(data.country_code, country);
      assert.deepEqual(data.balances, {
        local: none(currency),
        foreign: none("USD"),
        others: [],
      });
    });

  test("tells which banks are set and whether the account is verified", async () => {
    const shop = await signedIn(service);
    const read = async () => (await service.request("/user/", { token: shop.token })).body.data;
    await bank(service, shop, "POST", "foreign", { json: FOREIGN_BANK });
    assert.deepEqual((await read()).bank_configured, { local: false, foreign: true });
    await bank(service, shop, "POST", "local", { json: TT_BANK });
    assert.deepEqual((await read()).bank_configured, { local: true, foreign: true });
    await bank(service, shop, "DELETE", "foreign");
    assert.deepEqual((await read()).bank_configured, { local: true, foreign: false });
    await service.ctx.db.run(sql`
      update accounts set verified_at = null where account_number = ${shop.accountNumber}`);
    assert.equal((await read()).verified, false);
  });

  test("is a PERSONAL account's too", async () => {
    const anne = await service.world.person({ countryCode: "GD" });
    const { token } = await mintToken(service.ctx, anne, ["svc-user-retrieve"]);
    const { data } = (await service.request("/user/", { token })).body;
    assert.deepEqual([data.account_type, data.email], ["PERSONAL", anne.email]);
  });
});

describe("the environment whose balances are asked for", () => {
  const get = (query: string, credential: { token?: string; key?: string }) =>
    service.request(`/user/${query}`, credential);

  test("may be live, sandbox or left out with a bearer token; another word is 400", async () => {
    const { token } = await signedIn(service);
    for (const query of ["", "?environment=", "?environment=live", "?environment=sandbox"])
      assert.equal((await get(query, { token })).status, 200);
    for (const query of ["?environment=test", "?environment=LIVE"]) {
      const answer = await get(query, { token });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.message, "The environment must be one of: live, sandbox.");
    }
  });

  for (const [prefix, own, other] of [
    ["test", "sandbox", "live"],
    ["live", "live", "sandbox"],
  ] as const)
    test(`may be ${own} or left out with a ${prefix} key; ${other} is 400`, async () => {
      const shop = await signedIn(service);
      const { key } = await mintKey(service.ctx, shop, ["svc-user-retrieve"], { prefix });
      assert.equal((await get("", { key })).status, 200);
      assert.equal((await get(`?environment=${own}`, { key })).status, 200);
      const refused = await get(`?environment=${other}`, { key });
      assert.equal(refused.status, 400);
      assert.equal(refused.body.message, `The environment must be ${own} with this API key.`);
    });
});
