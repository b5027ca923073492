/**
 * A browser is known as long as its cookie lives: 400 days after the last sign-in with it. Then it
 * is forgotten, and a sign-in with it is told as one from a new browser.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { prunePeople } from "../../src/modules/people/prune-people.ts";
import { countOf } from "../../testkit/auth.ts";
import { signInTo } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const known = () => countOf(service, sql`known_browsers`);
const days = (count: number) => service.clock.advance({ hours: 24 * count });
const prune = () => prunePeople.run(service.ctx, undefined);

test("a browser is known for 400 days after the last sign-in with it", async () => {
  const shop = await service.world.merchant();
  await signInTo(service, shop);
  const before = await known();
  assert.equal(before, 1);
  await days(399);
  await prune();
  assert.equal(await known(), 1);
  await days(2);
  await prune();
  assert.equal(await known(), 0);
});
