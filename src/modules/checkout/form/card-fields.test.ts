/** What people type into the card form is read or refused, field by field, and never repeated. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { passesLuhn } from "../../../kit/card-network.ts";
import { cardForm as words } from "../../../words/card-form/en.ts";
import { CARDS, isSandboxCard } from "../../gateway/sandbox/cards.ts";
import {
  type CardRules,
  readCard,
  readCvv,
  readExpiry,
  readHolder,
  readNumber,
} from "./card-fields.ts";

const RULES: CardRules = {
  only: undefined,
  isAvs: false,
  at: new Date("2026-11-15T12:00:00Z"),
  takesSandboxCards: true,
  words,
};

const WRONG = "Check your card number. It is not valid.";
const DIGITS = "Enter your card number using digits only.";
const OTHER = "This card is not taken here. Use a Visa or a Mastercard.";
const AMEX = "American Express cards are not taken here. Use a Visa or a Mastercard.";

describe("a card number", () => {
  for (const [typed, network] of [
    ["4012888888881881", "visa"],
    ["4012 8888 8888 1881", "visa"],
    [" 4012-8888-8888-1881 ", "visa"],
    ["4222222222222", "visa"],
    ["5555555555554444", "mastercard"],
    ["2223003122003222", "mastercard"],
    ["4111111111113333", "visa"],
    ["5111111111112010", "mastercard"],
  ] as const)
    test(`${typed} is read as ${network}`, () => {
      const read = readNumber(typed, RULES);
      assert("value" in read, JSON.stringify(read));
      assert.deepEqual(read.value, { number: typed.replace(/[ -]/g, ""), network });
    });

  for (const [typed, message] of [
    ["", "Enter your card number."],
    ["4012888888881882", WRONG],
    ["40128888888", WRONG],
    ["40128888888818810000", WRONG],
    ["401288888888188", WRONG],
    ["4012  8888 8888 1881", DIGITS],
    ["4012_8888_8888_1881", DIGITS],
    ["٤٠١٢٨٨٨٨٨٨٨٨١٨٨١", DIGITS],
    ["４０１２８８８８８８８８１８８１", DIGITS],
    ["4012888888881881x", DIGITS],
    ["378282246310005", AMEX],
    ["3782 822463 10005", AMEX],
    ["6011111111111117", OTHER],
    ["1234567812345670", OTHER],
    ["4111111111113334", WRONG],
  ] as const)
    test(`${typed || "nothing"} is refused`, () => {
      assert.deepEqual(readNumber(typed, RULES), { message });
    });

  test("of the sandbox is refused where the gateway is not the simulator", () => {
    const live = { ...RULES, takesSandboxCards: false };
    const message = "This is a test card. Please use your own card.";
    for (const { numbers } of CARDS)
      for (const number of numbers) {
        assert("value" in readNumber(number, RULES), number);
        assert.deepEqual(readNumber(number, live), { message });
      }
    assert("value" in readNumber("4012888888881881", live));
  });

  test("of the other network than the order's is refused in plain words", () => {
    const message = "This is a Visa. For this order, use a Mastercard.";
    assert.deepEqual(readNumber("4012888888881881", { ...RULES, only: "mastercard" }), { message });
    assert("value" in readNumber("4012888888881881", { ...RULES, only: "visa" }));
  });

  test("however it is mistyped, no message repeats it", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^4[0-9]{15}$/), (number) => {
        const read = readNumber(number, RULES);
        assert.equal("value" in read, passesLuhn(number) || isSandboxCard(number));
        assert(!JSON.stringify("message" in read ? read.message : "").includes(number.slice(0, 6)));
      }),
      { examples: [["4111111111111111"]] },
    );
  });
});

describe("an expiry", () => {
  for (const [typed, month, year] of [
    ["11/26", 11, 2026],
    ["12 / 39", 12, 2039],
    ["1/2027", 1, 2027],
    ["01-27", 1, 2027],
    ["0927", 9, 2027],
    ["092027", 9, 2027],
    [" 09.27 ", 9, 2027],
    ["12/46", 12, 2046],
  ] as const)
    test(`${typed} is read`, () => {
      assert.deepEqual(readExpiry(typed, RULES), { value: { month, year } });
    });

  const form = "Enter the expiry date as shown on the card, e.g. 09/29.";
  for (const [typed, message] of [
    ["", "Enter the expiry date."],
    ["00/29", form],
    ["13/29", form],
    ["929", form],
    ["09/9", form],
    ["09/1929", form],
    ["٠٩/٢٩", form],
    ["2029-09", form],
    ["10/26", "This card has expired. Please use another card."],
    ["12/25", "This card has expired. Please use another card."],
    ["01/47", "Check the year. It is too far in the future."],
  ] as const)
    test(`${typed || "nothing"} is refused`, () => {
      assert.deepEqual(readExpiry(typed, RULES), { message });
    });

  test("is good until its month is over everywhere on earth", () => {
    const at = (time: string) => readExpiry("11/26", { ...RULES, at: new Date(time) });
    assert("value" in at("2026-12-01T11:59:00Z"));
    assert("message" in at("2026-12-01T12:01:00Z"));
  });
});

describe("a security code and a name", () => {
  test("three digits are a code; two, four, five and other scripts are not", () => {
    assert.deepEqual(readCvv(" 007 ", RULES), { value: "007" });
    for (const typed of ["", "12", "1234", "12345", "12a", "１２３", "1 2"])
      assert("message" in readCvv(typed, RULES), typed);
  });

  test("a name is any line of words up to 60 characters, without a card number in it", () => {
    for (const typed of [
      "Anika Mohammed",
      "José  Núñez",
      "O'Neil-Joseph",
      "李小龍",
      "ß".repeat(60),
    ])
      assert("value" in readHolder(typed, RULES), typed);
    for (const typed of ["", "  ", "ß".repeat(61), "Ann\u0000", "Ann 4012 8888 8888 1881"])
      assert("message" in readHolder(typed, RULES), typed);
  });
});

test("a card that is not taken is told by its number alone, not by its longer code", () => {
  const fieldsOf = (form: Record<string, string>) => {
    const read = readCard({ expiry: "12/39", holder: "Anika Mohammed", ...form }, RULES);
    return "problems" in read ? read.problems.map(({ field }) => field) : [];
  };
  assert.deepEqual(fieldsOf({ number: "378282246310005", cvv: "1234" }), ["number"]);
  assert.deepEqual(fieldsOf({ number: "6011111111111117", cvv: "" }), ["number"]);
  assert.deepEqual(fieldsOf({ number: "4012888888881881", cvv: "1234" }), ["cvv"]);
});

test("a whole form tells every problem, in its order, and no value", () => {
  const read = readCard({ number: "4012888888881882", cvv: "73", holder: "" }, RULES);
  assert("problems" in read);
  assert.deepEqual(
    read.problems.map(({ field }) => field),
    ["number", "expiry", "cvv", "holder"],
  );
  assert.doesNotMatch(JSON.stringify(read), /401288|73"/);
});
