/**
 * A connection to the database that hangs in the middle of a checkout costs the customers in that
 * batch, and delays later ones by a second at most (Decision 0078).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  CARDS,
  expectAllToAddUp,
  journal,
  openOrder,
  submit,
  sweep,
  told,
} from "../../testkit/checkout-sessions.ts";
import { startCuttingProxy } from "../../testkit/cutting-proxy.ts";
import { freshDatabase } from "../../testkit/database.ts";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";

const APPROVED = "success, [1-R00]: Transaction is approved.";
/** A statement of ours may take six seconds before it is given up. */
const PASSED_BY_MS_MAX = 5_000;

const database = await freshDatabase();
const proxy = await startCuttingProxy(database.url);
const service = await startService({ database: { url: proxy.url, drop: async () => {} } });
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
  await proxy.close();
  await database.drop();
});

for (const statement of [
  "find-sessions",
  "take-card-windows",
  "begin-attempts",
  "lock-answered-skip",
])
  test(`in ${statement}: a later customer is not blocked and pays`, async () => {
    const [first, ...later] = await Promise.all([0, 1, 2, 3].map(() => openOrder(service)));
    assert(first !== undefined);
    proxy.swallowFrom(statement);
    const hung = submit(service, first, CARDS.approved).then(
      () => "answered",
      () => "refused",
    );
    await until(() => proxy.hasSwallowed(), "the connection hangs");
    const beganAt = performance.now();
    await Promise.all(later.map((order) => submit(service, order, CARDS.approved)));
    assert(performance.now() - beganAt < PASSED_BY_MS_MAX);
    for (const order of later) assert.equal(await told(service, order), APPROVED);
    assert.equal(await hung, "refused");
    await service.clock.advance({ seconds: 31 });
    await sweep(service);
    assert((await journal(service, first)).length <= 1);
  });
