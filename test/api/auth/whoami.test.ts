/** A credential can ask what it is: whose, for which environments and scopes, until when. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeJwt } from "jose";
import { UNAUTHORIZED, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

describe("GET /auth/whoami", () => {
  test("tells a person's bearer token all it allows, in both environments", async () => {
    const anne = await service.world.person({ countryCode: "GD" });
    const { access_token: token } = await anne.signIn("svc-user-all svc-withdrawals-create");
    const answer = await whoami(service, { token });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      message: "OK",
      data: {
        account_number: anne.accountNumber,
        account_type: "PERSONAL",
        country_code: "GD",
        main_merchant: false,
        credential: "bearer",
        kid: null,
        environments: ["live", "sandbox"],
        scopes: ["svc-user-all", "svc-withdrawals-create"],
        expires_at: new Date((decodeJwt(token).exp ?? 0) * 1000).toISOString(),
      },
    });
    assert.match(answer.body.data.account_number, /^[1-9][0-9]{9}$/);
  });

  for (const [environment, reaches] of [
    ["live", "live"],
    ["test", "sandbox"],
  ])
    test(`tells a ${environment} key that it reaches ${reaches} data only`, async () => {
      const main = await service.world.mainMerchant({ countryCode: "JM" });
      const expires_at = "2099-01-31T12:00:00.000Z";
      const { key, kid } = await main.makeKey("svc-accounts-all", { environment, expires_at });
      const { body } = await whoami(service, { key });
      assert.deepEqual(body.data, {
        account_number: main.accountNumber,
        account_type: "BUSINESS",
        country_code: "JM",
        main_merchant: true,
        credential: "api_key",
        kid,
        environments: [reaches],
        scopes: ["svc-accounts-all"],
        expires_at,
      });
    });

  test("tells a key without expiry that it has none", async () => {
    const { key } = await (await service.world.merchant()).makeKey();
    assert.equal((await whoami(service, { key })).body.data.expires_at, null);
  });

  test("without a credential answers 401 and says which scheme to use", async () => {
    const answer = await whoami(service, {});
    assert.equal(answer.status, 401);
    assert.equal(answer.text, UNAUTHORIZED);
    assert.equal(
      answer.headers.get("www-authenticate"),
      'Bearer realm="svc", error="invalid_request", ' +
        'error_description="The request has no credential."',
    );
  });

  test("answers HEAD, a trailing slash and any Accept alike, and never in HTML", async () => {
    const { access_token: token } = await (await service.world.person()).signIn();
    const head = await service.request("/auth/whoami", { method: "HEAD", token });
    assert.deepEqual([head.status, head.text], [200, ""]);
    const slashed = await service.request("/auth/whoami/", { token });
    const html = await service.request("/auth/whoami", { token, headers: { accept: "text/html" } });
    assert.deepEqual(html.body, slashed.body);
    assert.equal(html.headers.get("content-type"), "application/json; charset=utf-8");
    const upper = await service.request("/AUTH/WHOAMI", { token });
    assert.equal(upper.status, 404);
  });
});
