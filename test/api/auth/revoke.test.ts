/**
 * Signing out ends the token and everything refreshed with it at once, on every process (Interface
 * §5.6), and nothing else.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeJwt } from "jose";
import { sql } from "../../../src/infra/db/query.ts";
import {
  REFRESH_INVALID,
  refresh,
  UNAUTHORIZED,
  usedAfter,
  whoami,
} from "../../../testkit/auth.ts";
import type { Credential } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

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

const revoke = (credential: Credential) =>
  service.request("/auth/tokens", { method: "DELETE", ...credential });

async function expectDead(pair: { access_token: string; refresh_token: string }) {
  for (const one of [service, sibling]) {
    const answer = await whoami(one, { token: pair.access_token });
    assert.equal(answer.status, 401);
    assert.equal(answer.text, UNAUTHORIZED);
    assert.equal((await refresh(one, pair.refresh_token)).text, REFRESH_INVALID);
  }
}

describe("DELETE /auth/tokens with a bearer token", () => {
  test("answers 200 OK, and both tokens are dead on every process", async () => {
    const pair = await shop.signIn();
    // Both processes have seen the token and would know it by heart, if they did such things.
    for (const one of [service, sibling])
      assert.equal((await whoami(one, { token: pair.access_token })).status, 200);
    const answer = await revoke({ token: pair.access_token });
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '{"message":"OK"}');
    await expectDead(pair);
    const { gid } = decodeJwt(pair.access_token);
    const { revoked_because: why } = await service.ctx.db.one<{ revoked_because: string }>(
      sql`select revoked_because from grants where grant_id = ${gid} and revoked_at is not null`,
    );
    assert.equal(why, "revoked");
  });

  test("ends what was refreshed before, whichever token of the family asks", async () => {
    for (const asks of [0, 1, 2]) {
      const family = [await shop.signIn()];
      for (let i = 0; i < 2; i++)
        family.push((await refresh(service, family.at(-1)?.refresh_token ?? "")).body);
      const token = family[asks]?.access_token ?? "";
      assert.equal((await revoke({ token })).status, 200);
      for (const pair of family) await expectDead(pair);
    }
  });

  test("needs no scope in particular", async () => {
    const { access_token: token } = await shop.signIn("svc-withdrawals-retrieve");
    assert.equal((await revoke({ token })).status, 200);
  });

  test("touches no other sign-in and no key of the account", async () => {
    const [one, other] = [await shop.signIn(), await shop.signIn()];
    const { key } = await shop.makeKey();
    await revoke({ token: one.access_token });
    assert.equal((await whoami(service, { token: other.access_token })).status, 200);
    assert.equal((await refresh(service, other.refresh_token)).status, 200);
    assert.equal((await whoami(service, { key })).status, 200);
  });

  test("a second time is a 401 like any other use of a dead token", async () => {
    const { access_token: token } = await shop.signIn();
    await revoke({ token });
    assert.equal((await revoke({ token })).text, UNAUTHORIZED);
  });

  test("asked by 16 at once answers each with 200 or 401, and it is done", async () => {
    const pair = await shop.signIn();
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => revoke({ token: pair.access_token })),
    );
    assert(answers.some(({ status }) => status === 200));
    assert(answers.every(({ status }) => status === 200 || status === 401));
    await expectDead(pair);
  });

  test("lets nothing in that began after its answer, on any process", async () => {
    const { access_token: token } = await shop.signIn();
    const users = [service, sibling, service, sibling];
    const late = await usedAfter(users, { token }, async () => {
      assert.equal((await revoke({ token })).status, 200);
    });
    assert.deepEqual(new Set(late), new Set([401]));
  });
});

describe("DELETE /auth/tokens without one", () => {
  test("with an API key answers 400 and the key lives on", async () => {
    const { key } = await shop.makeKey();
    const pair = await shop.signIn();
    const answer = await revoke({ key });
    assert.equal(answer.status, 400);
    assert.deepEqual(Object.keys(answer.body), ["message"]);
    assert.match(answer.body.message, /API key/);
    assert.equal((await whoami(service, { key })).status, 200);
    assert.equal((await whoami(service, { token: pair.access_token })).status, 200);
  });

  test("with neither, or with a key that is not good, answers 401", async () => {
    assert.equal((await revoke({})).text, UNAUTHORIZED);
    assert.equal((await revoke({ key: "nonsense" })).text, UNAUTHORIZED);
    assert.equal((await revoke({ token: "nonsense" })).text, UNAUTHORIZED);
  });

  test("with both answers 401 and ends neither", async () => {
    const { key } = await shop.makeKey();
    const { access_token: token } = await shop.signIn();
    assert.equal((await revoke({ token, key })).text, UNAUTHORIZED);
    assert.equal((await whoami(service, { key })).status, 200);
    assert.equal((await whoami(service, { token })).status, 200);
  });

  test("with a refresh token in its place answers 401 and ends nothing", async () => {
    const pair = await shop.signIn();
    assert.equal((await revoke({ token: pair.refresh_token })).text, UNAUTHORIZED);
    assert.equal((await refresh(service, pair.refresh_token)).status, 200);
  });
});
