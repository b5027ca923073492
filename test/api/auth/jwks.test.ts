/**
 * The keys that verify access tokens are published, rotate without signing anybody out, and are the
 * same for every process; their private halves leave the service nowhere.
 */

import assert from "node:assert/strict";
import type { webcrypto } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { sql } from "../../../src/infra/db/query.ts";
import { rotateSigningKeys } from "../../../src/modules/auth/signing-keys.ts";
import { refresh, UNAUTHORIZED, whoami, wholeDatabase } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";
import { forge } from "./forge.ts";

let service: TestService;
let sibling: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  sibling = await startService({ database: service.database });
  shop = await service.world.merchant();
});
after(async () => {
  await sibling.stop();
  await service.stop();
});

const jwksOf = async (one = service) => (await one.request("/.well-known/jwks.json")).body;
const kidsOf = async (one = service) =>
  (await jwksOf(one)).keys.map((key: { kid: string }) => key.kid);
const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? "";
const rotate = () =>
  service.ctx.db.transaction((tx) => rotateSigningKeys(tx, service.ctx.config.wrappingKeys));

describe("GET /.well-known/jwks.json", () => {
  test("shows the key that signs and the one that will be next, public halves only", async () => {
    const { keys } = await jwksOf();
    assert.equal(keys.length, 2);
    for (const key of keys) {
      assert.deepEqual(Object.keys(key).sort(), ["alg", "crv", "kid", "kty", "use", "x"]);
      assert.deepEqual([key.kty, key.crv, key.alg, key.use], ["OKP", "Ed25519", "EdDSA", "sig"]);
      assert.match(key.x, /^[A-Za-z0-9_-]{43}$/);
      assert.match(key.kid, /^[0-9a-f]{16}$/);
    }
    const { access_token: token } = await shop.signIn();
    assert.equal(kidOf(token), keys[0].kid);
  });

  test("needs no credential, minds none, and may be kept for five minutes", async () => {
    const answer = await service.request("/.well-known/jwks.json", { token: "x", key: "y" });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("cache-control"), "public, max-age=300");
    const head = await service.request("/.well-known/jwks.json", { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(head.text, "");
  });

  test("is the same on every process, and their tokens are good everywhere", async () => {
    assert.deepEqual(await jwksOf(sibling), await jwksOf());
    const { access_token: token } = await shop.signIn();
    assert.equal((await whoami(sibling, { token })).status, 200);
  });

  test("has private halves that the database keeps sealed", async () => {
    const dump = await wholeDatabase(service);
    assert(!/"d":/.test(dump), "a private key stands in the database as it is");
    const rows = await service.ctx.db.rows<{ private_sealed: Buffer }>(
      sql`select private_sealed from signing_keys`,
    );
    for (const row of rows) assert(!row.private_sealed.toString("latin1").includes("Ed25519"));
  });
});

describe("rotating the signing keys", () => {
  let old: string;
  let before: string[];
  let first: Awaited<ReturnType<Person["signIn"]>>;
  test("publishes three keys, on every process, with the old ones among them", async () => {
    first = await shop.signIn();
    old = kidOf(first.access_token);
    before = await kidsOf();
    await rotate();
    const kids = await kidsOf();
    assert.equal(kids.length, 3);
    assert.deepEqual(kids.slice(0, 2), before);
    assert.deepEqual(await kidsOf(sibling), kids);
  });

  test("leaves old tokens good and signs new ones with the key that was announced", async () => {
    for (const one of [service, sibling])
      assert.equal((await whoami(one, { token: first.access_token })).status, 200);
    const next = before.find((kid) => kid !== old);
    const { access_token: token } = await shop.signIn();
    assert.equal(kidOf(token), next);
    const refreshed = (await refresh(sibling, first.refresh_token)).body;
    assert.equal(kidOf(refreshed.access_token), next);
    for (const one of [service, sibling])
      for (const good of [token, refreshed.access_token]) {
        assert.equal((await whoami(one, { token: good })).status, 200);
        await jwtVerify(good, createLocalJWKSet(await jwksOf(one)));
      }
  });

  test("takes the old key out of the list 12 hours and a minute later, not before", async () => {
    await service.clock.advance({ hours: 12 });
    assert((await kidsOf()).includes(old));
    await service.clock.advance({ minutes: 1, seconds: 1 });
    const kids = await kidsOf();
    assert(!kids.includes(old));
    assert.equal(kids.length, 2);
  });

  test("and a token signed by the old key after that is refused, on every process", async () => {
    const { access_token: token } = await shop.signIn();
    const stolen = await service.ctx.signingKeys.current(service.ctx.db);
    assert.equal((await whoami(service, { token })).status, 200);
    await rotate();
    await service.clock.advance({ minutes: 1 });
    const iat = Number(decodeJwt(token).iat) + 60;
    const forged = await forge(service, token, {
      claims: { iat, exp: iat + 43_200 },
      key: stolen.key as webcrypto.CryptoKey,
    });
    for (const one of [service, sibling]) {
      assert.equal((await whoami(one, { token: forged })).text, UNAUTHORIZED);
      assert.equal((await whoami(one, { token })).status, 200);
    }
  });

  test("done by ten at once leaves one key that signs and one that is next", async () => {
    await Promise.all(Array.from({ length: 10 }, rotate));
    const states = await service.ctx.db.rows<{ state: string; count: number }>(sql`
      select state, count(*)::int as count from signing_keys
      where state <> 'retired' group by state order by state`);
    assert.deepEqual(
      states.map(({ state, count }) => [state, count]),
      [
        ["current", 1],
        ["next", 1],
      ],
    );
    const { access_token: token } = await shop.signIn();
    assert.equal((await whoami(sibling, { token })).status, 200);
  });

  test("and throwing a key away ends its tokens at once, on every process", async () => {
    const { access_token: token } = await shop.signIn();
    for (const one of [service, sibling]) assert.equal((await whoami(one, { token })).status, 200);
    await rotate();
    await service.ctx.db.run(sql`delete from signing_keys where kid = ${kidOf(token)}`);
    for (const one of [service, sibling])
      assert.equal((await whoami(one, { token })).text, UNAUTHORIZED);
    assert.equal(
      (await whoami(service, { token: (await shop.signIn()).access_token })).status,
      200,
    );
  });
});

test("processes that start together on an empty database make one pair of keys", async () => {
  const lone = await startService();
  await lone.ctx.db.run(sql`delete from signing_keys`);
  const { database } = lone;
  const started = await Promise.all([1, 2, 3, 4].map(() => startService({ database })));
  const lists = await Promise.all([lone, ...started].map((one) => kidsOf(one)));
  for (const kids of lists) assert.deepEqual(kids, lists[0]);
  assert.equal(lists[0].length, 2);
  for (const one of [...started, lone]) await one.stop();
});
