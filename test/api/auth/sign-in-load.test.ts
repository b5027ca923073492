/**
 * Sign-ins are the most expensive requests, so they are shed first: two hashes at a time at most,
 * twenty in the queue, the rest get 503 with Retry-After, while every other route answers. A
 * sign-in that was shed is not counted, neither at today's path nor at that of 1.x (Decision 0075).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HASHES_AT_ONCE } from "../../../src/modules/accounts/passwords.ts";
import { attempt, grantsOf, whoami } from "../../../testkit/auth.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

const IN_LINE = 20;

let service: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
});
after(() => service.stop());

function expectBusy({ status, text, headers }: TestAnswer): void {
  assert.deepEqual([status, text], [503, '{"message":"Service Unavailable"}']);
  assert.equal(headers.get("retry-after"), "1");
}

test("of 120 sign-ins at once some are served, the others get 503, nobody an error", async () => {
  const { access_token: token } = await shop.signIn();
  const storm = Array.from({ length: 120 }, () => attempt(service, shop));
  const calm = await whoami(service, { token });
  assert.equal(calm.status, 200);
  const answers = await Promise.all(storm);
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  assert.equal(served.length + refused.length, 120);
  // Of those in line not all need be: on a busy machine some give up after two seconds.
  assert(served.length >= HASHES_AT_ONCE, `only ${served.length} were served`);
  assert(refused.length > 0, "nobody was told to wait");
  for (const answer of refused) expectBusy(answer);
  assert.equal(await grantsOf(service, shop), 1 + served.length, "a 503 left a sign-in behind");
  assert.equal((await attempt(service, shop)).status, 200, "and afterwards all is well");
});

test("a sign-in for which there is no room is refused before it is counted", async () => {
  // Without fields: counted, then refused before any password is looked at.
  const ask = (path: string) => service.request(path, { method: "POST", json: {} });
  const remaining = ({ headers }: TestAnswer) => headers.get("x-ratelimit-remaining");
  const left = Number(remaining(await ask("/auth/tokens")));
  const hashing = Array.from({ length: IN_LINE + HASHES_AT_ONCE }, () =>
    service.ctx.passwords.digest("somebody else's"),
  );
  const refused = await Promise.all(["/auth/tokens", "/auth/grant"].map(ask));
  await Promise.allSettled(hashing);
  for (const answer of refused) {
    expectBusy(answer);
    assert.equal(remaining(answer), null);
  }
  assert.equal(Number(remaining(await ask("/auth/tokens"))), left - 1);
});
