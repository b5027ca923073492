/**
 * A 401 says what can be done about it, in `WWW-Authenticate` and by its code, and tells a stranger
 * nothing: "expired" and "revoked" are said only of a credential that is proved to be ours
 * (Decision 0063).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  CATALOGUE,
  type ErrorCode,
  type UnauthorizedCode,
} from "../../../src/kit/error-catalogue/catalogue.ts";
import { UNAUTHORIZED_ERRORS } from "../../../src/kit/error-catalogue/credential-errors.ts";
import { change, UNAUTHORIZED } from "../../../testkit/auth.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { ask } from "../../../testkit/raw-http.ts";
import { type RequestOptions, startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";
import { forge, strangeKeyPair } from "./forge.ts";

let service: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
});
after(() => service.stop());

const scopes = ["svc-user-all"] as const;
const newToken = async () => (await mintToken(service.ctx, shop, scopes)).token;
const newKey = async (more = {}) => (await mintKey(service.ctx, shop, scopes, more)).key;

async function expectCode(
  code: UnauthorizedCode,
  asked: RequestOptions,
  path = "/auth/whoami",
): Promise<void> {
  const answer = await service.request(path, asked);
  assert.deepEqual([answer.status, answer.text], [401, UNAUTHORIZED]);
  assert.equal(answer.headers.get("x-svc-error"), code);
  const isOfTheRequest = code === "credential_missing" || code === "two_credentials";
  assert.equal(
    answer.headers.get("www-authenticate"),
    `Bearer realm="svc", error="${isOfTheRequest ? "invalid_request" : "invalid_token"}", ` +
      `error_description="${CATALOGUE[code].statement}"`,
  );
}

describe("a 401 tells apart", () => {
  test("no credential", () => expectCode("credential_missing", {}));

  test("both headers, whatever they hold", async () => {
    const [token, key] = [await newToken(), await newKey()];
    await expectCode("two_credentials", { token, key });
    await expectCode("two_credentials", { token: "x", key: "y" });
  });

  test("an API key in Authorization, with and without Bearer, ours or not", async () => {
    const key = await newKey();
    for (const authorization of [`Bearer ${key}`, key, "Bearer svc_live_x", `ApiKey ${key}`])
      await expectCode("api_key_in_authorization", { headers: { authorization } });
  });

  test("a key on a route that takes bearer tokens only", async () =>
    expectCode("bearer_token_required", { key: await newKey() }, "/auth/keys"));

  test("a token that was signed out", async () => {
    const token = await newToken();
    await service.request("/auth/tokens", { method: "DELETE", token });
    await expectCode("token_revoked", { token });
  });

  test("a token from before a password change", async () => {
    const person = await service.world.merchant();
    const { token } = await mintToken(service.ctx, person, scopes);
    await change(service, person, "given a new password");
    await expectCode("token_revoked", { token });
  });

  test("a key that was revoked", async () => {
    const { key, kid } = await mintKey(service.ctx, shop, scopes);
    const token = await newToken();
    await service.request(`/auth/keys/${kid}`, { method: "DELETE", token });
    await expectCode("api_key_revoked", { key });
  });
});

describe("once time has passed", () => {
  test("an expired token and an expired key are told so", async () => {
    const late = await startService();
    try {
      const person = await late.world.merchant();
      const { token } = await mintToken(late.ctx, person, scopes);
      const expiresAt = new Date("2001-01-01T00:00:00Z");
      const { key } = await mintKey(late.ctx, person, scopes, { expiresAt });
      await late.clock.advance({ hours: 13 });
      const tokenAnswer = await late.request("/auth/whoami", { token });
      assert.equal(tokenAnswer.headers.get("x-svc-error"), "token_expired");
      const keyAnswer = await late.request("/auth/whoami", { key });
      assert.equal(keyAnswer.headers.get("x-svc-error"), "api_key_expired");
      assert.match(keyAnswer.headers.get("www-authenticate") ?? "", /"The API key has expired\."$/);
    } finally {
      await late.stop();
    }
  });
});

describe("all else is only not valid", () => {
  test("what is no credential of ours", async () => {
    for (const token of ["x", "e30.e30.e30"]) await expectCode("credential_invalid", { token });
    for (const key of ["x", `svc_test_${"0".repeat(18)}_${"0".repeat(64)}`])
      await expectCode("credential_invalid", { key });
    await expectCode("credential_invalid", { headers: { authorization: "Basic eDp5" } });
  });

  test("an expired or revoked token whose signature is not ours", async () => {
    const { privateKey } = await strangeKeyPair();
    const token = await newToken();
    const old = { claims: { iat: 0, exp: 43_200 }, key: privateKey };
    await expectCode("credential_invalid", { token: await forge(service, token, old) });
    await service.request("/auth/tokens", { method: "DELETE", token });
    const stolen = { claims: {}, key: privateKey };
    await expectCode("credential_invalid", { token: await forge(service, token, stolen) });
  });

  test("a revoked key with a wrong secret", async () => {
    const { key, kid } = await mintKey(service.ctx, shop, scopes);
    await service.request(`/auth/keys/${kid}`, { method: "DELETE", token: await newToken() });
    const wrong = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
    await expectCode("credential_invalid", { key: wrong });
  });

  test("a good key from an address that it does not allow", async () =>
    expectCode("credential_invalid", { key: await newKey({ allowedCidrs: ["203.0.113.0/24"] }) }));

  test("a good token and a good key of an account that is frozen", async () => {
    const person = await service.world.merchant();
    const { token } = await mintToken(service.ctx, person, scopes);
    const { key } = await mintKey(service.ctx, person, scopes);
    await change(service, person, "frozen");
    await expectCode("credential_invalid", { token });
    await expectCode("credential_invalid", { key });
  });

  test("the same header twice", async () => {
    const line = `Authorization: Bearer ${await newToken()}`;
    const answer = await ask(service.url, { target: "/auth/whoami", lines: [line, line] });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get("x-svc-error"), "credential_invalid");
  });
});

test("no description breaks the quotes that it stands in", () => {
  for (const code of Object.keys(UNAUTHORIZED_ERRORS) as ErrorCode[])
    assert.match(CATALOGUE[code].statement, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/, code);
});
