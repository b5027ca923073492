/**
 * A key cannot be made more powerful than the credential that makes it: not by a narrow token, and
 * not by a sign-in that was revoked while the request was under way.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import { startService, type TestService } from "../../../testkit/service.ts";

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

  test("a sign-in revoked while the body is being sent makes no key", async () => {
    const shop = await service.world.merchant();
    const body = { environment: "test", scopes: "svc-user-all" };
    const asked = { method: "POST", path: "/auth/keys", body };
    assert.equal(await revokedOnTheWay((await shop.signIn()).access_token, asked), 401);
    const again = await shop.signIn();
    const list = await service.request("/auth/keys", { token: again.access_token });
    assert.equal(list.body.meta.total, 0);
  });

  test("nor does it lift the limits of one", async () => {
    const shop = await service.world.merchant();
    const { key, kid } = await shop.makeKey("svc-user-all", { allowed_cidrs: ["203.0.113.1"] });
    const body = { allowed_cidrs: [], expires_at: "never" };
    const asked = { method: "PATCH", path: `/auth/keys/${kid}`, body };
    assert.equal(await revokedOnTheWay((await shop.signIn()).access_token, asked), 401);
    assert.equal((await service.request("/auth/whoami", { key })).status, 401);
  });

  /** The status that is told when the rest of the body comes after the revocation was answered. */
  async function revokedOnTheWay(
    token: string,
    asked: { method: string; path: string; body: object },
  ): Promise<number | undefined> {
    const body = JSON.stringify(asked.body);
    const slow = http.request(service.url + asked.path, {
      method: asked.method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": body.length,
      },
    });
    slow.write(body.slice(0, 5));
    // The request has been admitted by the time that this one is answered.
    await service.request("/auth/whoami", { token });
    const revoked = await service.request("/auth/tokens", { method: "DELETE", token });
    assert.equal(revoked.status, 200);
    slow.end(body.slice(5));
    const [response] = (await once(slow, "response")) as [http.IncomingMessage];
    response.resume();
    return response.statusCode;
  }
});
