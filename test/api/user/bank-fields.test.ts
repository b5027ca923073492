/**
 * Bank details that are wrong are refused with one sentence for the first wrong field, in JSON and
 * form alike, and nothing is kept of them (Interface §2.3, §4.5, Decision 0019).
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  asForm,
  type BankType,
  bank,
  bankRows,
  type Fields,
  FOREIGN_BANK,
  type Holder,
  JM_BANK,
  signedIn,
  TT_BANK,
} from "../../../testkit/banks.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

type Case = readonly [change: Fields, message: string];

const long = "x".repeat(256);
const required = (label: string) => `The ${label} field is required.`;
const string = (label: string) => `The ${label} must be a string.`;
const tooLong = (label: string) => `The ${label} must not be longer than 255 characters.`;
const format = (label: string) => `The ${label} format is invalid.`;

/** The rules that every text has, whatever it means. */
function textCases(name: string, isRequired: boolean): Case[] {
  const label = name.replaceAll("_", " ");
  const missing: Case[] = [undefined, null, ""].map((value) => [
    { [name]: value },
    required(label),
  ]);
  return [
    ...(isRequired ? missing : []),
    [{ [name]: 5 }, string(label)],
    [{ [name]: true }, string(label)],
    [{ [name]: ["x"] }, string(label)],
    [{ [name]: { a: 1 } }, string(label)],
  ];
}

function writtenCases(name: string, isRequired: boolean): Case[] {
  const label = name.replaceAll("_", " ");
  return [
    ...textCases(name, isRequired),
    [{ [name]: long }, tooLong(label)],
    [{ [name]: "🌴".repeat(256) }, tooLong(label)],
    [{ [name]: "   " }, format(label)],
    [{ [name]: "a\u0007b" }, format(label)],
    [{ [name]: "a\tb" }, format(label)],
  ];
}

const isFormable = (value: unknown) => value === undefined || typeof value === "string";

function expectRefusals(type: BankType, good: Fields, who: () => Holder, cases: readonly Case[]) {
  for (const [change, message] of cases)
    test(`${JSON.stringify(change).slice(0, 60)}: ${message.slice(0, 60)}`, async () => {
      const fields = { ...good, ...change };
      const ways = [
        { json: fields },
        ...(Object.values(fields).every(isFormable) ? [{ form: asForm(fields) }] : []),
      ];
      for (const way of ways) {
        const answer = await bank(service, who(), "POST", type, way);
        assert.deepEqual([answer.status, answer.body], [400, { message }]);
      }
      assert.equal(await bankRows(service, who(), type), 0);
    });
}

describe("a local bank in Trinidad and Tobago with", () => {
  let who: Holder;
  beforeEach(async () => {
    who ??= await signedIn(service);
  });
  const BANKS =
    "The bank name must be one of: First Citizens, Republic Bank LTD, Scotia Bank Trinidad, " +
    "RBC Royal Bank Trinidad and Tobago, JMMB Bank, FirstCaribbean International, Citibank, " +
    "Bank of Baroda, ANSA Bank.";
  const DIGITS = "The bank account must contain only digits.";
  const TEN = "The bank account must have 10 digits at First Citizens.";
  const USUAL = "The bank account must have 6 to 17 digits at Citibank.";
  expectRefusals("local", TT_BANK, () => who, [
    ...textCases("bank_name", true),
    [{ bank_name: long }, tooLong("bank name")],
    [{ bank_name: "National Commercial Bank" }, BANKS],
    [{ bank_name: "first citizens" }, BANKS],
    [{ bank_name: "First Citizens " }, BANKS],
    [{ bank_name: "__proto__" }, BANKS],
    ...textCases("bank_account", true),
    [{ bank_account: "00123 45678" }, DIGITS],
    [{ bank_account: "00-1234567" }, DIGITS],
    [{ bank_account: "12345678x0" }, DIGITS],
    [{ bank_account: "+123456789" }, DIGITS],
    [{ bank_account: "０123456789" }, DIGITS],
    [{ bank_account: "0123456789\n" }, DIGITS],
    [{ bank_account: "123456789" }, TEN],
    [{ bank_account: "12345678901" }, TEN],
    [
      { bank_name: "Republic Bank LTD" },
      "The bank account must have 12 digits at Republic Bank LTD.",
    ],
    [{ bank_name: "Citibank", bank_account: "12345" }, USUAL],
    [{ bank_name: "Citibank", bank_account: "1".repeat(18) }, USUAL],
    ...writtenCases("name_in_bank", true),
    [{ name_in_bank: "two\nlines" }, format("name in bank")],
    [{ bank_name: undefined, bank_account: "x", name_in_bank: "" }, required("bank name")],
    [{ bank_account: "x", name_in_bank: "" }, DIGITS],
    [{ bank_name: "x", bank_account: "1" }, BANKS],
  ]);
});

describe("a local bank in Jamaica with", () => {
  let who: Holder;
  beforeEach(async () => {
    who ??= await signedIn(service, "JM");
  });
  const TYPES = "The bank account type must be one of: chequing, savings.";
  const BRANCHES =
    "The bank branch must be one of: Half Way Tree, New Kingston, King Street, Spanish Town, " +
    "Montego Bay, May Pen, Mandeville, Ocho Rios.";
  expectRefusals("local", JM_BANK, () => who, [
    ...textCases("bank_account_type", true),
    [{ bank_account_type: "current" }, TYPES],
    [{ bank_account_type: "Savings" }, TYPES],
    ...textCases("bank_branch", true),
    [{ bank_branch: long }, tooLong("bank branch")],
    [{ bank_branch: "Liguanea" }, BRANCHES],
    [{ bank_branch: "half way tree" }, BRANCHES],
    [{ bank_account_type: "x", bank_branch: "x" }, TYPES],
    [{ bank_account: "12345", bank_branch: "x" }, digitsAt("National Commercial Bank")],
  ]);

  function digitsAt(name: string): string {
    return `The bank account must have 6 to 17 digits at ${name}.`;
  }
});

describe("a foreign bank with", () => {
  let who: Holder;
  beforeEach(async () => {
    who ??= await signedIn(service);
  });
  const NUMBER = "The beneficiary account number must be 5 to 34 letters and digits.";
  const SWIFT = "a SWIFT code of 8 or 11 characters";
  const ABA = "an ABA routing number of 9 digits";
  const EITHER = `The beneficiary bank swift or routing code must be ${SWIFT} or ${ABA}.`;
  const BETWEEN_SWIFT = `The intermediary bank swift code must be ${SWIFT}.`;
  const BETWEEN_ABA = `The intermediary bank routing number or aba must be ${ABA}.`;
  expectRefusals("foreign", FOREIGN_BANK, () => who, [
    ...writtenCases("beneficiary_name", true),
    [{ beneficiary_name: "two\nlines" }, format("beneficiary name")],
    ...writtenCases("beneficiary_address", true),
    ...textCases("beneficiary_account_number", true),
    [{ beneficiary_account_number: "1234" }, NUMBER],
    [{ beneficiary_account_number: "1-2-3-4" }, NUMBER],
    [{ beneficiary_account_number: "1".repeat(35) }, NUMBER],
    [{ beneficiary_account_number: "12345_6" }, NUMBER],
    [{ beneficiary_account_number: "-".repeat(300) }, NUMBER],
    ...writtenCases("beneficiary_bank", true),
    ...writtenCases("bank_address", true),
    ...textCases("beneficiary_bank_swift_or_routing_code", true),
    [{ beneficiary_bank_swift_or_routing_code: "021000022" }, EITHER],
    [{ beneficiary_bank_swift_or_routing_code: "000000000" }, EITHER],
    [{ beneficiary_bank_swift_or_routing_code: "CHASUS3" }, EITHER],
    [{ beneficiary_bank_swift_or_routing_code: "CHASUS33XX" }, EITHER],
    ...writtenCases("intermediary_bank", false),
    ...writtenCases("intermediary_bank_address", false),
    ...textCases("intermediary_bank_swift_code", false),
    [{ intermediary_bank_swift_code: "021000021" }, BETWEEN_SWIFT],
    ...textCases("intermediary_bank_routing_number_or_aba", false),
    [{ intermediary_bank_routing_number_or_aba: "CHASUS33" }, BETWEEN_ABA],
    [{ intermediary_bank_routing_number_or_aba: "121000247" }, BETWEEN_ABA],
    [{ beneficiary_name: "", bank_address: 5 }, required("beneficiary name")],
    [{ bank_address: 5, intermediary_bank_swift_code: "x" }, string("bank address")],
  ]);
});
