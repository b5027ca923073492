/**
 * The hourly pruning forgets credentials that can never work again and not one that can, nor what
 * an owner may still ask about.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import { pruneCredentials } from "../../../src/modules/auth/prune-credentials.ts";
import { rotateSigningKeys } from "../../../src/modules/auth/signing-keys.ts";
import { attempt, countOf, refresh, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import type { Person } from "../../../testkit/world.ts";

let service: TestService;
let shop: Person;
before(async () => {
  service = await startService({ settings: { SIGN_IN_FAILURES_MAX: "1000" } });
  shop = await service.world.merchant();
});
after(() => service.stop());

const prune = () => pruneCredentials.run(service.ctx, undefined);
const days = (count: number) => service.clock.advance({ hours: 24 * count });
const count = (from: Sql) => countOf(service, from);

test("a sign-in goes, with its tokens, seven days after the last of them ended", async () => {
  const old = await shop.signIn();
  await refresh(service, old.refresh_token);
  await service.clock.advance({ hours: 17 });
  const renewed = await shop.signIn();
  await service.clock.advance({ hours: 17 });
  const { body: alive } = await refresh(service, renewed.refresh_token);
  // The old one ended 16 hours ago; another week, less an hour, and it is still told of.
  await days(7);
  await service.clock.advance({ hours: -17 });
  await prune();
  assert.equal(await count(sql`grants`), 2);
  assert.equal((await whoami(service, { token: alive.access_token })).status, 401);
  await service.clock.advance({ hours: 2 });
  await prune();
  assert.equal(await count(sql`grants`), 1);
  assert.equal(await count(sql`refresh_tokens`), 2);
  await days(2);
  await prune();
  assert.equal(await count(sql`grants`), 0);
  assert.equal(await count(sql`refresh_tokens`), 0);
});

test("a sign-in that is alive stays, used, revoked or idle", async () => {
  const [used, idle, revoked] = [await shop.signIn(), await shop.signIn(), await shop.signIn()];
  await service.request("/auth/tokens", { method: "DELETE", token: revoked.access_token });
  await prune();
  assert.equal(await count(sql`grants`), 3);
  assert.equal((await whoami(service, { token: used.access_token })).status, 200);
  assert.equal((await refresh(service, idle.refresh_token)).status, 200);
});

test("a failed sign-in goes when it no longer counts, and not before", async () => {
  await attempt(service, shop, { password: "wrong horse" });
  await until(async () => (await count(sql`sign_in_failures`)) === 1, "the failure is written");
  await service.clock.advance({ minutes: 29 });
  await prune();
  assert.equal(await count(sql`sign_in_failures`), 1);
  await service.clock.advance({ minutes: 2 });
  await prune();
  assert.equal(await count(sql`sign_in_failures`), 0);
});

test("a retired signing key goes after seven days; the others never", async () => {
  const { db, config } = service.ctx;
  await db.transaction((tx) => rotateSigningKeys(tx, config.wrappingKeys));
  await days(6);
  await prune();
  assert.equal(await count(sql`signing_keys`), 3);
  await days(2);
  await prune();
  assert.equal(await count(sql`signing_keys where state in ('current', 'next')`), 2);
  assert.equal(await count(sql`signing_keys`), 2);
  const { access_token: token } = await shop.signIn();
  assert.equal((await whoami(service, { token })).status, 200);
});

test("API keys and the audit trail are never forgotten", async () => {
  const { kid } = await shop.makeKey();
  const { access_token: token } = await shop.signIn();
  await service.request(`/auth/keys/${kid}`, { method: "DELETE", token });
  const before = { keys: await count(sql`api_keys`), audit: await count(sql`audit_entries`) };
  assert(before.keys > 0 && before.audit > 0);
  await days(400);
  await prune();
  assert.deepEqual(
    { keys: await count(sql`api_keys`), audit: await count(sql`audit_entries`) },
    before,
  );
});

test("an address is known for 400 days after the last sign-in from it", async () => {
  await shop.signIn();
  await days(399);
  await prune();
  assert.equal(await count(sql`known_addresses`), 1);
  await shop.signIn();
  await days(399);
  await prune();
  assert.equal(await count(sql`known_addresses`), 1);
  await days(2);
  await prune();
  assert.equal(await count(sql`known_addresses`), 0);
});

test("thousands of dead sign-ins go in one run", async () => {
  await prune();
  await service.ctx.db.run(sql`
    insert into grants (grant_id, account_number, scopes, credential_epoch, expires_at)
    select gen_random_uuid(), ${shop.accountNumber}, '{svc-user-all}', 1,
      app_now() - interval '8 days' from generate_series(1, 2500)`);
  const { access_token: token } = await shop.signIn();
  await prune();
  assert.equal(await count(sql`grants`), 1);
  assert.equal((await whoami(service, { token })).status, 200);
});
