/**
 * Every rule of a withdrawal's fields, in JSON and as a form: the first field that fails speaks, in
 * the order of the interface, and nothing is written (Interface §2.3, Decision 0045).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { COUNTRY_CODES, type CountryCode } from "../../../src/kit/vocabulary.ts";
import { platformOf } from "../../../src/modules/platforms/platform.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  ask,
  expectAllToAddUp,
  type Fields,
  NORMAL,
  type Owner,
  openOwner,
  SUB_BANKED,
  SUB_UNBANKED,
} from "../../../testkit/withdrawals.ts";

let service: TestService;
const mains = new Map<CountryCode, Owner>();
let inBatches: Owner;

before(async () => {
  service = await startService();
  for (const countryCode of COUNTRY_CODES)
    mains.set(countryCode, await openOwner(service, "mainMerchant", { countryCode }));
  inBatches = mainOf("TT");
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

function mainOf(countryCode: CountryCode): Owner {
  const found = mains.get(countryCode);
  assert(found !== undefined);
  return found;
}

const countRows = async () =>
  (await service.ctx.db.one<{ n: number }>(sql`select count(*)::int as n from withdrawals`)).n;

/** Refused in both spellings, where a form can spell it at all. */
async function expectRefused(who: Owner, fields: Fields, message: string): Promise<void> {
  const rows = await countRows();
  const isPlain = Object.values(fields).every((value) => typeof value !== "object");
  for (const as of isPlain ? (["json", "form"] as const) : (["json"] as const)) {
    const answer = await ask(service, who, fields, { as });
    assert.deepEqual([answer.status, answer.body], [400, { message }], as);
  }
  assert.equal(await countRows(), rows);
}

async function expectTaken(who: Owner, fields: Fields): Promise<void> {
  for (const as of ["json", "form"] as const) {
    const answer = await ask(service, who, fields, { as });
    assert.equal(answer.status, 201, `${as}: ${answer.text}`);
  }
}

const without = (fields: Fields, name: string): Fields => ({ ...fields, [name]: undefined });
const TYPES = "The withdrawal type must be one of: normal, sub_banked, sub_unbanked.";
const TOO_LONG = (label: string, max = 255) =>
  `The ${label} must not be longer than ${max} characters.`;
const long = (count: number) => "x".repeat(count);
const longEmail = (length: number) => `a@${`${"d".repeat(60)}.`.repeat(4)}`.padEnd(length, "c");

describe("fields of every variant", () => {
  const table: [string, Fields, string][] = [
    ["no type", without(NORMAL, "withdrawal_type"), "The withdrawal type field is required."],
    ["an unknown type", { ...NORMAL, withdrawal_type: "sub" }, TYPES],
    ["a type in capitals", { ...NORMAL, withdrawal_type: "Normal" }, TYPES],
    [
      "a list of types",
      { ...NORMAL, withdrawal_type: ["normal"] },
      "The withdrawal type must be a string.",
    ],
    ["no currency", without(NORMAL, "currency"), "The currency field is required."],
    [
      "a currency of another platform",
      { ...NORMAL, currency: "JMD" },
      "The currency must be one of: TTD, USD.",
    ],
    [
      "that currency before an amount that is missing",
      without({ ...NORMAL, currency: "JMD" }, "amount"),
      "The currency must be one of: TTD, USD.",
    ],
    ["no amount", without(NORMAL, "amount"), "The amount field is required."],
    ["too much data", { ...NORMAL, data: "👍".repeat(4097) }, TOO_LONG("data", 4096)],
    [
      "an unknown environment",
      { ...NORMAL, environment: "test" },
      "The environment must be one of: live, sandbox.",
    ],
  ];
  for (const [what, fields, message] of table)
    test(`${what}: ${message}`, () => expectRefused(inBatches, fields, message));

  test("a NUL in data is refused", async () => {
    for (const as of ["json", "form"] as const)
      assert.equal(
        (await ask(service, inBatches, { ...NORMAL, data: "a\0b" }, { as })).status,
        400,
      );
  });

  const NOT_A_NUMBER = "The amount must be a number with at most 2 decimal places.";
  const amounts: [unknown, string][] = [
    [0, "The amount must be at least 5.00 TTD."],
    ["-0", NOT_A_NUMBER],
    [4.99, "The amount must be at least 5.00 TTD."],
    [-5, "The amount must not be negative."],
    [0.001, NOT_A_NUMBER],
    ["10.005", NOT_A_NUMBER],
    ["1e2", NOT_A_NUMBER],
    ["0x10", NOT_A_NUMBER],
    [" 10", NOT_A_NUMBER],
    ["+5", NOT_A_NUMBER],
    ["10,00", NOT_A_NUMBER],
    ["１０", NOT_A_NUMBER],
    [".5", NOT_A_NUMBER],
    ["5.", NOT_A_NUMBER],
    ["NaN", NOT_A_NUMBER],
    [true, NOT_A_NUMBER],
    ["9007199254740993", "The amount must not be that large."],
    ["9".repeat(400), "The amount must not be that large."],
  ];
  for (const [amount, message] of amounts)
    test(`an amount of ${JSON.stringify(amount).slice(0, 30)}: ${message}`, () =>
      expectRefused(inBatches, { ...NORMAL, amount }, message));

  test("amounts as numbers and as text, from the minimum up", async () => {
    for (const amount of [5, 10, "10", 10.5, "10.50"])
      await expectTaken(inBatches, { ...NORMAL, amount });
  });
});

describe("fields of sub_banked", () => {
  const of = (more: Fields) => ({ ...SUB_BANKED, ...more });
  const required = [
    "email",
    "phone",
    "bank_name",
    "bank_account",
    "name_in_bank",
    "id_type",
    "id_number",
  ];
  for (const name of required) {
    const message = `The ${name.replaceAll("_", " ")} field is required.`;
    test(message, () => expectRefused(inBatches, without(SUB_BANKED, name), message));
  }

  test("the first that is missing speaks", () => {
    const nobody = { ...NORMAL, withdrawal_type: "sub_banked" };
    return expectRefused(inBatches, nobody, "The email field is required.");
  });

  const BANKS = `The bank name must be one of: ${platformOf("TT")
    .banks.map(({ name }) => name)
    .join(", ")}.`;
  const table: [string, Fields, string][] = [
    ["no address", { email: "kerry" }, "The email must be a valid email address."],
    ["a long address", { email: longEmail(256) }, TOO_LONG("email")],
    ["a bank of nobody", { bank_name: "first citizens" }, BANKS],
    ["a bank of Jamaica", { bank_name: "National Commercial Bank" }, BANKS],
    ["letters", { bank_account: "00123x5678" }, "The bank account must contain only digits."],
    [
      "nine digits at a bank of ten",
      { bank_account: "001234567" },
      "The bank account must have 10 digits at First Citizens.",
    ],
    ["a long name", { name_in_bank: long(256) }, TOO_LONG("name in bank")],
    ["a name of spaces", { name_in_bank: "  " }, "The name in bank format is invalid."],
    [
      "an unknown document",
      { id_type: "visa" },
      "The id type must be one of: passport, national_id, driver_permit.",
    ],
    ["small letters", { id_number: "tb123456" }, "The id number format is invalid."],
    ["a number of another kind", { id_type: "national_id" }, "The id number format is invalid."],
  ];
  for (const [what, fields, message] of table)
    test(`${what}: ${message.slice(0, 60)}`, () => expectRefused(inBatches, of(fields), message));

  for (const phone of [
    "18685550123",
    "+01868555",
    "+1868555012345678",
    "+1868abc",
    "+１８６８",
    "+1868\n",
  ])
    test(`a phone of ${JSON.stringify(phone)}`, async () => {
      const isLong = phone.length > 16;
      const message = isLong ? TOO_LONG("phone", 16) : "The phone format is invalid.";
      await expectRefused(inBatches, of({ phone }), message);
    });

  test("a phone of any country, and lengths up to the limit", async () => {
    const longest = { email: longEmail(255), name_in_bank: "n".repeat(255) };
    assert.equal(longest.email.length, 255);
    await expectTaken(inBatches, of({ ...longest, phone: "+442079460958" }));
  });

  test("elsewhere than in Jamaica kind and branch are not looked at", () =>
    expectTaken(inBatches, of({ bank_account_type: "x", bank_branch: "y" })));
});

describe("fields of sub_unbanked", () => {
  for (const name of ["recipient_name", "email", "phone", "id_type", "id_number"]) {
    const message = `The ${name.replaceAll("_", " ")} field is required.`;
    test(message, () => expectRefused(inBatches, without(SUB_UNBANKED, name), message));
  }

  test("the recipient's name has 255 characters at most", async () => {
    const named = (recipient_name: string) => ({ ...SUB_UNBANKED, recipient_name });
    await expectRefused(inBatches, named(long(256)), TOO_LONG("recipient name"));
    await expectTaken(inBatches, named(`${"👍".repeat(254)}x`));
  });
});

describe("Jamaica asks for the kind of account and the branch", () => {
  const JM = {
    ...SUB_BANKED,
    currency: "JMD",
    amount: "1000",
    bank_name: "National Commercial Bank",
    bank_account: "001234567",
    id_number: "A1234567",
    bank_account_type: "savings",
    bank_branch: "Half Way Tree",
  };

  test("with both it is taken", () => expectTaken(mainOf("JM"), JM));

  const table: [string, Fields, string][] = [
    ["no kind", { bank_account_type: undefined }, "The bank account type field is required."],
    [
      "another kind",
      { bank_account_type: "current" },
      "The bank account type must be one of: chequing, savings.",
    ],
    ["no branch", { bank_branch: undefined }, "The bank branch field is required."],
    [
      "a branch of another bank",
      { bank_branch: "Liguanea" },
      `The bank branch must be one of: ${platformOf("JM").banks[0]?.branches?.join(", ")}.`,
    ],
  ];
  for (const [what, fields, message] of table)
    test(`${what}: ${message.slice(0, 60)}`, () =>
      expectRefused(mainOf("JM"), { ...JM, ...fields }, message));

  test("a person without a bank needs neither", () =>
    expectTaken(mainOf("JM"), {
      ...SUB_UNBANKED,
      currency: "JMD",
      amount: 115,
      id_number: "A1234567",
    }));
});
