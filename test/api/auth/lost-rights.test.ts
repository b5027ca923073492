/**
 * A token or key that is out already loses its power the moment its account does: frozen, closed,
 * another password, a scope taken away. Nothing waits for an expiry.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AppContext } from "../../../src/app.ts";
import { ok } from "../../../src/infra/http/answer.ts";
import { protectedRoute } from "../../../src/infra/http/route.ts";
import { Type } from "../../../src/kit/schema.ts";
import { scopes } from "../../../src/kit/scopes.ts";
import { change, SCOPE_REFUSED, UNAUTHORIZED, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const answers = { 200: { about: "Done", body: Type.Object({ message: Type.Literal("OK") }) } };
const guarded = protectedRoute({
  method: "GET",
  path: "/guarded",
  summary: "A route for main merchants",
  access: { credentials: "either", anyScope: scopes("accounts", "retrieve") },
  answers,
  run: async (_ctx: AppContext) => ok(),
});

let service: TestService;
let sibling: TestService;
before(async () => {
  const extraRoutes = [guarded];
  service = await startService({ extraRoutes });
  sibling = await startService({ extraRoutes, database: service.database });
});
after(async () => {
  await sibling.stop();
  await service.stop();
});

/** A main merchant's token and key, both seen and used by both processes. */
async function credentialsInUse() {
  const main = await service.world.mainMerchant();
  const { access_token: token } = await main.signIn();
  const { key } = await main.makeKey();
  for (const one of [service, sibling])
    for (const credential of [{ token }, { key }])
      assert.equal((await one.request("/guarded", credential)).status, 200);
  return { main, token, key };
}

describe("an account that is", () => {
  for (const what of ["frozen", "closed"] as const)
    test(`${what} has no token and no key that works, on any process`, async () => {
      const { main, token, key } = await credentialsInUse();
      await change(service, main, what);
      for (const one of [service, sibling])
        for (const credential of [{ token }, { key }]) {
          const answer = await one.request("/guarded", credential);
          assert.equal(answer.status, 401);
          assert.equal(answer.text, UNAUTHORIZED);
        }
    });

  test("given a new password loses its tokens at once, but not its keys by surprise", async () => {
    const { main, token, key } = await credentialsInUse();
    await change(service, main, "given a new password");
    for (const one of [service, sibling]) {
      assert.equal((await one.request("/guarded", { token })).text, UNAUTHORIZED);
      assert.equal((await one.request("/guarded", { key })).status, 200);
    }
    const again = await main.signIn();
    assert.equal((await whoami(service, { token: again.access_token })).status, 200);
  });

  test("no main merchant any more gets 403 where it needs that scope, and no sooner", async () => {
    const { main, token, key } = await credentialsInUse();
    await change(service, main, "no main merchant any more");
    for (const one of [service, sibling])
      for (const credential of [{ token }, { key }]) {
        const answer = await one.request("/guarded", credential);
        assert.equal(answer.status, 403);
        assert.equal(answer.text, SCOPE_REFUSED);
        assert.equal(
          answer.headers.get("www-authenticate"),
          'Bearer realm="svc", error="insufficient_scope", ' +
            'scope="svc-accounts-retrieve svc-accounts-all"',
        );
        const { data } = (await whoami(one, credential)).body;
        assert.equal(data.main_merchant, false);
        assert(!data.scopes.some((scope: string) => scope.startsWith("svc-accounts-")));
        assert(data.scopes.includes("svc-user-all"));
      }
  });

  test("made PERSONAL has no key that works, and a token without business scopes", async () => {
    const merchant = await service.world.merchant();
    const { access_token: token } = await merchant.signIn();
    const { key } = await merchant.makeKey();
    await change(service, merchant, "made PERSONAL");
    assert.equal((await whoami(service, { key })).text, UNAUTHORIZED);
    const { data } = (await whoami(service, { token })).body;
    assert.equal(data.account_type, "PERSONAL");
    assert(!data.scopes.includes("svc-trusted-cards-all"));
  });
});

describe("a request that began after the account was closed", () => {
  test("is never admitted, while others hammer both processes", async () => {
    const { main, token, key } = await credentialsInUse();
    let closed = false;
    const late: number[] = [];
    const hammer = async (one: TestService, credential: { token?: string; key?: string }) => {
      for (let after = 0; after < 5; ) {
        const beganAfter = closed;
        const { status } = await one.request("/guarded", credential);
        if (!beganAfter) continue;
        late.push(status);
        after++;
      }
    };
    const hammers = [
      hammer(service, { token }),
      hammer(sibling, { token }),
      hammer(service, { key }),
      hammer(sibling, { key }),
    ];
    await change(service, main, "closed");
    closed = true;
    await Promise.all(hammers);
    assert.deepEqual(new Set(late), new Set([401]));
  });
});

describe("time", () => {
  test("ends an access token after 12 hours and a leeway of five seconds", async () => {
    const main = await service.world.mainMerchant();
    const { access_token: token } = await main.signIn();
    await service.clock.advance({ hours: 11, minutes: 59, seconds: 59 });
    assert.equal((await whoami(service, { token })).status, 200);
    await service.clock.advance({ seconds: 7 });
    for (const one of [service, sibling])
      assert.equal((await whoami(one, { token })).text, UNAUTHORIZED);
  });
});
