/**
 * A credential that was used is remembered, and not for a moment longer than the database says the
 * same of it: whichever column that counts is changed, whoever changes it (Decision 0059).
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import { startService, type TestService } from "../../support/service.ts";
import type { Person } from "../../support/world.ts";
import { refresh, whoami } from "./support.ts";

let service: TestService;
let sibling: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  sibling = await startService({ database: service.database });
});
beforeEach(async () => {
  shop = await service.world.mainMerchant();
});
after(async () => {
  await sibling.stop();
  await service.stop();
});

/** The statements with a name that a process sent while something happened. */
async function statementsOf(one: TestService, happening: () => Promise<unknown>) {
  const rows = mock.method(one.ctx.db, "rows");
  await happening();
  const names = rows.mock.calls.map((call) => (call.arguments[0] as { name?: string }).name);
  rows.mock.restore();
  return names.filter((name) => /^(read_grants|read_keys|count_remembered)$/.test(name ?? ""));
}

async function version(): Promise<string> {
  const row = await service.ctx.db.one<{ version: string }>(
    sql`select version from credential_version`,
  );
  return row.version;
}

interface InUse {
  readonly token: string;
  readonly key: string;
  readonly kid: string;
  readonly grantId: unknown;
  readonly signingKid: string | undefined;
}

async function credentialsInUse(): Promise<InUse> {
  const { access_token: token } = await shop.signIn();
  const { key, kid } = await shop.makeKey();
  for (const one of [service, sibling])
    for (const credential of [{ token }, { key }])
      assert.equal((await whoami(one, credential)).status, 200);
  const { gid: grantId } = decodeJwt(token);
  return { token, key, kid, grantId, signingKid: decodeProtectedHeader(token).kid };
}

test("a second use asks no more than whether anything changed, and is counted with it", async () => {
  const { token, key } = await credentialsInUse();
  for (const credential of [{ token }, { key }]) {
    const left = (answer: { headers: Headers }) => answer.headers.get("x-ratelimit-remaining");
    const before = Number(left(await whoami(sibling, credential)));
    const asked = await statementsOf(service, async () => {
      assert.equal(Number(left(await whoami(service, credential))), before - 1);
    });
    assert.deepEqual(asked, ["count_remembered"]);
  }
});

describe("a change behind every process's back is seen by the next request:", () => {
  type Seen = [token: number, key: number];
  const account = (set: Sql) => () =>
    sql`update accounts set ${set} where account_number = ${shop.accountNumber}`;
  const grant = (set: Sql) => (used: InUse) =>
    sql`update grants set ${set} where grant_id = ${used.grantId}`;
  const apiKey = (set: Sql) => (used: InUse) =>
    sql`update api_keys set ${set} where kid = ${used.kid}`;
  const CHANGES: readonly [what: string, Seen, (used: InUse) => Sql][] = [
    ["an account's status", [401, 401], account(sql`status = 'frozen'`)],
    ["its epoch", [401, 200], account(sql`credential_epoch = credential_epoch + 1`)],
    [
      "a sign-in's end",
      [401, 200],
      grant(sql`revoked_at = app_now(), revoked_because = 'revoked'`),
    ],
    ["its epoch of old", [401, 200], grant(sql`credential_epoch = credential_epoch - 1`)],
    [
      "its being there",
      [401, 200],
      ({ grantId }) => sql`delete from grants where grant_id = ${grantId}`,
    ],
    ["a key's end", [200, 401], apiKey(sql`revoked_at = app_now()`)],
    ["its expiry", [200, 401], apiKey(sql`expires_at = app_now()`)],
    ["its ranges", [200, 401], apiKey(sql`allowed_cidrs = '{203.0.113.0/24}'`)],
    ["its environment", [200, 401], apiKey(sql`environment = 'live'`)],
    ["its digest", [200, 401], apiKey(sql`key_digest = '\\x00'`)],
    ["its being there", [200, 401], ({ kid }) => sql`delete from api_keys where kid = ${kid}`],
  ];
  for (const [what, [token, key], statement] of CHANGES)
    test(`${what} (${token}, ${key})`, async () => {
      const used = await credentialsInUse();
      await service.ctx.db.run(statement(used));
      for (const one of [sibling, service]) {
        assert.equal((await whoami(one, { token: used.token })).status, token);
        assert.equal((await whoami(one, { key: used.key })).status, key);
      }
    });

  const TOLD: readonly [column: string, set: (used: InUse) => Sql, told: object][] = [
    ["country_code", account(sql`country_code = 'JM'`), { country_code: "JM" }],
    ["is_main_merchant", account(sql`is_main_merchant = false`), { main_merchant: false }],
    ["scopes", grant(sql`scopes = '{svc-user-all}'`), { scopes: ["svc-user-all"] }],
  ];
  for (const [column, statement, told] of TOLD)
    test(`${column}, as whoami tells it`, async () => {
      const used = await credentialsInUse();
      await service.ctx.db.run(statement(used));
      for (const one of [sibling, service])
        assert.partialDeepStrictEqual((await whoami(one, { token: used.token })).body.data, told);
    });

  test("a signing key that was withdrawn", async () => {
    const { token, signingKid } = await credentialsInUse();
    await service.ctx.db.transaction(async (tx) => {
      await tx.run(sql`
        update signing_keys set state = 'retired', retired_at = app_now() - interval '1 hour'
        where kid = ${signingKid}`);
      await tx.run(sql`update signing_keys set state = 'current' where state = 'next'`);
    });
    for (const one of [sibling, service]) assert.equal((await whoami(one, { token })).status, 401);
  });

  test("time: what has ended meanwhile is not good for having been remembered", async () => {
    const { token } = await credentialsInUse();
    const { key, kid } = await shop.makeKey();
    await service.ctx.db.run(
      sql`update api_keys set expires_at = app_now() + interval '1 hour' where kid = ${kid}`,
    );
    assert.equal((await whoami(service, { key })).status, 200);
    await service.clock.advance({ hours: 13 });
    for (const credential of [{ token }, { key }])
      assert.equal((await whoami(service, credential)).status, 401);
  });
});

describe("the version of all credentials", () => {
  test("is another after a change, once for all rows of a tx, and not after one undone", async () => {
    const { grantId } = await credentialsInUse();
    const seen = [await version()];
    await shop.signIn();
    await service.ctx.db.transaction(async (tx) => {
      await tx.run(sql`update grants set scopes = scopes where true`);
      await tx.run(sql`update grants set scopes = scopes where grant_id = ${grantId}`);
      await tx.run(sql`set constraints all immediate`);
      const { renewed } = await tx.one<{ renewed: string }>(
        sql`select version as renewed from credential_version`,
      );
      await tx.run(sql`update grants set scopes = scopes where true`);
      seen.push(renewed);
    });
    assert.equal(await version(), seen[1]);
    await assert.rejects(
      service.ctx.db.transaction(async (tx) => {
        await tx.run(sql`update grants set scopes = scopes where true`);
        throw new Error("undone");
      }),
      /undone/,
    );
    assert.equal(await version(), seen[1]);
    assert.notEqual(seen[0], seen[1]);
  });

  test("stays as it is while people sign in, refresh, make keys and use them", async () => {
    const before = await version();
    const pair = await shop.signIn();
    const { key } = await shop.makeKey();
    assert.equal((await refresh(service, pair.refresh_token)).status, 200);
    for (const credential of [{ key }, { token: pair.access_token }])
      assert.equal((await whoami(service, credential)).status, 200);
    assert.equal(await version(), before);
  });
});
