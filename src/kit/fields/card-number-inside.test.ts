/** The guarantee: card numbers are found however they are written; shops' own numbers are not. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FieldRefused } from "../errors.ts";
import { holdsCardNumber, withoutCardNumber } from "./card-number-inside.ts";
import { described, optional } from "./field.ts";
import { line, text } from "./text.ts";

describe("a card number", () => {
  const cards = [
    "4242424242424242",
    "4222222222222",
    "5555555555554444",
    "2223003122003222",
    "378282246310005",
    "30569309025904",
    "6011111111111117",
    "3530111333300000",
    "6200000000000005",
    "4111111111113333",
    "4666666666662222",
    "4242 4242 4242 4242",
    "4242-4242-4242-4242",
    "4242+4242+4242+4242",
    "4242%204242%204242%204242",
    "pay 4242424242424242 now",
    "x4242424242424242y",
    "2026-11-15 4242 4242 4242 4242",
    "cart 1 4242424242424242",
    "4111.1111.1111.1111",
    "4111  1111  1111  1111",
    "4111\u00a01111\u00a01111\u00a01111",
    "4111/1111/1111/1111",
    "4111_1111_1111_1111",
    "4111 – 1111 – 1111 – 1111",
    "4111%2E1111%2E1111%2E1111",
    "4111%25201111%25201111%25201111",
    "４１１１１１１１１１１１１１１１",
    "4111．1111．1111．1111",
    // Digits of other scripts: Arabic, Persian, Devanagari, Thai, Adlam, mathematical.
    "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢",
    "دفعت ببطاقة ٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢ أمس",
    "۴۲۴۲-۴۲۴۲-۴۲۴۲-۴۲۴۲",
    "४२४२४२४२४२४२४२४२",
    "๔๒๔๒๔๒๔๒๔๒๔๒๔๒๔๒",
    "𞥔𞥒𞥔𞥒𞥔𞥒𞥔𞥒𞥔𞥒𞥔𞥒𞥔𞥒𞥔𞥒",
    "𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐",
    "4242 ٤٢٤٢ 4242 ४२४२",
    // What follows would pass Luhn with it.
    "4242424242424242 00",
    "4242424242424242/59/30",
  ];
  for (const text of cards) test(text, () => assert(holdsCardNumber(text)));
});

describe("no card number", () => {
  const texts = [
    "",
    "20261115093005",
    "20261115093005123",
    "2026.11.15 09.30.05",
    "2026/11/15/093005/123",
    "4111    1111    1111    1111",
    "1763190000006",
    "1763190000006123",
    "order-4242",
    "4242424242424243",
    "42424242-4242-4242-8242-424242424242",
    "+18686221234",
    "SB-TT-01K9ZQ3V7H2M4N8P6R5S1T0W9X",
    "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٣",
    "٢٠٢٦١١١٥٠٩٣٠٠٥",
    // What Decision 0002 advises for a number that is taken for a card's.
    "4242424242R42424242",
    "424242424242",
  ];
  for (const text of texts) test(text || "nothing", () => assert(!holdsCardNumber(text)));

  test("a booking from one day to another, of any two days of a year", () => {
    const day = (nth: number) => new Date(Date.UTC(2027, 0, nth)).toISOString().slice(0, 10);
    const write = (nth: number, sign: string) => day(nth).split("-").toReversed().join(sign);
    for (let from = 1; from <= 365; from++)
      for (const nights of [1, 2, 7, 14])
        for (const sign of ["/", ".", "-"]) {
          const text = `${write(from, sign)} - ${write(from + nights, sign)}`;
          assert(!holdsCardNumber(`Booking ${text}, two guests`), text);
        }
    assert(holdsCardNumber("24/01/2027 - 26/01/2027 4242 4242 4242 4242"));
  });

  test("a time to the second, of any second of a century, that Luhn would pass", () => {
    for (let year = 2000; year < 2100; year++)
      for (let second = 0; second < 60; second++) {
        const time = `${year}1115${String(second).padStart(2, "0")}3005`;
        assert(!holdsCardNumber(time), time);
      }
  });
});

describe("a field without card numbers", () => {
  const refused = (message: string) => (error: unknown) =>
    error instanceof FieldRefused && error.message === message;
  const note = withoutCardNumber(line(40));

  test("names itself as it is called in sentences", () => {
    assert.throws(
      () => note.read("to 4242 4242 4242 4242", "name_in_bank"),
      refused("The name in bank must not contain a card number."),
    );
  });

  test("speaks of its kind, length and shape first", () => {
    const card = "4242424242424242";
    assert.throws(() => note.read(4242424242424242, "note"), refused("The note must be a string."));
    assert.throws(
      () => note.read(card.padEnd(41, " x"), "note"),
      refused("The note must not be longer than 40 characters."),
    );
    assert.throws(() => note.read(`${card}\n`, "note"), refused("The note format is invalid."));
  });

  test("gives any other text exactly as it was sent", () => {
    for (const given of [" a ", "4242424242424243", "４２４２"])
      assert.equal(note.read(given, "note"), given);
  });

  test("keeps its schema, and the rule where it is optional", () => {
    const plain = text({ max: 40 });
    assert.deepEqual(withoutCardNumber(plain).schema, plain.schema);
    const shown = described(optional(note), "A note.", "x");
    assert.equal(shown.absent("note"), undefined);
    assert.throws(() => shown.read("4242424242424242", "note"), FieldRefused);
  });
});
