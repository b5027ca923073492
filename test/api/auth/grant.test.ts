/** Signing in answers exactly as Interface §2.1, §5 and §7 say. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startService, type TestService } from "../../support/service.ts";
import { PASSWORD, type Person } from "../../support/world.ts";

describe("POST /auth/tokens", () => {
  let service: TestService;
  let shop: Person;
  before(async () => {
    service = await startService();
    shop = await service.world.merchant();
  });
  after(() => service.stop());

  for (const encoding of ["form", "json"] as const)
    test(`good credentials as ${encoding} answer 200 with a pair of tokens`, async () => {
      const answer = await service.request("/auth/tokens", {
        method: "POST",
        [encoding]: { email: shop.email, password: PASSWORD, scopes: "svc-user-all" },
      });
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.body), [
        "message",
        "token_type",
        "expires_in",
        "access_token",
        "refresh_token",
      ]);
      assert.equal(answer.body.expires_in, 43200);
      const whoami = await service.request("/auth/whoami", { token: answer.body.access_token });
      assert.equal(whoami.body.data.account_number, shop.accountNumber);
    });
});
