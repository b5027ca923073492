/**
 * The guarantee: a file for the bank has the structure that the public schema demands, adds up, and
 * is the same bytes whenever it is made from the same batch. The checker itself is shown to find
 * what is wrong.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { money } from "../../../src/kit/money.ts";
import type { BankPayee } from "../../../src/modules/withdrawals/bank-files/bank-payee.ts";
import {
  type BankFile,
  type BankPayment,
  endToEndIdOf,
  renderCreditTransfer,
} from "../../../src/modules/withdrawals/bank-files/credit-transfer.ts";
import { mistakesIn } from "../../../testkit/check-credit-transfer.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";

const LOCAL: BankPayee = {
  kind: "local",
  name: "Zoë Núñez & Søn <Ltd>",
  bankName: "National Commercial Bank",
  branch: "Half Way Tree",
  accountType: "savings",
  account: "0012345678",
};
const ABROAD: BankPayee = {
  kind: "abroad",
  name: "Marisol Baptiste",
  address: "12 Frederick Street,\nPort of Spain",
  account: "000123456789",
  bank: { name: "First Example Bank", address: "1 Main Street, New York", codes: ["CHASUS33"] },
  between: { name: "Second Example Bank", codes: ["CITIUS33XXX", "021000021"] },
};
const PERSON: BankPayee = {
  kind: "person",
  name: "Kareem Joseph",
  phone: "+18687654321",
  document: { type: "passport", number: "TA123456" },
};

let count = 0;
function payment(payee: BankPayee, minor = 12_345n): BankPayment {
  const reference = `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`;
  return {
    endToEndId: endToEndIdOf(reference),
    transactionId: `TT-01KGWQ6Y7RN5C0P8V3T2${String(count).padStart(6, "0")}`,
    amount: money("TTD", minor),
    method: payee.kind === "person" ? "CHK" : "TRF",
    payee,
  };
}

function file(payments: readonly BankPayment[]): BankFile {
  return {
    messageId: "TT-TTD-20261116-3F9A2C1B",
    madeAt: new Date("2026-11-15T22:00:00.123Z"),
    bankDay: "2026-11-16",
    countryCode: "TT",
    from: { name: "Windward Limited", account: "0000000001", bank: "FCTTTTPS" },
    payments,
  };
}

const rendered = (payments: readonly BankPayment[]) =>
  renderCreditTransfer(file(payments)).toString();

describe("a file for the bank", () => {
  test("of every kind of payee is as the schema wants it", () => {
    for (const payees of [[LOCAL], [ABROAD], [PERSON], [LOCAL, PERSON, ABROAD, PERSON, LOCAL]])
      assert.deepEqual(mistakesIn(rendered(payees.map((one) => payment(one)))), []);
  });

  test("of the longest and oddest names is as the schema wants it, and adds up", () => {
    const typed = fc.string({ unit: "binary", minLength: 1, maxLength: 255 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(typed, typed, fc.bigInt({ min: 1n, max: 10n ** 14n })), {
          minLength: 1,
          maxLength: 4,
        }),
        (rows) => {
          const payments = rows.flatMap(([name, address, minor]) => [
            payment({ ...LOCAL, name, bankName: address, branch: name }, minor),
            payment({ ...ABROAD, name, address, bank: { name, address, codes: [] } }, minor),
            payment({ ...PERSON, name }, minor),
          ]);
          assert.deepEqual(mistakesIn(rendered(payments)), []);
        },
      ),
      { numRuns: fuzzRuns({ usual: 20, proof: 50 }) },
    );
  });

  test("is the same bytes when it is made again", () => {
    const payments = [payment(LOCAL), payment(PERSON)];
    assert.equal(rendered(payments), rendered(structuredClone(payments)));
  });

  test("names the parties in the letters of banks, and numbers as they are", () => {
    const text = rendered([payment(LOCAL), payment(PERSON)]);
    assert.match(text, /<Nm>Zoe Nunez \+ Son \.Ltd\.<\/Nm>/);
    assert.match(text, /<Othr>\s*<Id>0012345678<\/Id>\s*<\/Othr>/);
    assert.match(text, /<Tp>\s*<Cd>SVGS<\/Cd>\s*<\/Tp>/);
    assert.match(text, /<PhneNb>\+1-8687654321<\/PhneNb>/);
    assert.match(text, /<Id>TA123456<\/Id>\s*<SchmeNm>\s*<Cd>CCPT<\/Cd>/);
  });

  test("has an IBAN in its own place, and what only looks like one not", () => {
    const iban = rendered([payment({ ...ABROAD, account: "GB82WEST12345698765432" })]);
    assert.match(iban, /<IBAN>GB82WEST12345698765432<\/IBAN>/);
    const other = rendered([payment({ ...ABROAD, account: "GB83WEST12345698765432" })]);
    assert.doesNotMatch(other, /<IBAN>/);
    assert.deepEqual([...mistakesIn(iban), ...mistakesIn(other)], []);
  });

  test("without a payment is not made", () => {
    assert.throws(() => rendered([]), /a file without a payment/);
  });
});

test("the checker finds every kind of mistake", () => {
  const right = rendered([payment(LOCAL), payment(ABROAD), payment(PERSON)]);
  const cases: [from: string | RegExp, to: string, found: RegExp][] = [
    ["pain.001.001.09", "pain.001.001.03", /another namespace/],
    [/<EndToEndId>.*\n/, "", /has 0 EndToEndId/],
    [/<MsgId>.*</, `<MsgId>${"x".repeat(36)}<`, /MsgId is not text35/],
    [/<MsgId>.*</, "<MsgId><", /MsgId is not text35/],
    [/(<MsgId>.*\n)(.*<CreDtTm>.*\n)/, "$2$1", /has 0 MsgId/],
    [/<PmtMtd>TRF</, "<PmtMtd>TRX<", /PmtMtd is not method/],
    [/<NbOfTxs>3</, "<NbOfTxs>4<", /GrpHdr: NbOfTxs is 4 of 3/],
    [/<NbOfTxs>2</, "<NbOfTxs>1<", /PmtInf: NbOfTxs is 1 of 2/],
    [/<CtrlSum>370.35</, "<CtrlSum>370.36<", /GrpHdr: CtrlSum/],
    [/<CtrlSum>123.45</, "<CtrlSum>123.44<", /PmtInf: CtrlSum/],
    [/>123.45<\/InstdAmt>/, ">123.4</InstdAmt>", /InstdAmt is not amount/],
    [/>123.45<\/InstdAmt>/, ">1,23.45</InstdAmt>", /InstdAmt is not amount/],
    [/ Ccy="TTD">/, ">", /InstdAmt has no right Ccy/],
    [/ Ccy="TTD">/, ' Ccy="TTD" x="">', /InstdAmt has x/],
    [/ Ccy="TTD">/, ' Ccy="USD">', /more than one currency/],
    [/<ChrgBr>.*\n/, "<Foo>x</Foo>", /has Foo where it may not stand/],
    [/<Dt>.*</, "<Dt>15.11.2026<", /Dt is not day/],
    [/<Nm>Zoe/, "<Nm>Zoë", /Nm is not text140/],
    [/<BICFI>FCTTTTPS</, "<BICFI>FCTTTT<", /BICFI is not bic/],
    [/<Dbtr>[\s\S]*?<\/Dbtr>/, "", /has 0 Dbtr/],
    [/<EndToEndId>.*</, `<EndToEndId>${endToEndIdLast(right)}<`, /EndToEndId is used twice/],
  ];
  assert.deepEqual(mistakesIn(right), []);
  for (const [from, to, found] of cases) {
    const wrong = right.replace(from, to);
    assert.notEqual(wrong, right, String(from));
    assert.match(mistakesIn(wrong).join("\n"), found);
  }
});

function endToEndIdLast(text: string): string {
  return [...text.matchAll(/<EndToEndId>(.*)</g)].at(-1)?.[1] ?? "";
}
