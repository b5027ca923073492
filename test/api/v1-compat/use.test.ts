/**
 * Use of a 1.x name is recorded (Decision 0051): once for each account, name and credential, with
 * how often and when last; never with a secret, and never for a request that was refused.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { operatorJson } from "../../../testkit/operator.ts";
import { startService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import { PASSWORD, type Person } from "../../../testkit/world.ts";

const service = await startService();
const { ctx, world } = service;
after(() => service.stop());

interface Use {
  name: string;
  credential: string;
  times: number;
  first_at: Date;
  last_at: Date;
}

const usesOf = ({ accountNumber }: Person) =>
  ctx.db.rows<Use & Record<string, unknown>>(sql`
    select name, credential, use_count::int as times, first_at, last_at from former_uses
    where account_number = ${accountNumber} order by name, credential`);

/** A second is enough for what was gathered; a use of somebody else tells when it is over. */
async function written(): Promise<void> {
  const marker = await world.merchant();
  const { token } = await mintToken(ctx, marker, ["svc-transactions-all"]);
  await service.request("/transactions/history", { token });
  await until(async () => (await usesOf(marker)).length === 1, "all is written");
}

const counted = (uses: readonly Use[]) =>
  uses.map(({ name, credential, times }) => [name, credential, times]);

/** At the same time, because each waits for the second in which its use is written. */
describe("of 1.x is written down", { concurrency: true }, () => {
  test("a path, for each credential by itself, however often and in however many sign-ins", async () => {
    const shop = await world.merchant();
    const { key, kid } = await mintKey(ctx, shop, ["svc-transactions-all"]);
    for (let i = 0; i < 3; i++) {
      const { token } = await mintToken(ctx, shop, ["svc-transactions-all"]);
      await service.request("/transactions/history", { token });
    }
    await service.request("/transactions/history", { key });
    await service.request("/transactions/", { key });
    await written();
    const history = "GET /transactions/history";
    assert.deepEqual(
      counted(await usesOf(shop)).sort(),
      [
        [history, kid, 1],
        [history, "token", 3],
      ].sort(),
    );
  });

  test("a later use adds to the count and moves its time, not that of the first", async () => {
    const shop = await world.merchant();
    const use = async () => {
      const { token } = await mintToken(ctx, shop, ["svc-transactions-all"]);
      await service.request("/transactions/status?transaction_id=x", { token });
      await written();
      return (await usesOf(shop))[0] ?? assert.fail("nothing is written");
    };
    const first = await use();
    await service.clock.advance({ minutes: 5 });
    const second = await use();
    assert.deepEqual([first.times, second.times], [1, 2]);
    assert.deepEqual(second.first_at, first.first_at);
    assert(second.last_at.getTime() - first.last_at.getTime() >= 300_000);
  });

  test("everybody, also when one was last seen after now, because the clock was set back", async () => {
    const [ahead, other] = [await world.merchant(), await world.merchant()];
    const use = async (shop: Person) => {
      const { token } = await mintToken(ctx, shop, ["svc-transactions-all"]);
      await service.request("/transactions/status?transaction_id=x", { token });
    };
    await use(ahead);
    await written();
    await ctx.db.run(sql`
      update former_uses set first_at = first_at + interval '1 hour',
        last_at = last_at + interval '1 hour' where account_number = ${ahead.accountNumber}`);
    await Promise.all([use(ahead), use(other)]);
    await written();
    assert.deepEqual(
      (await usesOf(ahead)).map(({ times }) => times),
      [2],
    );
    assert.deepEqual(
      (await usesOf(other)).map(({ times }) => times),
      [1],
    );
  });

  test("a sign-in and a refresh, for the account that they turn out to be of", async () => {
    const shop = await world.merchant();
    const json = { email: shop.email, password: PASSWORD, scopes: "svc-user-all" };
    const { body } = await service.request("/auth/grant", { method: "POST", json });
    const { refresh_token } = body;
    await service.request("/auth/refresh", { method: "POST", json: { refresh_token } });
    await written();
    assert.deepEqual(counted(await usesOf(shop)), [
      ["POST /auth/grant", "token", 1],
      ["POST /auth/refresh", "token", 1],
    ]);
  });

  for (const path of ["/auth/tokens", "/auth/grant"])
    test(`a scope of 1.x asked for at ${path} is answered with Deprecation and Link`, async () => {
      const { email } = await world.merchant();
      const json = { email, password: PASSWORD, scopes: "wapi-trans-all" };
      const { status, headers } = await service.request(path, { method: "POST", json });
      assert.deepEqual([status, headers.get("deprecation")], [200, "true"]);
      assert.equal(headers.get("link"), '</auth/tokens>; rel="successor-version"');
      const today = { ...json, scopes: "svc-transactions-all" };
      const without = await service.request("/auth/tokens", { method: "POST", json: today });
      assert.deepEqual([without.status, without.headers.get("deprecation")], [200, null]);
    });

  test("a scope, also when it is asked for at the new path and twice", async () => {
    const shop = await world.merchant();
    await shop.signIn("wapi-trans-all svc-user-all wapi-trans-all wapi-trans-get-status");
    await written();
    assert.deepEqual(counted(await usesOf(shop)), [
      ["wapi-trans-all", "token", 1],
      ["wapi-trans-get-status", "token", 1],
    ]);
  });

  test("nobody who was refused", async () => {
    const shop = await world.merchant();
    const { key } = await mintKey(ctx, shop, ["svc-user-all"]);
    await service.request("/transactions/history", { key });
    await service.request("/transactions/history", { token: "x" });
    const wrong = { email: shop.email, password: "wrong password", scopes: "wapi-trans-all" };
    const forbidden = { ...wrong, password: PASSWORD, scopes: "wapi-accounts-all" };
    for (const json of [wrong, forbidden])
      await service.request("/auth/grant", { method: "POST", json });
    await written();
    assert.deepEqual(await usesOf(shop), []);
  });
});

describe("an operator", () => {
  test("reads who uses what, with the name to use instead, and no secret", async () => {
    const shop = await world.merchant();
    const { key, kid } = await mintKey(ctx, shop, ["svc-trusted-cards-all"]);
    await shop.signIn("wapi-trusted-card-all");
    await service.request("/trusted-card/retrieve", { key });
    await written();
    const args = ["former-callers", "--account", shop.accountNumber];
    const said = await operatorJson(service, args);
    const shown = said.callers.map(({ used, now, credential, times, email }: never) => ({
      ...{ used, now, credential, times, email },
    }));
    const same = { times: 1, email: shop.email };
    assert.deepEqual(
      shown.sort((one: { used: string }, other: { used: string }) =>
        one.used < other.used ? -1 : 1,
      ),
      [
        {
          used: "GET /trusted-card/retrieve",
          now: "GET /trusted-cards/{uuid} or GET /trusted-cards/",
          credential: `key ${kid}`,
          ...same,
        },
        {
          used: "wapi-trusted-card-all",
          now: "svc-trusted-cards-all",
          credential: "token",
          ...same,
        },
      ],
    );
    assert(!JSON.stringify(said).includes(key.split("_")[3] ?? "?"));
  });

  test("leaves out callers that have stopped, by a time", async () => {
    const { callers } = await operatorJson(service, ["former-callers", "--since", "2100-01-01"]);
    assert.deepEqual(callers, []);
  });
});
