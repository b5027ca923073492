/**
 * A credential that was used is cached, and never longer than the database says the same of it,
 * whichever process changed it there (Decision 0059).
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import { Unavailable } from "../../../src/kit/errors.ts";
import { VERSION } from "../../../src/modules/auth/credential-memory.ts";
import { refresh, statementsOf, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

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
  const account = (set: Sql) => () =>
    sql`update accounts set ${set} where account_number = ${shop.accountNumber}`;
  const grant = (set: Sql) => (used: InUse) =>
    sql`update grants set ${set} where grant_id = ${used.grantId}`;
  const apiKey = (set: Sql) => (used: InUse) =>
    sql`update api_keys set ${set} where kid = ${used.kid}`;
  const revoked = sql`revoked_at = app_now(), revoked_because = 'revoked'`;
  const CHANGES: readonly [what: string, token: number, key: number, (used: InUse) => Sql][] = [
    ["a frozen account", 401, 401, account(sql`status = 'frozen'`)],
    ["an account's next epoch", 401, 200, account(sql`credential_epoch = credential_epoch + 1`)],
    [
      "a personal account",
      200,
      401,
      account(sql`account_type = 'PERSONAL', is_main_merchant = false`),
    ],
    ["a revoked sign-in", 401, 200, grant(revoked)],
    ["a sign-in of an older epoch", 401, 200, grant(sql`credential_epoch = credential_epoch - 1`)],
    [
      "a deleted sign-in",
      401,
      200,
      (used) => sql`delete from grants where grant_id = ${used.grantId}`,
    ],
    ["a revoked key", 200, 401, apiKey(sql`revoked_at = app_now()`)],
    ["an expired key", 200, 401, apiKey(sql`expires_at = app_now()`)],
    ["a key for other addresses", 200, 401, apiKey(sql`allowed_cidrs = '{203.0.113.0/24}'`)],
    ["a key of the other environment", 200, 401, apiKey(sql`environment = 'live'`)],
    ["a key with another digest", 200, 401, apiKey(sql`key_digest = '\\x00'`)],
    ["a key by another name", 200, 401, apiKey(sql`kid = 'ffffffffffffffffff'`)],
    ["a deleted key", 200, 401, (used) => sql`delete from api_keys where kid = ${used.kid}`],
  ];
  for (const [what, token, key, statement] of CHANGES)
    test(`${what}: the token answers ${token}, the key ${key}`, async () => {
      const used = await credentialsInUse();
      await service.ctx.db.run(statement(used));
      for (const one of [sibling, service]) {
        assert.equal((await whoami(one, { token: used.token })).status, token);
        assert.equal((await whoami(one, { key: used.key })).status, key);
      }
    });

  const narrow = sql`scopes = '{svc-user-all}'`;
  const TOLD: readonly [what: string, "token" | "key", (used: InUse) => Sql, told: object][] = [
    ["country", "token", account(sql`country_code = 'JM'`), { country_code: "JM" }],
    ["rank", "token", account(sql`is_main_merchant = false`), { main_merchant: false }],
    ["scopes of the token", "token", grant(narrow), { scopes: ["svc-user-all"] }],
    ["scopes of the key", "key", apiKey(narrow), { scopes: ["svc-user-all"] }],
  ];
  for (const [what, kind, statement, told] of TOLD)
    test(`the ${what}, as whoami tells it`, async () => {
      const used = await credentialsInUse();
      await service.ctx.db.run(statement(used));
      for (const one of [sibling, service]) {
        const { body } = await whoami(one, { [kind]: used[kind] });
        assert.partialDeepStrictEqual(body.data, told);
      }
    });

  test("the watched columns are these; a new one needs a change above", async () => {
    const [watched] = await service.ctx.db.rows<{ names: string[] }>(sql`
      select array_agg(distinct attname order by attname)::text[] as names
      from pg_trigger join pg_proc on pg_proc.oid = tgfoid, unnest(tgattr) as number
        join pg_attribute on attnum = number
      where proname = 'renew_credential_version' and attrelid = tgrelid`);
    // Whose a sign-in or a key is never changes; were it to, it is watched all the same.
    assert.deepEqual(watched?.names, [
      ...["account_number", "account_type", "allowed_cidrs", "country_code", "credential_epoch"],
      ...["environment", "expires_at", "is_main_merchant", "key_digest", "kid", "retired_at"],
      ...["revoked_at", "scopes", "status"],
    ]);
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

  test("a table that was emptied", async () => {
    const { token } = await credentialsInUse();
    await service.ctx.db.run(sql`truncate grants cascade`);
    for (const one of [sibling, service]) assert.equal((await whoami(one, { token })).status, 401);
  });

  test("time: what has ended meanwhile is not good for having been remembered", async () => {
    const { token } = await credentialsInUse();
    const { key, kid } = await shop.makeKey();
    await service.ctx.db.run(
      sql`update api_keys set expires_at = app_now() + interval '1 hour' where kid = ${kid}`,
    );
    for (const credential of [{ token }, { key }])
      assert.equal((await whoami(service, credential)).status, 200);
    await service.clock.advance({ hours: 13 });
    for (const credential of [{ token }, { key }])
      assert.equal((await whoami(service, credential)).status, 401);
  });
});

test("a request that meets a change is counted once", async () => {
  const { token, kid } = await credentialsInUse();
  const left = async () =>
    Number((await whoami(service, { token })).headers.get("x-ratelimit-remaining"));
  const before = await left();
  await service.ctx.db.run(sql`update api_keys set revoked_at = app_now() where kid = ${kid}`);
  const asked = await statementsOf(service, async () => assert.equal(await left(), before - 1));
  assert.deepEqual(asked, ["count_remembered", "read_grants"]);
});

test("a known caller is not affected by trouble with unknown ones", async () => {
  const { key } = await credentialsInUse();
  const stranger = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const { rows } = service.ctx.db;
  const failing = mock.method(service.ctx.db, "rows", (statement: { name?: string }) =>
    statement.name === "read_keys"
      ? Promise.reject(new Unavailable({ cause: "as it was asked to" }))
      : rows(statement as Parameters<typeof rows>[0]),
  );
  const keys = [key, stranger, key, stranger];
  const answers = await Promise.all(keys.map((one) => whoami(service, { key: one })));
  failing.mock.restore();
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 503, 200, 503],
  );
});

describe("the version of all credentials", () => {
  test("is another after a change, once for all rows of a tx, and not after one undone", async () => {
    const { grantId } = await credentialsInUse();
    const seen = [await version()];
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

  test("that another tx holds for too long is a plain no to a change, which is undone", async () => {
    const { grantId, token } = await credentialsInUse();
    const holder = await service.ctx.db.pool.connect();
    await holder.query("begin; select from credential_version for update");
    const work = service.ctx.db.transaction(
      (tx) => tx.run(sql`update grants set scopes = scopes where grant_id = ${grantId}`),
      { confirm: () => assert.fail("a plain no was taken for an unknown") },
    );
    try {
      await assert.rejects(work, (error: Unavailable) => {
        return error instanceof Unavailable && (error.cause as { code: string }).code === "55P03";
      });
    } finally {
      await holder.query("rollback");
      holder.release();
    }
    assert.equal((await whoami(service, { token })).status, 200);
  });

  test("is another on another server, which may lack what was committed last", async () => {
    const [row] = await service.ctx.db.rows<{ version: string; started: string }>(sql`
      select ${VERSION} as version, pg_postmaster_start_time()::text as started
      from credential_version`);
    assert.equal(row?.version, `${await version()} ${row?.started}`);
  });

  test("cannot be taken away", async () => {
    for (const statement of [sql`delete from credential_version`, sql`truncate credential_version`])
      await assert.rejects(service.ctx.db.run(statement), /the version of credentials stays/);
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
