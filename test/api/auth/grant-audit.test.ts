/**
 * A sign-in with the right password that asks for a scope the account may not hold is in the audit
 * trail: somebody may be testing what a stolen password opens. Once a minute at most.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { attempt } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

let service: TestService;
before(async () => {
  service = await startService({ settings: { TRUSTED_PROXIES: "127.0.0.0/8" } });
});
after(() => service.stop());

function entriesOf({ accountNumber }: Person) {
  return service.ctx.db.rows<{ actor: string; detail: object }>(sql`
    select actor, detail from audit_entries
    where account_number = ${accountNumber} and action = 'scope_refused_at_sign_in'`);
}

test("what was asked for and not allowed is recorded, with the address, once a minute", async () => {
  const person = await service.world.person();
  const scopes = "svc-user-all svc-accounts-all svc-trusted-cards-create";
  for (let times = 0; times < 3; times++) {
    const answer = await attempt(service, person, { scopes, from: "203.0.113.9" });
    assert.deepEqual([answer.status, answer.body], [403, { message: "Forbidden" }]);
  }
  const detail = { scopes: ["svc-accounts-all", "svc-trusted-cards-create"] };
  assert.deepEqual(await entriesOf(person), [{ actor: "203.0.113.9", detail }]);
});

test("an account is recorded whatever others did in the same minute", async () => {
  const [one, two] = [await service.world.person(), await service.world.person()];
  for (const who of [one, two]) await attempt(service, who, { scopes: "svc-accounts-all" });
  assert.equal((await entriesOf(one)).length, 1);
  assert.equal((await entriesOf(two)).length, 1);
});

test("neither a wrong password nor an allowed scope leaves such an entry", async () => {
  const person = await service.world.person();
  await attempt(service, person, { scopes: "svc-accounts-all", password: "Wrong-2026" });
  await attempt(service, person, { scopes: "svc-user-all" });
  assert.deepEqual(await entriesOf(person), []);
});

test("when it cannot be written the answer stays the same", async (t) => {
  const person = await service.world.person();
  const run = t.mock.method(service.ctx.db, "run", async () => {
    throw new Error("no audit today");
  });
  const answer = await attempt(service, person, { scopes: "svc-accounts-all" });
  run.mock.restore();
  assert.deepEqual([answer.status, answer.body], [403, { message: "Forbidden" }]);
});
