/** Signing in answers exactly as Interface §2.1, §5 and §7 say; a refusal tells nothing more. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { createAccount } from "../../../src/modules/accounts/create-account.ts";
import { attempt, change, grantsOf, INCORRECT, whoami } from "../../../testkit/auth.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";
import { PASSWORD, type Person } from "../../../testkit/world.ts";

let service: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
});
after(() => service.stop());

/** An account with a password, and perhaps an e-mail, of its own. */
async function somebodyWith(password: string, email = `${crypto.randomUUID()}@example.com`) {
  const digest = await service.ctx.passwords.digest(password);
  await service.ctx.db.transaction((tx) =>
    createAccount(tx, {
      accountType: "PERSONAL",
      countryCode: "BB",
      email,
      firstName: "Some",
      lastName: "Body",
      password: digest,
    }),
  );
  return { email };
}

describe("good credentials", () => {
  for (const encoding of ["form", "json"] as const)
    test(`as ${encoding} answer 200 with a pair of tokens that works`, async () => {
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
      assert.equal(answer.body.message, "OK");
      assert.equal(answer.body.token_type, "Bearer");
      assert.equal(answer.body.expires_in, 43200);
      assert.match(answer.body.refresh_token, /^svc_rt_[0-9A-Za-z]{43}$/);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      const { body } = await whoami(service, { token: answer.body.access_token });
      assert.equal(body.data.account_number, shop.accountNumber);
    });

  test("give a token that a stranger's library verifies with the published keys", async () => {
    const { access_token: token } = await shop.signIn("svc-user-all svc-withdrawals-create");
    const jwks = (await service.request("/.well-known/jwks.json")).body;
    const issuer = service.ctx.config.http.publicUrl;
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
      issuer,
      audience: issuer,
      typ: "at+jwt",
    });
    assert.deepEqual(Object.keys(protectedHeader).sort(), ["alg", "kid", "typ"]);
    assert.equal(protectedHeader.alg, "EdDSA");
    assert(jwks.keys.some((key: { kid: string }) => key.kid === protectedHeader.kid));
    assert.equal(payload.sub, shop.accountNumber);
    assert.equal(payload.client_id, shop.accountNumber);
    assert.equal(payload.scope, "svc-user-all svc-withdrawals-create");
    assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 43200);
    assert.match(String(payload.jti), /^[A-Za-z0-9_-]{22}$/);
    assert.match(String(payload.gid), /^[0-9a-f-]{36}$/);
    assert(!JSON.stringify(payload).includes(shop.email), "a token never names the e-mail");
  });

  test("asked for with every scope there is still give a token below 2,048 bytes", async () => {
    const main = await service.world.mainMerchant();
    const { access_token: token } = await main.signIn(SCOPES.join(" "));
    assert(token.length <= 2048, `it has ${token.length}`);
    assert.deepEqual((await whoami(service, { token })).body.data.scopes, SCOPES);
  });

  test("twice in the same second give two sign-ins with nothing in common", async () => {
    const [one, other] = await Promise.all([shop.signIn(), shop.signIn()]);
    assert.notEqual(one.access_token, other.access_token);
    assert.notEqual(one.refresh_token, other.refresh_token);
    assert.notEqual(decodeJwt(one.access_token).gid, decodeJwt(other.access_token).gid);
    assert.notEqual(decodeJwt(one.access_token).jti, decodeJwt(other.access_token).jti);
    assert.equal(decodeProtectedHeader(one.access_token).typ, "at+jwt");
  });

  const spellings: [written: string, kept: string][] = [
    ["MiXeD@Example.TT", "mixed@example.tt"],
    ["anne@Bücher.example", "anne@xn--bcher-kva.example"],
    ["anne@XN--BCHER-KVA.EXAMPLE", "anne@xn--bcher-kva.example"],
  ];
  for (const [written, kept] of spellings)
    test(`with the e-mail ${written} find the account of ${kept}`, async () => {
      const { ctx } = service;
      const known = await ctx.db.rows(sql`select from accounts where email = ${kept}`);
      if (known.length === 0) await somebodyWith(PASSWORD, kept);
      assert.equal((await attempt(service, { email: written })).status, 200);
    });

  test("are judged whatever other credential the request carries", async () => {
    const other = await service.world.merchant();
    const { access_token } = await other.signIn();
    const { key } = await other.makeKey();
    const strange = [
      { authorization: `Bearer ${access_token}` },
      { authorization: `Bearer ${access_token}`, "x-svc-key": key },
      { authorization: "Basic x", "x-svc-key": "nonsense" },
    ];
    for (const headers of strange) {
      const form = { email: shop.email, password: PASSWORD, scopes: "svc-user-all" };
      const answer = await service.request("/auth/tokens", { method: "POST", form, headers });
      assert.equal(answer.status, 200);
      const { body } = await whoami(service, { token: answer.body.access_token });
      assert.equal(body.data.account_number, shop.accountNumber);
    }
  });

  test("with fields nobody asked for are granted no more than without them", async () => {
    const answer = await service.request("/auth/tokens", {
      method: "POST",
      json: {
        email: shop.email,
        password: PASSWORD,
        scopes: "svc-user-all",
        account_number: "1000000000",
        is_main_merchant: true,
        expires_in: 99_999_999,
        toString: "x",
      },
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.expires_in, 43200);
    const { data } = (await whoami(service, { token: answer.body.access_token })).body;
    assert.deepEqual(data.scopes, ["svc-user-all"]);
    assert.equal(data.main_merchant, false);
  });
});

describe("an account that changes while its password is being checked", () => {
  for (const what of ["closed", "frozen", "given a new password"] as const)
    test(`and is ${what} by then gets a 401 and no token`, async (t) => {
      const who = await service.world.merchant();
      const { matches } = service.ctx.passwords;
      t.mock.method(
        service.ctx.passwords,
        "matches",
        async (...given: Parameters<typeof matches>) => {
          const isRight = await matches(...given);
          await change(service, who, what);
          return isRight;
        },
      );
      const answer = await attempt(service, who);
      assert.equal(answer.status, 401);
      assert.equal(answer.text, INCORRECT);
      assert.equal(await grantsOf(service, who), 0);
    });
});

describe("incorrect credentials", () => {
  /** All that a caller sees, but for what differs with every answer. */
  function visible(answer: TestAnswer) {
    const changing = ["x-request-id", "date", "x-ratelimit-remaining"];
    const headers = [...answer.headers].filter(([name]) => !changing.includes(name));
    return { status: answer.status, text: answer.text, headers };
  }

  test("look the same for nobody, a wrong password, a closed and a frozen account", async () => {
    const [closed, frozen] = [await service.world.merchant(), await service.world.merchant()];
    await change(service, closed, "closed");
    await change(service, frozen, "frozen");
    const before = await grantsOf(service, shop);
    const answers = [
      await attempt(service, { email: "nobody@example.com" }),
      await attempt(service, shop, { password: "wrong horse" }),
      await attempt(service, closed),
      await attempt(service, frozen),
      await attempt(service, shop, { password: "wrong horse", scopes: "svc-accounts-all" }),
    ].map(visible);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.status, 401);
    assert.equal(answers[0]?.text, INCORRECT);
    assert.equal(await grantsOf(service, shop), before);
    assert.equal(await grantsOf(service, closed), 0);
    assert.equal(await grantsOf(service, frozen), 0);
  });

  test("cost a whole password hash whether or not the account exists", async () => {
    const time = async (work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    const times: Record<"hash" | "nobody" | "wrong", number[]> = {
      hash: [],
      nobody: [],
      wrong: [],
    };
    for (let i = 0; i < 9; i++) {
      times.hash.push(await time(() => service.ctx.passwords.digest("any password")));
      times.nobody.push(await time(() => attempt(service, { email: "nobody@example.com" })));
      times.wrong.push(await time(() => attempt(service, shop, { password: "wrong horse" })));
    }
    // The quickest of each: a busy machine makes any of them slower, and none quicker.
    const [hash, nobody, wrong] = [times.hash, times.nobody, times.wrong].map((list) =>
      Math.min(...list),
    );
    assert(hash !== undefined && nobody !== undefined && wrong !== undefined);
    assert(nobody > hash / 2, `nobody took ${nobody} ms, a hash ${hash} ms`);
    assert(wrong > hash / 2, `a wrong password took ${wrong} ms, a hash ${hash} ms`);
    assert(nobody < wrong * 3 && wrong < nobody * 3, `${nobody} ms and ${wrong} ms`);
  });

  test("never show the password, the e-mail or a token in the log", async () => {
    await attempt(service, shop, { password: "a-password-for-the-log" });
    await shop.signIn();
    const log = service.logged.join("");
    for (const secret of ["a-password-for-the-log", PASSWORD, "svc_rt_", "eyJ"])
      assert(!log.includes(secret), `the log shows ${secret}`);
  });
});

describe("a password is compared exactly as it was sent", () => {
  const shown = (password: string) => JSON.stringify(password).slice(0, 24);
  const near: [kept: string, sent: string][] = [
    ["  spaces around  ", "spaces around"],
    ["spaces around", " spaces around"],
    ["spaces around", "spaces around "],
    ["Café-del-mar", "Cafe\u0301-del-mar"],
    ["Cafe\u0301-del-mar", "Café-del-mar"],
    ["Capital letters", "capital letters"],
    ["x".repeat(256), "x".repeat(255)],
    ["x".repeat(72), `${"x".repeat(72)}y`],
  ];
  for (const [kept, sent] of near)
    test(`${shown(kept)} is not ${shown(sent)}`, async () => {
      const owner = await somebodyWith(kept);
      assert.equal((await attempt(service, owner, { password: sent })).text, INCORRECT);
      assert.equal((await attempt(service, owner, { password: kept })).status, 200);
    });

  for (const password of ["8 chars.", "x".repeat(64), "x".repeat(256), "🌴".repeat(256)])
    test(`${shown(password)}, ${Buffer.byteLength(password)} bytes, works`, async () => {
      const owner = await somebodyWith(password);
      assert.equal((await attempt(service, owner, { password })).status, 200);
    });
});
