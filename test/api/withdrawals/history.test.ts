/**
 * The history of withdrawals: filters combine, days are whole days in UTC, what was cancelled is
 * shown to who asks for it, a walk misses and repeats nothing while new ones come, and every bad
 * value is told by its name (Interface §4.3, Decision 0045).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Scope } from "../../../src/kit/scopes.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  cancel,
  dispatch,
  expectAllToAddUp,
  type Fields,
  type Owner,
  openOwner,
  SUB_BANKED,
  SUB_UNBANKED,
  withdraw,
} from "../../../testkit/withdrawals.ts";

let service: TestService;
let main: Owner;
/** By what each of them is, oldest first; a day lies between each two. */
const ids: Record<string, string> = {};
const days: string[] = [];
const SEEDS: [string, Fields][] = [
  ["paid", { amount: "10.00" }],
  ["failed", { amount: "20.98" }],
  ["held", { ...SUB_BANKED, amount: "30.93" }],
  ["dollars", { ...SUB_UNBANKED, amount: "40.00", currency: "USD" }],
  ["cancelled", { amount: "50.00" }],
  ["pending", { ...SUB_BANKED, amount: "60.00" }],
];

before(async () => {
  service = await startService();
  main = await openOwner(service, "mainMerchant");
  for (const [name, fields] of SEEDS) {
    ids[name] = await withdraw(service, main, fields);
    const { body } = await service.request(`/withdrawals/${ids[name]}`, token());
    days.push(body.data.created_at.slice(0, 10));
    if (name === "cancelled") await cancel(service, main, ids[name]);
    else if (name !== "pending") await dispatch(service);
    if (name === "pending") continue;
    await service.clock.advance({ hours: 24 });
    main = {
      ...main,
      ...(await mintToken(service.ctx, main, main.allScopes.split(" ") as Scope[])),
    };
  }
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

const token = () => ({ token: main.token });
const get = (query: string) =>
  service.request(`/withdrawals/?environment=sandbox&${query}`, token());

async function namesOf(query: string): Promise<string> {
  const { body, status, text } = await get(query);
  assert.equal(status, 200, text);
  const byId = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  assert.equal(body.meta.total, body.data.length);
  return body.data.map((row: { transaction_id: string }) => byId.get(row.transaction_id)).join(" ");
}

describe("the history shows, newest first,", () => {
  const table: [string, string][] = [
    ["", "pending dollars held failed paid"],
    ["with_deleted=true", "pending cancelled dollars held failed paid"],
    ["with_deleted=0", "pending dollars held failed paid"],
    ["currency=USD", "dollars"],
    ["withdrawal_type=sub_banked", "pending held"],
    ["withdrawal_type=sub_banked&withdrawal_type=sub_unbanked", "pending dollars held"],
    ["status=completed", "dollars paid"],
    ["status=failed&status=held", "held failed"],
    ["status=cancelled", ""],
    ["status=cancelled&with_deleted=1", "cancelled"],
    ["status=", "pending dollars held failed paid"],
    ["amount_min=30.93", "pending dollars held"],
    ["amount_max=30.93", "held failed paid"],
    ["amount_min=20.98&amount_max=40", "dollars held failed"],
    ["status=completed&currency=TTD&amount_max=10", "paid"],
    ["status=completed&currency=TTD&amount_max=9.99", ""],
    ["unknown=filter", "pending dollars held failed paid"],
  ];
  for (const [query, names] of table)
    test(`with "${query}": ${names || "nothing"}`, async () => {
      assert.equal(await namesOf(query), names);
    });

  test("those of whole days in UTC, both included", async () => {
    const [first, second, third] = days;
    assert.equal(await namesOf(`start_date=${second}&end_date=${third}`), "held failed");
    assert.equal(await namesOf(`end_date=${first}`), "paid");
    assert.equal(await namesOf(`start_date=${days.at(-1)}`), "pending");
    assert.equal(await namesOf(`start_date=${second}&end_date=${second}`), "failed");
  });

  test("the one of an id or a reference", async () => {
    assert.equal(await namesOf(`transaction_id=${ids.held}`), "held");
    const { body } = await get(`transaction_id=${ids.held}`);
    const { reference } = body.data[0];
    assert.equal(await namesOf(`reference=${reference}`), "held");
    assert.equal(await namesOf(`reference=${reference.toUpperCase()}`), "held");
    assert.equal(await namesOf(`reference=${reference}&status=failed`), "");
    assert.equal(await namesOf(`transaction_id=${ids.cancelled}`), "");
  });

  test("nothing of another environment or account; a key shows its own environment", async () => {
    assert.deepEqual((await service.request("/withdrawals/", token())).body.data, []);
    const other = await openOwner(service);
    const path = "/withdrawals/?environment=sandbox";
    assert.deepEqual((await service.request(path, { token: other.token })).body.data, []);
    const scopes = main.allScopes.split(" ") as Scope[];
    const { key } = await mintKey(service.ctx, main, scopes);
    assert.equal((await service.request("/withdrawals/", { key })).body.data.length, 5);
    const live = await service.request("/withdrawals/?environment=live", { key });
    const message = "The environment must be sandbox with this API key.";
    assert.deepEqual([live.status, live.body], [400, { message }]);
  });
});

describe("a bad value is told by its name", () => {
  const AMOUNT = "must be a number with at most 2 decimal places.";
  const PAGE = "The page must be a whole number from 1 to 1000000.";
  const SIZE = "The page size must be a whole number from 1 to 100.";
  const DAY = "must be a day such as 2027-01-31.";
  const STATUS = "pending, processing, held, completed, failed, cancelled, returned";
  const table: [string, string][] = [
    ["environment=test", "The environment must be one of: live, sandbox."],
    ["currency=EUR", "The currency must be one of: TTD, USD, BBD, XCD, JMD, GYD."],
    ["withdrawal_type=x", "The withdrawal type must be one of: normal, sub_banked, sub_unbanked."],
    ["status=Pending", `The status must be one of: ${STATUS}.`],
    ["status=pending&status=x", `The status must be one of: ${STATUS}.`],
    ["amount_min=abc", `The amount min ${AMOUNT}`],
    ["amount_max=1.001", `The amount max ${AMOUNT}`],
    ["amount_min=2&amount_max=1", "The amount max must not be less than the amount min."],
    ["reference=' or 1=1 --", "The reference format is invalid."],
    ["reference=0b9d2f6e3a514c0a9f2e7d1c5b8e4a60", "The reference format is invalid."],
    ["transaction_id=x", "The transaction id format is invalid."],
    ["start_date=2026-02-31", `The start date ${DAY}`],
    ["end_date=2026-11-01T00:00:00%2B04:00", `The end date ${DAY}`],
    [
      "start_date=2026-11-02&end_date=2026-11-01",
      "The end date must not be before the start date.",
    ],
    ["with_deleted=maybe", "The with deleted must be true or false."],
    ["page=0", PAGE],
    ["page=-1", PAGE],
    ["page_size=0", SIZE],
    ["page_size=101", SIZE],
    ["as_of=x", "The as of must come from a link of this list."],
    ["currency=TTD&currency=USD", "The currency field is given more than once."],
  ];
  for (const [query, message] of table)
    test(`${query}: ${message}`, async () => {
      const path = `/withdrawals/?${query.replaceAll(" ", "%20").replaceAll("'", "%27")}`;
      const { status, body } = await service.request(path, token());
      assert.deepEqual([status, body], [400, { message }]);
    });
});

describe("a walk along the links", () => {
  test("misses and repeats nothing while new ones come, there and back", async () => {
    const owner = await openOwner(service);
    const made: string[] = [];
    for (let at = 0; at < 7; at++) made.unshift(await withdraw(service, owner));
    const step = async (url: string) =>
      (await service.request(url.slice(url.indexOf("/withdrawals")), { token: owner.token })).body;
    const idsOf = (body: { data: { transaction_id: string }[] }) =>
      body.data.map((row) => row.transaction_id);
    const walked: string[] = [];
    let page = await step("/withdrawals/?environment=sandbox&page_size=2");
    for (;;) {
      assert.deepEqual([page.meta.total, page.meta.last_page], [7, 4]);
      walked.push(...idsOf(page));
      if (page.links.next === null) break;
      await withdraw(service, owner);
      page = await step(page.links.next);
    }
    assert.deepEqual(walked, made);
    assert.deepEqual(idsOf(await step(page.links.prev)), made.slice(4, 6));
    assert.deepEqual(idsOf(await step(page.links.last)), made.slice(6));
    assert.equal((await step(page.links.first)).meta.total, 10);
  });

  test("a link leads nowhere in another list", async () => {
    const { body } = await get("page_size=2");
    const asOf = new URL(body.links.next).searchParams.get("as_of");
    const { status } = await get(`page_size=2&status=pending&page=2&as_of=${asOf}`);
    assert.equal(status, 400);
  });
});
