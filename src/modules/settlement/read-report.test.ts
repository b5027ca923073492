/** A report is read exactly, or refused as a whole with the line that is wrong. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../infra/config.ts";
import { readReport } from "./read-report.ts";

const { fee: _, ...columns } = readConfig({}).settlement.columns;
const HEAD =
  "TransactionIdentifier,OrderIdentifier,TransactionType,Amount,CurrencyCode,SettlementDate";

const read = (...lines: string[]) => readReport(Buffer.from([HEAD, ...lines].join("\n")), columns);

test("amounts, currencies, types and days in the ways they are written", () => {
  const [sale, refund, other] = read(
    "A1,TT-1,2,1234.5,780,2026-11-16",
    "a2,TT-1,Refund,-0.05,usd,2026-11-16T04:00:00Z",
    "a3,,9,0.00,52,20261116",
  );
  assert.deepEqual(
    [sale, refund, other].map((one) => [one?.identifier, one?.kind, one?.amount, one?.date]),
    [
      ["a1", "sale", { currency: "TTD", minor: 123450n }, "2026-11-16"],
      ["a2", "refund", { currency: "USD", minor: 5n }, "2026-11-16"],
      ["a3", "other", { currency: "BBD", minor: 0n }, "2026-11-16"],
    ],
  );
});

test("a line that comes twice is one, and one that says something else another", () => {
  const line = "a1,TT-1,2,10.00,780,2026-11-16";
  assert.equal(read(line, line, "A1,TT-1,2,10,TTD,20261116").length, 1);
  assert.equal(read(line, "a1,TT-1,2,10.00,780,2026-11-17").length, 2);
});

test("what cannot be read is refused with its line", () => {
  const cases: [string, string][] = [
    ["a1,TT-1,2,10.001,780,2026-11-16", "the amount is none."],
    ["a1,TT-1,2,-10.00,780,2026-11-16", "the amount is none."],
    ["a1,TT-1,2,0,780,2026-11-16", "the amount is none."],
    ['a1,TT-1,2,"1,000.00",780,2026-11-16', "the amount is none."],
    ["a1,TT-1,2,10.00,978,2026-11-16", "the currency is none that we take."],
    ["a1,TT-1,2,10.00,780,16/11/2026", "the date must be a day such as 2026-11-16."],
    ["a1,TT-1,2,10.00,780,2026-02-30", "the date must be a day such as 2026-11-16."],
    ["a\u00001,TT-1,2,10.00,780,2026-11-16", "the identifier contains a control character."],
    ["a1,TT-\u00001,2,10.00,780,2026-11-16", "the order contains a control character."],
    ['a1,TT-1,"2\n2",10.00,780,2026-11-16', "the type contains a control character."],
  ];
  for (const [line, words] of cases)
    assert.throws(() => read("a0,TT-1,2,1.00,780,2026-11-16", line), {
      message: `Line 3 of the report: ${words}`,
    });
});

test("a file of another form is refused", () => {
  const refusal = (text: string) => () => readReport(Buffer.from(text), columns);
  assert.throws(refusal(""), { message: /^The report is empty or no CSV/ });
  assert.throws(refusal('"open'), { message: /^The report is empty or no CSV/ });
  assert.throws(refusal("a;b\n1;2"), { message: /no column "TransactionIdentifier"/ });
  const named = () => readReport(Buffer.from(HEAD), { ...columns, fee: "Fee" });
  assert.throws(named, { message: /no column "Fee"/ });
});

test("columns are named by the settings", () => {
  const named = readConfig({
    SETTLEMENT_COLUMNS: "identifier=Id,order=Order,type=T,amount=A,currency=C,date=D",
  });
  assert.equal(named.settlement.columns.fee, undefined);
  for (const wrong of ["identifier=Id", "identifier=Id,order=,type=T,amount=A,currency=C,date=D"])
    assert.throws(() => readConfig({ SETTLEMENT_COLUMNS: wrong }), {
      message: /SETTLEMENT_COLUMNS must name identifier, order, type/,
    });
  assert.throws(() => readConfig({ SETTLEMENT_COLUMNS: "ids=Id" }), {
    message: /SETTLEMENT_COLUMNS has no column "ids"/,
  });
});

test("a needed column that stands twice is refused: nobody can say which is meant", () => {
  const line = "a1,TT-1,2,10.00,780,2026-11-16,999.00";
  assert.throws(() => readReport(Buffer.from(`${HEAD},amount\n${line}`), columns), {
    message: 'The report has the column "Amount" twice.',
  });
  assert.equal(readReport(Buffer.from(`${HEAD},Note,Note\n${line},x`), columns).length, 1);
});
