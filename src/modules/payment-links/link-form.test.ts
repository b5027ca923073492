/** Amounts that customers type at a payment link are read as they mean them, or not at all. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { english } from "../../words/link/en.ts";
import { readLinkForm } from "./link-form.ts";
import type { Offer } from "./offer.ts";

/** Of an offer, only what the form depends on. */
const OFFER = {
  currency: "TTD",
  amount_minor: null,
  amount_min_minor: 1_000n,
  amount_max_minor: 200_000n,
  reference_label: null,
} as unknown as Offer;

const read = (amount: string, offer = OFFER) =>
  readLinkForm(offer, { amount, reference: "" }, { t: english, language: "en" });

describe("an amount", () => {
  const READ: readonly [typed: string, minor: bigint][] = [
    ["25", 2_500n],
    ["25.5", 2_550n],
    ["25,50", 2_550n],
    [" 25.50 ", 2_550n],
    ["$25", 2_500n],
    ["1200.50", 120_050n],
    ["1,200.50", 120_050n],
    ["1,200", 120_000n],
    ["1 200,50", 120_050n],
    ["1\u202f200,50", 120_050n],
    ["1.200,50", 120_050n],
    ["10.00", 1_000n],
    ["2000.00", 200_000n],
  ];
  for (const [typed, minor] of READ)
    test(`typed as ${JSON.stringify(typed)} is ${minor}`, () => {
      assert.deepEqual(read(typed), { minor, reference: null });
    });

  const REFUSED = [
    "",
    "abc",
    "9.99",
    "2000.01",
    "-25",
    "25.555",
    "1.200",
    "12,00,50",
    "1e3",
    "0x20",
    "∞",
    "٢٥",
    "1".repeat(21),
    "25.00 or more, gladly",
  ];
  for (const typed of REFUSED)
    test(`typed as ${JSON.stringify(typed)} is refused, and the bounds are named`, () => {
      assert.deepEqual(read(typed), {
        problems: {
          amount: "Enter an amount, such as 25.00. From TTD\u00a010.00 to TTD\u00a02,000.00.",
        },
      });
    });

  test("is not read where the link fixes it", () => {
    const fixed = { ...OFFER, amount_minor: 12_000n, amount_min_minor: null };
    assert.deepEqual(read("1.00", fixed), { minor: 12_000n, reference: null });
  });
});
