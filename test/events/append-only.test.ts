/**
 * Events do not change, against any SQL: an event is numbered once and otherwise never changed, and
 * one that could not be numbered is refused (Decision 0032).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { numberEvents } from "../../src/modules/events/number-events.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import type { Person } from "../../testkit/world.ts";
import { feedOf, note, nothingMore } from "./support.ts";

let service: TestService;
let shop: Person;
let numbered: string;
let waiting: string;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
  const { db } = service.ctx;
  numbered = await db.transaction((tx) => note(tx, shop, "numbered"));
  await numberEvents(db, nothingMore);
  waiting = await db.transaction((tx) => note(tx, shop, "waiting"));
});
after(() => service.stop());

const rows = () => service.ctx.db.rows(sql`select * from events order by event_id`);

async function refuses(statement: string, rule: RegExp): Promise<void> {
  const before = await rows();
  await assert.rejects(service.ctx.db.pool.query(statement), rule);
  assert.deepEqual(await rows(), before);
}

const ONCE = /an event is numbered once and else never changed/;

describe("of an event with its number", () => {
  for (const change of [
    "sequence = 2",
    "sequence = null, body = null, record = '{}'",
    "body = '{}'",
    "event = 'payment.success'",
    "occurred_at = app_now()",
    "account_number = '1000000000'",
    "environment = 'sandbox'",
    "resource = 'TT-2'",
    "event_id = 'evt_0'",
    "only_endpoint_id = gen_random_uuid()",
  ])
    test(`${change} is refused`, () =>
      refuses(`update events set ${change} where event_id = '${numbered}'`, ONCE));
});

describe("of an event that waits for its number", () => {
  const CHANGES: readonly [string, RegExp][] = [
    ["record = '{}'", ONCE],
    ["event = 'payment.success'", ONCE],
    ["sequence = 2, body = '{}', record = null, resource = 'TT-2'", ONCE],
    ["sequence = 1, body = '{}', record = null", /a_sequence_is_given_once/],
    ["sequence = 0, body = '{}', record = null", /a_sequence_begins_at_1/],
    ["sequence = 2, record = null", /a_numbered_event_has_its_body_instead_of_its_record/],
    ["sequence = 2, body = '{}'", /a_numbered_event_has_its_body_instead_of_its_record/],
  ];
  for (const [change, rule] of CHANGES)
    test(`${change} is refused`, () =>
      refuses(`update events set ${change} where event_id = '${waiting}'`, rule));
});

test("no event is removed", async () => {
  for (const statement of [
    `delete from events where event_id = '${numbered}'`,
    `delete from events where event_id = '${waiting}'`,
    "truncate events cascade",
  ])
    await refuses(statement, /events is append-only/);
});

test("none begins with a number", () =>
  refuses(
    `insert into events (event_id, account_number, environment, api_family, event, resource,
       sequence, body)
     values ('evt_0', '${shop.accountNumber}', 'live', 'account_api', 'webhook.test', 'x', 9,
       '{}')`,
    /an event begins without a number/,
  ));

describe("what would not fit a body is refused together with its change:", () => {
  const CASES: readonly [string, object, RegExp][] = [
    ["a record too long", { record: { text: "x".repeat(64_000) } }, /leaves_room_for_the_rest/],
    ["a resource too long", { resource: "x".repeat(65) }, /resource_has_1_to_64/],
    ["no resource", { resource: "" }, /resource_has_1_to_64/],
    ["an account that does not exist", { accountNumber: "1" }, /belongs_to_an_account/],
  ];
  for (const [what, more, rule] of CASES)
    test(what, async () => {
      const before = await rows();
      const work = service.ctx.db.transaction((tx) => note(tx, shop, "", more));
      await assert.rejects(work, rule);
      assert.deepEqual(await rows(), before);
    });

  test("the longest of each is taken and numbered", async () => {
    const text = "x".repeat(64_000 - '{"text":""}'.length);
    const longest = { record: { text }, resource: "x".repeat(64) };
    const { db } = service.ctx;
    await db.transaction((tx) => note(tx, shop, "", longest));
    assert.equal((await numberEvents(db, nothingMore)).count, 2);
    assert.equal((await feedOf(db, shop)).at(-1)?.data.text, text);
  });
});
