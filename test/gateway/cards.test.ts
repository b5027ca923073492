/**
 * The guarantee: the sandbox's cards do what their document says, because the document is the table
 * that the simulator runs on (Decision 0038), and a log never shows one of them.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { networkOf, passesLuhn } from "../../src/kit/card-network.ts";
import { scrub } from "../../src/kit/scrub.ts";
import {
  behaviourOf,
  CARDS,
  isSandboxCard,
  MESSAGES,
} from "../../src/modules/gateway/sandbox/cards.ts";
import { projectRoot } from "../house/project-files.ts";

const document = readFileSync(path.join(projectRoot, "docs/sandbox.md"), "utf8");
const rows = document.split("\n").filter((line) => /^\| \d{16} \|/.test(line));

describe("the table of docs/sandbox.md", () => {
  test("has the cards of the simulator, in its order and words", () => {
    const expected = CARDS.map(({ numbers: [visa, mastercard = ""], about }) => {
      return `| ${visa} | ${mastercard} | ${about} |`.replace("|  |", "| |");
    });
    assert.deepEqual(rows, expected);
  });

  test("shows a Visa in its first column and a Mastercard in its second, each once", () => {
    const numbers = CARDS.flatMap((card) => card.numbers);
    assert.equal(new Set(numbers).size, numbers.length);
    for (const { numbers: listed } of CARDS)
      assert.deepEqual(listed.map(networkOf), ["visa", "mastercard"].slice(0, listed.length));
  });

  test("says of each card the code, the AVS answer and the seconds that it has", () => {
    for (const { about, does } of CARDS) {
      const words = about.toLowerCase();
      if (does.code !== "00") assert(words.includes(`declined, ${does.code.toLowerCase()}`), about);
      if (does.avs !== undefined) assert(about.includes(`AVS ${does.avs}`), about);
      if (does.challenge !== undefined) assert(about.startsWith("3-D Secure"), about);
      const seconds = does.slowSeconds ?? does.unknownSeconds ?? does.downSeconds;
      if (seconds === undefined) continue;
      const told = seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`;
      assert(about.includes(told), about);
    }
  });
});

describe("a card number", () => {
  const digits = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 15, maxLength: 15 })
    .map((rest) => `4${rest.join("")}`);

  test("that is not listed is approved when it passes Luhn and is no card otherwise", () => {
    fc.assert(
      fc.property(digits, (number) => {
        fc.pre(!isSandboxCard(number));
        assert.deepEqual(behaviourOf(number), { code: passesLuhn(number) ? "00" : "14" });
      }),
    );
  });

  test("that is listed never reaches a log, with or without Luhn", () => {
    for (const number of CARDS.flatMap((card) => card.numbers))
      assert(!scrub(`paid with ${number} today`).includes(number));
  });
});

test("every code says one sentence", () => {
  for (const message of Object.values(MESSAGES)) assert.match(message, /^[A-Z][^.]+\.$/);
});
