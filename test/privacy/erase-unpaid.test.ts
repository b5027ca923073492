/**
 * The guarantee: what customers left with payments that were never paid is gone after as many days
 * as are kept, and not before; what was paid stays; and one that is not finished is not passed over
 * (Decision 0122).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { eraseUnpaid, eraseUnpaidJob } from "../../src/modules/privacy/erase-unpaid.ts";
import {
  CARDS,
  expectAllToAddUp,
  openByRequest,
  submit,
  sweep,
} from "../../testkit/checkout-sessions.ts";
import { placesOf } from "../../testkit/personal-data.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { askToSave, signInAgain } from "../../testkit/trusted-cards.ts";
import { payTooLate, requestOf, wordsOf } from "./erasure-support.ts";

const DAYS = 30;
let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService({ settings: { KEEP_UNPAID_DAYS: String(DAYS) } });
  shop = await openShop(service);
});
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const found = (words: Record<string, string>) => placesOf(service.ctx.db, Object.values(words));
const places = async (words: Record<string, string>) =>
  (await found(words)).filter((place) => !place.startsWith("public.logged_requests"));

test("what was not paid is erased when its days are over; what was paid stays", async () => {
  const [unpaid, declined, late, kept] = [
    wordsOf("quixaway"),
    wordsOf("quixdeclined"),
    wordsOf("quixlate"),
    wordsOf("quixkept"),
  ];
  await openByRequest(service, shop, requestOf(shop, unpaid));
  const tried = await openByRequest(service, shop, requestOf(shop, declined));
  for (let card = 0; card < 5; card++) await submit(service, tried, CARDS.declined);
  const paid = await openByRequest(service, shop, requestOf(shop, kept));
  await submit(service, paid, CARDS.approved);
  await askToSave(service, shop, { data: "quixsaving" });
  await payTooLate(service, shop, late);
  await service.numberEvents();
  await service.clock.advance({ minutes: 10 });
  await sweep(service);
  await service.numberEvents();

  await service.clock.advance({ hours: 24 * DAYS - 2 });
  await eraseUnpaid(service.ctx);
  for (const words of [unpaid, declined, late, { data: "quixsaving" }])
    assert.notDeepEqual(await places(words), []);
  const before = await places(kept);

  await service.clock.advance({ hours: 2 });
  await eraseUnpaidJob.run(service.ctx, {});
  for (const words of [unpaid, declined, late, { data: "quixsaving" }])
    assert.deepEqual(await places(words), []);
  assert.deepEqual(await places(kept), before);
  const again = await signInAgain(service, shop);
  const { body } = await service.request(`/transactions/${tried.id}`, { token: again.token });
  assert.deepEqual(
    [body.data.status, body.data.customer, body.data.total, body.data.data],
    ["failed", {}, "100.00", ""],
  );
});

test("later ones follow, in later runs; those that are looked at are not looked at again", async () => {
  const own = await signInAgain(service, shop);
  const words = wordsOf("quixlater");
  await openByRequest(service, own, requestOf(own, words));
  await service.clock.advance({ minutes: 10 });
  await sweep(service);
  await service.clock.advance({ hours: 24 * DAYS });
  await eraseUnpaid(service.ctx);
  assert.deepEqual(await places(words), []);
  const positions = () =>
    service.ctx.db.rows(sql`select place, passed_id from erasure_positions order by place`);
  const passed = await positions();
  assert.equal(passed.length, 2);
  await eraseUnpaid(service.ctx);
  assert.deepEqual(await positions(), passed);
});

test("one that is not finished waits, and is erased once it is", async () => {
  const own = await signInAgain(service, shop);
  const words = wordsOf("quixstuck");
  const stuck = await openByRequest(service, own, requestOf(own, words));
  await service.clock.advance({ hours: 24 * DAYS + 1 });
  await eraseUnpaid(service.ctx);
  assert.notDeepEqual(await places(words), []);
  assert(service.logged.some((line) => line.includes(stuck.id) && line.includes("not finished")));
  await sweep(service);
  await eraseUnpaid(service.ctx);
  assert.deepEqual(await places(words), []);
});
