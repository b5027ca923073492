/**
 * Nobody can use up somebody else's limit: what is refused with 401 is not counted against the
 * credential it pretends to be, stolen or ended as it may be.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startService, type TestService } from "../../../testkit/service.ts";

const LIMIT = 10;
const THIEF = { "x-forwarded-for": "203.0.113.66" };

describe("a limit of ten in a minute", () => {
  let service: TestService;
  before(async () => {
    const settings = { LIMIT_GENERAL: String(LIMIT), TRUSTED_PROXIES: "127.0.0.1/32" };
    service = await startService({ settings });
  });
  after(() => service.stop());

  test("is not used up by a key that is refused by its address", async () => {
    const shop = await service.world.merchant();
    const { key } = await shop.makeKey(undefined, { allowed_cidrs: ["127.0.0.1"] });
    assert.equal((await service.request("/auth/whoami", { key })).status, 200);
    for (let i = 0; i < 3 * LIMIT; i++)
      assert.equal((await service.request("/auth/whoami", { key, headers: THIEF })).status, 401);
    assert.equal((await service.request("/auth/whoami", { key })).status, 200);
  });

  test("is not used up by an access token that has ended", async () => {
    const shop = await service.world.merchant();
    const first = await shop.signIn();
    assert.equal(
      (await service.request("/auth/whoami", { token: first.access_token })).status,
      200,
    );
    await service.clock.advance({ hours: 13 });
    const json = { refresh_token: first.refresh_token };
    const renewed = await service.request("/auth/tokens/refresh", { method: "POST", json });
    for (let i = 0; i < 3 * LIMIT; i++) {
      const answer = await service.request("/auth/whoami", { token: first.access_token });
      assert.equal(answer.status, 401);
    }
    const token = renewed.body.access_token;
    assert.equal((await service.request("/auth/whoami", { token })).status, 200);
  });
});
