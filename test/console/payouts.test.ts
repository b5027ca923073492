/**
 * A main merchant pays somebody or a whole list: the list is checked line by line before anything
 * moves, then paid as a whole and once, or not at all (Decision 0091).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { csvLine } from "../../src/kit/csv.ts";
import { auditsOf, countOf, wholeDatabase } from "../../testkit/auth.ts";
import { hiddenOf, makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";
import {
  expectAllToAddUp,
  fundsOf,
  type Owner,
  openOwner,
  SUB_BANKED,
  SUB_UNBANKED,
  settleAll,
} from "../../testkit/withdrawals.ts";

const service = await startService();
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const PAY = "/console/withdrawals/pay";
const LISTS = "/console/withdrawals/payees";
const HOSTILE = "<script>alert(1)</script>";
const COLUMNS = [
  "withdrawal_type",
  "currency",
  "amount",
  "data",
  "recipient_name",
  "email",
  "phone",
  "bank_name",
  "bank_account",
  "name_in_bank",
  "id_type",
  "id_number",
];

type Line = Record<string, unknown>;

function csvOf(lines: readonly Line[], columns: readonly string[] = COLUMNS): string {
  const rows = lines.map((line) => columns.map((name) => String(line[name] ?? "")));
  return [columns, ...rows].map(csvLine).join("");
}

function upload(tab: Tab, text: string) {
  return tab.upload(LISTS, { field: "file", text }, { from: LISTS });
}

/** Uploads a good list and gives the address of its confirmation. */
async function uploaded(tab: Tab, lines: readonly Line[]): Promise<string> {
  const answer = await upload(tab, csvOf(lines));
  assert.equal(answer.status, 303, answer.text);
  return answer.headers.get("location") ?? "";
}

function withdrawalsOf({ accountNumber }: Pick<Owner, "accountNumber">): Promise<number> {
  return countOf(service, sql`withdrawals where account_number = ${accountNumber}`);
}

test("somebody is paid, with a bank account or without", async () => {
  const main = await openOwner(service, "mainMerchant");
  const tab = await signInTo(service, main);
  const banked = { ...SUB_BANKED, name_in_bank: HOSTILE } as Record<string, string>;
  const paid = await tab.post(PAY, banked, { from: PAY });
  assert.equal(paid.status, 303, paid.text);
  const page = await tab.get(paid.headers.get("location") ?? "");
  assert.ok(!page.text.includes(HOSTILE));
  assert.match(page.text, /•••• 5678/);
  assert.ok(!page.text.includes("0012345678"));
  const person = SUB_UNBANKED as Record<string, string>;
  const form = await tab.get(`${PAY}?to=person`);
  assert.ok(!form.text.includes('name="bank_account"'));
  assert.equal((await tab.post(PAY, person, { from: PAY })).status, 303);
  const { bank_name, ...without } = banked;
  const refused = await tab.post(PAY, without, { from: PAY });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /The bank name field is required/);
  assert.equal(await withdrawalsOf(main), 2);
  assert.ok(!(await tab.get("/console/withdrawals")).text.includes(HOSTILE));
});

test("for others than main merchants there are no such pages", async () => {
  const plain = await openOwner(service);
  const main = await openOwner(service, "mainMerchant");
  const viewer = await makeMember(service, main.accountNumber, "viewer");
  for (const who of [plain, viewer]) {
    const tab = await signInTo(service, who);
    for (const page of [PAY, LISTS, `${LISTS}/template.csv`])
      assert.equal((await tab.get(page)).status, 404, page);
    const from = "/console/me";
    assert.equal((await tab.post(PAY, {}, { from })).status, 404);
    const sent = await tab.upload(LISTS, { field: "file", text: csvOf([SUB_BANKED]) }, { from });
    assert.equal(sent.status, 404);
  }
  assert.equal(await withdrawalsOf(plain), 0);
});

test("a list is shown with its sums, paid once, and its numbers are kept nowhere in clear", async () => {
  const main = await openOwner(service, "mainMerchant", { funds: "1000.00 TTD, 100.00 USD" });
  const tab = await signInTo(service, main);
  const account = "0098761234";
  const lines = [
    { ...SUB_BANKED, amount: "100.00", bank_account: account, name_in_bank: HOSTILE },
    { ...SUB_UNBANKED, amount: "50.50" },
    { ...SUB_UNBANKED, amount: "20.00", currency: "USD" },
  ];
  const place = await uploaded(tab, lines);
  assert.ok(!(await wholeDatabase(service)).includes(account));
  const page = await tab.get(place);
  assert.match(page.text, /Pay 3 payees\?/);
  for (const words of ["TTD\u00a0150.50", "TTD\u00a0160.50", "TTD\u00a0839.50", "USD\u00a025.00"])
    assert.ok(page.text.includes(words), words);
  assert.match(page.text, /Line 2/);
  assert.ok(!page.text.includes(HOSTILE) && !page.text.includes(account));
  assert.equal(await withdrawalsOf(main), 0);
  const hidden = hiddenOf(page);
  const other = hiddenOf(await tab.get(place));
  assert.notEqual(hidden.idempotency_key, other.idempotency_key);
  // One page's button several times, and the same list on another page.
  const answers = await Promise.all(
    [hidden, hidden, other].map((fields) => tab.post(place, fields, { from: LISTS })),
  );
  for (const { headers } of answers)
    assert.equal(headers.get("location"), "/console/withdrawals?done=payouts");
  assert.equal(await withdrawalsOf(main), 3);
  assert.equal(await auditsOf(service, main, "payee_list_paid"), 1);
  assert.equal(await fundsOf(service, main), "839.50 + 160.50");
  const { text } = await tab.get("/console/withdrawals?done=payouts");
  assert.match(text, /All payments of the list were requested/);
  assert.equal((await tab.get(place)).status, 303);
  assert.ok(!(await wholeDatabase(service)).includes(account));
  await settleAll(service);
});

test("every problem of every line is told at once, and nothing moves", async () => {
  const main = await openOwner(service, "mainMerchant");
  const tab = await signInTo(service, main);
  const text = csvOf([
    SUB_BANKED,
    { ...SUB_BANKED, amount: "0.01", phone: "868", bank_account: "12" },
    { ...SUB_BANKED, withdrawal_type: "normal" },
    { ...SUB_BANKED, bank_name: HOSTILE, currency: "XCD" },
    { ...SUB_UNBANKED, recipient_name: "", id_number: "1", email: "nobody" },
  ]);
  const answer = await upload(tab, text);
  assert.equal(answer.status, 422);
  assert.equal(answer.headers.get("x-svc-error"), "payee_list_invalid");
  const told = [...answer.text.matchAll(/>Line (\d+)<\/td><td[^>]*>([^<]+)</g)].map(
    ([, line, message]) => `${line} ${message}`,
  );
  const expected = [
    /^3 The amount must be at least/,
    /^3 The phone format is invalid/,
    /^3 The bank account must have 10 digits/,
    /^4 The withdrawal type must be one of: sub_banked, sub_unbanked/,
    /^5 The currency must be one of/,
    /^5 The bank name must be one of/,
    /^6 The recipient name field is required/,
    /^6 The email/,
    /^6 The id number format is invalid/,
  ];
  assert.equal(told.length, expected.length, told.join("\n"));
  for (const [at, words] of expected.entries()) assert.match(told[at] ?? "", words);
  assert.ok(!answer.text.includes(HOSTILE));
  assert.equal(await withdrawalsOf(main), 0);
});

test("a file that is no list of payees is refused with what is wrong with it", async () => {
  const main = await openOwner(service, "mainMerchant");
  const tab = await signInTo(service, main);
  const cases: readonly [string, RegExp][] = [
    ["", /The file field is required/],
    ['a,"b', /a quotation mark is left open/],
    ["hello,world\n1,2\n", /The first line must name the columns/],
    [csvOf([]), /no lines to pay/],
    [csvOf([SUB_BANKED], [...COLUMNS, "colour"]), /There is no column colour/],
    [csvOf([SUB_BANKED], COLUMNS.slice(1)), /The column withdrawal_type is missing/],
    [csvOf([SUB_BANKED], [...COLUMNS, "amount"]), /The column amount stands there twice/],
    [csvOf(Array(501).fill(SUB_BANKED)), /501 lines to pay; at most 500/],
    [`${csvOf([SUB_BANKED]).trimEnd()},extra\n`, /more cells than columns/],
    [csvOf([{ ...SUB_BANKED, data: "x".repeat(1_100_000) }]), /greater than 1 MB/],
  ];
  for (const [text, words] of cases) {
    const answer = await upload(tab, text);
    assert.equal(answer.status, 422, answer.text.slice(0, 500));
    assert.match(answer.text, words);
  }
  const many = csvOf(Array(400).fill({ ...SUB_BANKED, phone: "1", amount: "x", email: "y" }));
  const long = await upload(tab, many);
  assert.match(long.text, /1200 problems/);
  assert.match(long.text, /And 1000 more/);
  assert.ok(long.text.length < 100_000);
});

test("a list that the funds do not suffice for is paid in no part, and the line is named", async () => {
  const main = await openOwner(service, "mainMerchant", { funds: "310.00 TTD" });
  const tab = await signInTo(service, main);
  const line = { ...SUB_BANKED, amount: "95.00" };
  const place = await uploaded(tab, [line, line, line]);
  const hidden = hiddenOf(await tab.get(place));
  // Between the page and the button some of it is spent.
  await tab.post(PAY, { ...SUB_BANKED, amount: "10.00" } as Record<string, string>, { from: PAY });
  const answer = await tab.post(place, hidden, { from: LISTS });
  assert.equal(answer.status, 422, answer.text);
  assert.match(answer.text, /Line 4: .*funds.* Nothing of the list was paid/i);
  assert.match(answer.text, /There is not enough TTD for the whole list/);
  assert.ok(!answer.text.includes(">Pay</button>"));
  assert.equal(await withdrawalsOf(main), 1);
  assert.equal(await fundsOf(service, main), "295.00 + 15.00");
  assert.equal(await auditsOf(service, main, "payee_list_paid"), 0);
});

test("a list is of one person, one environment and one hour", async () => {
  const main = await openOwner(service, "mainMerchant");
  const tab = await signInTo(service, main);
  const place = await uploaded(tab, [SUB_BANKED]);
  const colleague = await makeMember(service, main.accountNumber, "finance");
  const others = [colleague, await openOwner(service, "mainMerchant")];
  for (const who of others) {
    const other = await signInTo(service, who);
    assert.equal((await other.get(place)).status, 404);
    assert.equal((await other.post(place, {}, { from: PAY })).status, 404);
  }
  await tab.post("/console/environment", { environment: "live" });
  assert.equal((await tab.get(place)).status, 404);
  await tab.post("/console/environment", { environment: "sandbox" });
  const next = await uploaded(tab, [SUB_BANKED, SUB_BANKED]);
  assert.equal((await tab.get(place)).status, 404);
  await service.clock.advance({ minutes: 61 });
  const back = await signInTo(service, main);
  assert.equal((await back.get(next)).status, 404);
  assert.equal((await back.post(next, {}, { from: PAY })).status, 404);
  assert.equal(await withdrawalsOf(main), 0);
});

test("without a fresh proof nothing is uploaded or paid", async () => {
  const main = await openOwner(service, "mainMerchant");
  const tab = await signInTo(service, main);
  const place = await uploaded(tab, [SUB_BANKED]);
  const hidden = hiddenOf(await tab.get(place));
  await service.clock.advance({ minutes: 6 });
  const from = "/console/withdrawals";
  const answers = [
    await tab.get(place),
    await tab.get(LISTS),
    await tab.post(place, hidden, { from }),
    await tab.upload(LISTS, { field: "file", text: csvOf([SUB_BANKED]) }, { from }),
  ];
  for (const { headers } of answers)
    assert.match(headers.get("location") ?? "", /\/console\/prove/);
  assert.equal(await withdrawalsOf(main), 0);
});

test("of lists uploaded at the same moment one stays, and none is refused", async () => {
  const main = await openOwner(service, "mainMerchant");
  const tab = await signInTo(service, main);
  const pages = await Promise.all(Array.from({ length: 6 }, () => uploaded(tab, [SUB_BANKED])));
  const statuses = await Promise.all(pages.map(async (page) => (await tab.get(page)).status));
  assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404, 404, 404]);
  const left = pages[statuses.indexOf(200)] ?? "";
  assert.equal((await tab.post(left, {}, { from: left })).status, 303);
  assert.equal(await withdrawalsOf(main), 1);
});

test("the largest list is paid, on pages of a good size; its template is read as it is written", async () => {
  const main = await openOwner(service, "mainMerchant");
  const tab = await signInTo(service, main);
  const place = await uploaded(tab, Array(500).fill({ ...SUB_BANKED, amount: "10.00" }));
  const page = await tab.get(place);
  assert.ok(page.text.length < 100_000, `${page.text.length} characters`);
  assert.match((await tab.get(`${place}?page=5`)).text, /Line 501/);
  const answer = await tab.post(place, {}, { from: place });
  assert.equal(answer.status, 303, answer.text);
  assert.equal(await withdrawalsOf(main), 500);
  const template = await tab.get(`${LISTS}/template.csv`);
  assert.match(template.headers.get("content-disposition") ?? "", /payees\.csv/);
  const told = await upload(tab, template.text);
  assert.equal(told.status, 422);
  assert.match(told.text, /2 problems/);
  assert.match(told.text, /The id number field is required/);
});
