/**
 * The history shows exactly what fits its filters, alone and together, and says what is wrong with
 * one that cannot be read (Interface §4.5, Decision 0027).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { addUpCounts } from "../../../src/modules/transactions/add-up-counts.ts";
import { mintKey } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  filled,
  fillHistory,
  newPayment,
  openShop,
  pay,
  type Shop,
} from "../../../testkit/transactions.ts";

const ROWS = 1_200;
/** Seven hours apart, so that they lie in many days and months. */
const EVERY_HOURS = 7;
const UNTIL = "2026-03-01T23:30:00Z";

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
  shop = await openShop(service);
  const everySeconds = EVERY_HOURS * 3600;
  await fillHistory(service, shop, { rows: ROWS, until: UNTIL, everySeconds });
  const sandbox = { environment: "sandbox", until: UNTIL, everySeconds } as const;
  await fillHistory(service, shop, { rows: 3, ...sandbox });
  const neighbour = await openShop(service);
  await fillHistory(service, neighbour, { rows: 50, until: UNTIL, everySeconds });
});
after(() => service.stop());

const list = (query: string, credential: { token: string } | { key: string } = shop) => {
  const { token, key } = { token: undefined, key: undefined, ...credential };
  return service.request(`/transactions/?${query}`, {
    ...(token === undefined ? {} : { token }),
    ...(key === undefined ? {} : { key }),
  });
};

interface Made extends ReturnType<typeof filled> {
  readonly orderId: string;
  readonly at: Date;
}
const made: Made[] = Array.from({ length: ROWS }, (_, index) => {
  const i = index + 1;
  const at = new Date(new Date(UNTIL).getTime() - (ROWS - i) * EVERY_HOURS * 3_600_000);
  return { ...filled(i), orderId: `old-${i}`, at };
}).reverse();

const onDay = (row: Made, from: string, to: string) => {
  const day = row.at.toISOString().slice(0, 10);
  return from <= day && day <= to;
};

const FILTERS: Record<string, (row: Made) => boolean> = {
  "": () => true,
  "status=success": (row) => row.status === "success",
  "status=failed": (row) => row.status === "failed",
  "status=incomplete": () => false,
  "currency=USD": (row) => row.currency === "USD",
  "currency=JMD": () => false,
  "status=failed&currency=USD": (row) => row.status === "failed" && row.currency === "USD",
  "order_id=old-77": (row) => row.orderId === "old-77",
  "order_id=old-100": (row) => row.orderId === "old-100",
  "order_id=old-100&status=error": (row) => row.orderId === "old-100",
  "order_id=old-100&status=success": () => false,
  "order_id=nothing": () => false,
  "order_id=old-77&total_min=5&total_max=6": (row) => row.orderId === "old-77",
  "start_date=2026-02-20": (row) => onDay(row, "2026-02-20", "9999"),
  "end_date=2025-06-30": (row) => onDay(row, "0000", "2025-06-30"),
  "start_date=2025-11-15&end_date=2026-02-10": (row) => onDay(row, "2025-11-15", "2026-02-10"),
  "start_date=2026-02-01&end_date=2026-02-28": (row) => onDay(row, "2026-02-01", "2026-02-28"),
  "start_date=2026-02-03&end_date=2026-02-03": (row) => onDay(row, "2026-02-03", "2026-02-03"),
  "start_date=2026-02-03&end_date=2026-02-09&status=failed": (row) =>
    onDay(row, "2026-02-03", "2026-02-09") && row.status === "failed",
  "start_date=0001-01-01&end_date=9999-12-31": () => true,
  "start_date=2030-01-01": () => false,
  "total_min=16": (row) => Number(row.total) >= 16,
  "total_max=5.10": (row) => Number(row.total) <= 5.1,
  "total_min=10&total_max=10": (row) => row.total === "10.00",
  "total_min=10.00&total_max=12.5": (row) => Number(row.total) >= 10 && Number(row.total) <= 12.5,
  "total_min=5.01": () => true,
  "total_min=0&currency=USD": (row) => row.currency === "USD",
  "total_min=0&status=error": (row) => row.status === "error",
  "total_max=10&start_date=2025-12-01&currency=TTD": (row) =>
    Number(row.total) <= 10 && onDay(row, "2025-12-01", "9999") && row.currency === "TTD",
};

for (const when of ["before", "after"])
  describe(`the history, ${when} its counts were added up`, () => {
    before(async () => {
      if (when === "after") assert((await addUpCounts(service.ctx.db)) > 0);
    });

    for (const [query, fits] of Object.entries(FILTERS))
      test(`with "${query}" has what fits, newest first, and its number`, async () => {
        const expected = made.filter(fits).map(({ orderId }) => orderId);
        const first = await list(`${query}&page_size=100`);
        assert.equal(first.status, 200);
        assert.equal(first.body.meta.total, expected.length);
        assert.equal(first.body.meta.last_page, Math.max(1, Math.ceil(expected.length / 100)));
        const got: string[] = [];
        for (let page = 1; page <= first.body.meta.last_page; page++) {
          const { data } = (await list(`${query}&page_size=100&page=${page}`)).body;
          got.push(...data.map((row: { order_id: string }) => row.order_id));
        }
        assert.deepEqual(got, expected);
      });
  });

describe("a filter that cannot be read", () => {
  const oneOf = (what: string, words: string) => `The ${what} must be one of: ${words}.`;
  const REFUSED: readonly [query: string, message: string][] = [
    ["environment=test", oneOf("environment", "live, sandbox")],
    ["status=Success", oneOf("status", "incomplete, success, failed, error")],
    ["currency=ttd", oneOf("currency", "TTD, USD, BBD, XCD, JMD, GYD")],
    ["order_id=-x", "The order id format is invalid."],
    ["order_id=x_", "The order id format is invalid."],
    ["order_id=a%20b", "The order id format is invalid."],
    ["order_id=%27%20or%20%271", "The order id format is invalid."],
    [`order_id=${"x".repeat(65)}`, "The order id must not be longer than 64 characters."],
    ["start_date=2026-02-31", "The start date must be a day such as 2027-01-31."],
    ["start_date=2026-02-01T00:00:00Z", "The start date must be a day such as 2027-01-31."],
    ["start_date=%2B02026-02-01", "The start date must be a day such as 2027-01-31."],
    ["end_date=tomorrow", "The end date must be a day such as 2027-01-31."],
    [
      "start_date=2026-02-02&end_date=2026-02-01",
      "The end date must not be before the start date.",
    ],
    ["total_min=abc", "The total min must be a number with at most 2 decimal places."],
    ["total_max=-1", "The total max must not be negative."],
    ["total_max=1.001", "The total max must be a number with at most 2 decimal places."],
    ["total_min=2&total_max=1.99", "The total max must not be less than the total min."],
    ["page=0", "The page must be a whole number from 1 to 1000000."],
    ["page=-1", "The page must be a whole number from 1 to 1000000."],
    ["page=1.5", "The page must be a whole number from 1 to 1000000."],
    ["page_size=0", "The page size must be a whole number from 1 to 100."],
    ["page_size=101", "The page size must be a whole number from 1 to 100."],
    ["format=xml", oneOf("format", "json, csv")],
    ["as_of=x", "The as of must come from a link of this list."],
    [`as_of=${"x".repeat(5000)}`, "The as of must come from a link of this list."],
    ["status=failed&status=error", "The status field is given more than once."],
    // Fields speak in the order they are documented in.
    ["page=0&status=x", oneOf("status", "incomplete, success, failed, error")],
  ];
  for (const [query, message] of REFUSED)
    test(`${query.slice(0, 60)} is told`, async () => {
      const answer = await list(query);
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    });

  test("is no filter at all when nobody knows it or it is empty", async () => {
    const { total } = (await list("")).body.meta;
    for (const query of ["colour=red", "status=&currency=&start_date=&page="])
      assert.equal((await list(query)).body.meta.total, total);
  });
});

test("a forged place at a time that no row can have is refused, far back and far ahead", async () => {
  const next: string = (await list("page_size=2")).body.links.next;
  const given = new URL(next).searchParams.get("as_of") ?? "";
  const words = Buffer.from(given, "base64url").toString().split(" ");
  const real = words[5];
  for (const at of ["-999999999999999", "999999999999999", "-62135596800001", "253402300800000"]) {
    words[5] = at;
    const forged = Buffer.from(words.join(" ")).toString("base64url");
    const answer = await list(`page=2&page_size=2&as_of=${forged}`);
    const message = "The as of must come from a link of this list.";
    assert.deepEqual([answer.status, answer.body], [400, { message }], at);
  }
  assert.match(String(real), /^\d{13}$/);
});

describe("the environment", () => {
  test("is live unless a token names the sandbox", async () => {
    assert.equal((await list("environment=live")).body.meta.total, ROWS);
    assert.equal((await list("environment=sandbox")).body.meta.total, 3);
  });

  test("is the key's own, which cannot name the other", async () => {
    const { key } = await mintKey(service.ctx, shop, ["svc-transactions-retrieve"]);
    const { body } = await list("", { key });
    assert.equal(body.meta.total, 3);
    assert(body.data.every((row: { environment: string }) => row.environment === "sandbox"));
    const refused = await list("environment=live", { key });
    assert.deepEqual(
      [refused.status, refused.body.message],
      [400, "The environment must be sandbox with this API key."],
    );
  });
});

test("every attempt at an order is found, those that failed and the one that did not", async () => {
  const who = await openShop(service);
  const attempt = () => newPayment(who, { orderId: "again" });
  for (const result of [DECLINED, DECLINED, APPROVED]) await pay(service, attempt(), result);
  await pay(service, newPayment(who, { orderId: "other" }), APPROVED);
  const { body } = await list("order_id=again", who);
  const statuses = body.data.map((row: { status: string }) => row.status);
  assert.deepEqual(statuses, ["success", "failed", "failed"]);
  assert.equal(body.meta.total, 3);
});
