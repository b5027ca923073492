/**
 * What payment links came to, by month and by label (Decision 0099): the sums that are written with
 * each payment, as they are read and as the console's panels show them.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { monthName } from "../../src/console/balance/month.ts";
import { now } from "../../src/infra/db/clock.ts";
import { sql } from "../../src/infra/db/query.ts";
import { addDays, dayAt, startOfDay } from "../../src/kit/local-day.ts";
import {
  linkTotalsByLabel,
  linkTotalsByMonth,
} from "../../src/modules/payment-links/link-totals.ts";
import { CARDS, expectAllToAddUp, submit } from "../../testkit/checkout-sessions.ts";
import { signInTo, type Tab } from "../../testkit/console.ts";
import {
  expectSlotsToAddUp,
  makeLink,
  openLinkOrder,
  WITH_EMAIL,
} from "../../testkit/payment-links.ts";
import { startService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";

const service = await startService();
const { db } = service.ctx;
after(async () => {
  await expectAllToAddUp(service);
  await expectSlotsToAddUp(service);
  await service.stop();
});

const shop = await openShop(service);
const other = await openShop(service);
const classes = await makeLink(service, shop, { label: "Classes" });
const books = await makeLink(service, shop, { label: "Books", amount: "50.00" });
const dollars = await makeLink(service, shop, { currency: "USD", amount: "7.00" });
const theirs = await makeLink(service, other, { label: "Classes" });

async function payBy(link: { readonly url: string }, who: Shop = shop): Promise<void> {
  await submit(service, await openLinkOrder(service, link, who), CARDS.approved, WITH_EMAIL);
}

const monthNow = async () =>
  (
    await db.one<{ month: string }>(sql`
    select to_char(app_now() at time zone 'America/Port_of_Spain', 'YYYY-MM') as month`)
  ).month;

let first: string;
let second: string;
let tab: Tab;
before(async () => {
  first = await monthNow();
  await payBy(classes);
  await payBy(classes);
  await payBy(books);
  await service.clock.advance({ hours: 31 * 24 });
  second = await monthNow();
  await payBy(books);
  await payBy(books);
  await payBy(dollars);
  await payBy(theirs, other);
  tab = await signInTo(service, shop);
  await tab.post("/console/environment", { environment: "sandbox" });
});

const SANDBOX = { environment: "sandbox" } as const;
const rowOf = (month: string, currency: string, paid_count: number, paid_minor: bigint) => ({
  month,
  currency,
  paid_count,
  paid_minor,
});

describe("the totals", () => {
  test("by month are newest first, one row for each currency", async () => {
    assert.deepEqual(await linkTotalsByMonth(db, shop, SANDBOX), [
      rowOf(second, "TTD", 2, 10_000n),
      rowOf(second, "USD", 1, 700n),
      rowOf(first, "TTD", 3, 29_000n),
    ]);
  });

  test("by month are of one label, or of one link", async () => {
    const byLabel = await linkTotalsByMonth(db, shop, { ...SANDBOX, label: "Classes" });
    assert.deepEqual(byLabel, [rowOf(first, "TTD", 2, 24_000n)]);
    const byLink = await linkTotalsByMonth(db, shop, { ...SANDBOX, linkId: books.id });
    assert.deepEqual(byLink, [rowOf(second, "TTD", 2, 10_000n), rowOf(first, "TTD", 1, 5_000n)]);
    assert.deepEqual(await linkTotalsByMonth(db, other, { ...SANDBOX, linkId: books.id }), []);
  });

  test("by label have those without one last", async () => {
    assert.deepEqual(await linkTotalsByLabel(db, shop, SANDBOX), [
      { label: "Books", currency: "TTD", paid_count: 3, paid_minor: 15_000n },
      { label: "Classes", currency: "TTD", paid_count: 2, paid_minor: 24_000n },
      { label: null, currency: "USD", paid_count: 1, paid_minor: 700n },
    ]);
  });

  test("are of an account and an environment alone", async () => {
    assert.deepEqual(await linkTotalsByMonth(db, other, SANDBOX), [
      rowOf(second, "TTD", 1, 12_000n),
    ]);
    assert.deepEqual(await linkTotalsByMonth(db, shop, { environment: "live" }), []);
    assert.deepEqual(await linkTotalsByLabel(db, shop, { environment: "live" }), []);
  });
});

describe("the console's panel", () => {
  /** The rows of the table with this caption, as they are read; undefined without the table. */
  async function rowsOf(path: string, caption: string): Promise<string[] | undefined> {
    const { status, text } = await tab.get(path);
    assert.equal(status, 200, text);
    const [, body] = text.split(new RegExp(`<caption[^>]*>${caption}</caption>`));
    const [, rows] = body?.split("</table>")[0]?.split("<tbody") ?? [];
    return rows
      ?.split("<tr")
      .slice(1)
      .map((row) =>
        `<tr${row}`
          .replace(/<[^>]*>/g, " ")
          .replace(/[\s\u00a0]+/g, " ")
          .trim(),
      );
  }

  test("by month stands on the list, of all links or of a label's", async () => {
    const path = "/console/links";
    assert.deepEqual(await rowsOf(path, "Paid by month"), [
      `${monthName(second)} 2 TTD 100.00`,
      `${monthName(second)} 1 USD 7.00`,
      `${monthName(first)} 3 TTD 290.00`,
    ]);
    assert.deepEqual(await rowsOf(`${path}?label=Classes`, "Paid by month"), [
      `${monthName(first)} 2 TTD 240.00`,
    ]);
  });

  test("by label stands on the list, where no label was chosen", async () => {
    assert.deepEqual(await rowsOf("/console/links", "Paid by label"), [
      "Books 3 TTD 150.00",
      "Classes 2 TTD 240.00",
      "Without a label 1 USD 7.00",
    ]);
    assert.equal(await rowsOf("/console/links?label=Books", "Paid by label"), undefined);
  });

  test("by month stands with a link, of its own payments", async () => {
    assert.deepEqual(await rowsOf(`/console/links/${books.id}`, "Paid by month"), [
      `${monthName(second)} 2 TTD 100.00`,
      `${monthName(first)} 1 TTD 50.00`,
    ]);
  });
});

// Last, since it ends the console's session.
test("totals go by the months of the account's time zone", async () => {
  const late = await openShop(service);
  const link = await makeLink(service, late);
  const zone = "Pacific/Kiritimati";
  await service.request("/user/business", {
    method: "PATCH",
    token: late.token,
    json: { time_zone: zone },
  });
  const at = await now(db);
  const first = startOfDay(
    `${addDays(`${dayAt(at, zone).slice(0, 7)}-01`, 32).slice(0, 7)}-01`,
    zone,
  );
  await service.clock.advance({ seconds: (first.getTime() - at.getTime()) / 1_000 + 60 });
  await payBy(link, late);
  const [row] = await linkTotalsByMonth(db, late, SANDBOX);
  assert.equal(row?.month, dayAt(first, zone).slice(0, 7));
  assert.notEqual(row?.month, first.toISOString().slice(0, 7), "it is the month before in UTC");
});
