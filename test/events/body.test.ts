/** The body carries exactly the recorded event, on one line, whatever the record holds. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../src/infra/db/query.ts";
import { EVENT_NAMES, factsOf } from "../../src/modules/events/catalogue.ts";
import type { NewEvent } from "../../src/modules/events/event.ts";
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

test("a moment of the first millisecond of a second keeps its zeros", async () => {
  const [body = ""] = await bodiesOf([{}]);
  const { id } = JSON.parse(body);
  const { at } = await service.ctx.db.one<{ at: Date }>(sql`
    select occurred_at as at from events where event_id = ${id}`);
  assert.equal(JSON.parse(body).occurred_at, at.toISOString());
});

test("it gives back any record, character for character", async () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constant('"\\\u2028\u0000😀</script>'),
  );
  const records = fc.sample(fc.dictionary(fc.string(), anyText), 200);
  const bodies = await bodiesOf(records.map((record) => ({ record })));
  for (const [place, record] of records.entries()) {
    const body = bodies[place] ?? "";
    // With a prototype, which fast-check's dictionaries do not always have.
    assert.deepEqual(JSON.parse(body).data, JSON.parse(JSON.stringify(record)));
    assert(body.includes(`"data":${JSON.stringify(record)},"meta"`));
    assert(!/[\n\r]/.test(body));
  }
});
