/** The body carries exactly the recorded event, on one line, whatever the record holds. */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../src/infra/db/query.ts";
import { EVENT_NAMES, factsOf } from "../../src/modules/events/catalogue.ts";
import { BODY, type NewEvent } from "../../src/modules/events/event.ts";
import { recordEvents } from "../../src/modules/events/record-event.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
const shop = await service.world.merchant();
after(service.stop);

const RESOURCE = 'TT-"\\é😀';

/** Their bodies, in the same order. */
async function bodiesOf(events: readonly Partial<NewEvent>[]): Promise<string[]> {
  const { db } = service.ctx;
  const { accountNumber } = shop;
  const told = events.map(
    (event): NewEvent => ({
      ...{ accountNumber, environment: "live", event: "payment.success" },
      ...{ resource: RESOURCE, record: {} },
      ...event,
    }),
  );
  const ids = await db.transaction((tx) => recordEvents(tx, told));
  await service.numberEvents();
  const rows = await db.rows<{ body: string }>(sql`
    select body from unnest(${ids}::text[]) with ordinality as told (event_id, place)
    join events using (event_id) order by place`);
  return rows.map(({ body }) => body);
}

test("it has its fields in the order of the catalogue's page, without a space", async () => {
  const [body = ""] = await bodiesOf([{ record: { total: "100.00" }, resource: "TT-1" }]);
  const { id, sequence, occurred_at } = JSON.parse(body);
  assert.equal(
    body,
    `{"id":"${id}","api_family":"payments_api","event":"payment.success",` +
      `"sequence":${sequence},"occurred_at":"${occurred_at}","data":{"total":"100.00"},` +
      '"meta":{"transaction_id":"TT-1","environment":"live",' +
      `"account_number":"${shop.accountNumber}"}}`,
  );
  assert.equal(new Date(occurred_at).toISOString(), occurred_at);
});

test("each says its family, and names a transaction only where it is about one", async () => {
  const bodies = await bodiesOf(EVENT_NAMES.map((event) => ({ event })));
  for (const [place, event] of EVENT_NAMES.entries()) {
    const { api_family, meta } = JSON.parse(bodies[place] ?? "");
    const isAboutOne = /^(payment|withdrawal|trusted_card)\./.test(event);
    assert.equal(meta.transaction_id, isAboutOne ? RESOURCE : null, event);
    assert.equal(api_family, factsOf(event).apiFamily);
  }
});

test("a moment early in its second keeps the zeros of its milliseconds", async () => {
  const { body } = await service.ctx.db.one<{ body: string }>(sql`
    select ${BODY} as body from (
      select 'an id' as event_id, 'payments_api' as api_family, 'payment.success' as event,
        timestamptz '2026-03-01 23:59:00.007-04' as occurred_at, '{}' as record,
        'TT-1' as resource, 'live' as environment, '1234567890' as account_number
    ) as events, (select 1::bigint as sequence) as numbered`);
  assert.equal(JSON.parse(body).occurred_at, "2026-03-02T03:59:00.007Z");
});

test("it gives back any record, character for character", async () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constant('"\\\u2028\u0000😀</script>'),
  );
  const seed = randomInt(2 ** 31);
  const records = fc.sample(fc.dictionary(fc.string(), anyText), { numRuns: 200, seed });
  const bodies = await bodiesOf(records.map((record) => ({ record })));
  for (const [place, record] of records.entries()) {
    const body = bodies[place] ?? "";
    // With a prototype, which fast-check's dictionaries do not always have.
    assert.deepEqual(JSON.parse(body).data, JSON.parse(JSON.stringify(record)), `seed ${seed}`);
    assert(body.includes(`"data":${JSON.stringify(record)},"meta"`), `seed ${seed}`);
    assert(!/[\n\r]/.test(body), `seed ${seed}`);
  }
});
