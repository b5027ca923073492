/**
 * Revoking a key takes a sign-in that is still good in its tx, and locks the account before the
 * key, as all do that end keys.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { UNAUTHORIZED, whoami } from "../../../testkit/auth.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const revoke = (kid: string, token: string) =>
  service.request(`/auth/keys/${kid}`, { method: "DELETE", token });

test("a revocation with a sign-in that ends while it waits answers 401, and the key lives on", async () => {
  const shop = await service.world.merchant();
  const { access_token: token } = await shop.signIn();
  const { kid, key } = await shop.makeKey();
  const { db } = service.ctx;
  const { answer } = await db.transaction(async (tx) => {
    await tx.run(sql`
      select from accounts where account_number = ${shop.accountNumber} for update`);
    const revoked = revoke(kid, token);
    await untilWaiting(db);
    await tx.run(sql`
      update accounts set credential_epoch = credential_epoch + 1
      where account_number = ${shop.accountNumber}`);
    return { answer: revoked };
  });
  assert.equal((await answer).status, 401);
  assert.equal((await whoami(service, { key })).status, 200);
});

test("a revocation holds no key while it waits for its account: ending all keys cannot deadlock", async () => {
  const shop = await service.world.merchant();
  const { access_token: token } = await shop.signIn();
  const { kid, key } = await shop.makeKey();
  const { db } = service.ctx;
  const { answer } = await db.transaction(async (tx) => {
    await tx.run(sql`
      select from accounts where account_number = ${shop.accountNumber} for update`);
    const revoked = revoke(kid, token);
    await untilWaiting(db);
    await tx.run(sql`select from api_keys where kid = ${kid} for update nowait`);
    return { answer: revoked };
  });
  assert.equal((await answer).status, 200);
  assert.equal((await whoami(service, { key })).text, UNAUTHORIZED);
});
