/**
 * Sign-ins are the dearest requests, so they are the first to be told to wait: two hashes at a
 * time at most, twenty in line, the rest a 503 with Retry-After, while every other route answers.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startService, type TestService } from "../../support/service.ts";
import type { Person } from "../../support/world.ts";
import { attempt, grantsOf, whoami } from "./support.ts";

let service: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
});
after(() => service.stop());

test("of 120 sign-ins at once some are served, the others get 503, nobody an error", async () => {
  const { access_token: token } = await shop.signIn();
  const storm = Array.from({ length: 120 }, () => attempt(service, shop));
  const calm = await whoami(service, { token });
  assert.equal(calm.status, 200);
  const answers = await Promise.all(storm);
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 503);
  assert.equal(served.length + refused.length, 120);
  assert(served.length >= 22, `only ${served.length} were served`);
  assert(refused.length > 0, "nobody was told to wait");
  for (const answer of refused) {
    assert.equal(answer.text, '{"message":"Service Unavailable"}');
    assert.equal(answer.headers.get("retry-after"), "1");
  }
  assert.equal(await grantsOf(service, shop), 1 + served.length, "a 503 left a sign-in behind");
  assert.equal((await attempt(service, shop)).status, 200, "and afterwards all is well");
});
