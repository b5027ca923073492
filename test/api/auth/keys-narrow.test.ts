/**
 * A key cannot be made more powerful than whoever asks: not by a narrow token, and not by a sign-in
 * that was revoked while the request was under way.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import { startService, type TestService } from "../../support/service.ts";

describe("making more of a key", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  test("a token that lacks a scope of the key cannot lift its limits", async () => {
    const shop = await service.world.merchant();
    const { key, kid } = await shop.makeKey("svc-user-all", { allowed_cidrs: ["203.0.113.1"] });
    const { access_token: token } = await shop.signIn("svc-transactions-get-fees");
    const answer = await service.request(`/auth/keys/${kid}`, {
      method: "PATCH",
      token,
      json: { allowed_cidrs: [], expires_at: "never" },
    });
    assert.equal(answer.status, 403);
    assert.equal(answer.body.message, "Invalid scope(s) provided.");
    assert.equal((await service.request("/auth/whoami", { key })).status, 401);
  });

  test("a sign-in revoked while the body is on its way makes no key", async () => {
    const shop = await service.world.merchant();
    const { access_token: token } = await shop.signIn();
    const body = JSON.stringify({ environment: "test", scopes: "svc-user-all" });
    const slow = http.request(`${service.url}/auth/keys`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": body.length,
      },
    });
    slow.write(body.slice(0, 5));
    // The rest waits until the revocation is answered; the request has been admitted by then.
    await service.request("/auth/whoami", { token });
    const revoked = await service.request("/auth/tokens", { method: "DELETE", token });
    assert.equal(revoked.status, 200);
    slow.end(body.slice(5));
    const [response] = (await once(slow, "response")) as [http.IncomingMessage];
    response.resume();
    assert.equal(response.statusCode, 401);
    const again = await shop.signIn();
    const list = await service.request("/auth/keys", { token: again.access_token });
    assert.equal(list.body.meta.total, 0);
  });
});
