/** An address is demanded only where it is compared, and what is given must make sense anywhere. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cardForm as words } from "../../../words/card-form/en.ts";
import { readBilling } from "./billing-fields.ts";
import type { FormValues } from "./form-values.ts";

function problems(form: FormValues, isAvs = false): string[] {
  const read = readBilling(form, { isAvs, words });
  return "problems" in read ? read.problems.map(({ field }) => field) : [];
}

const TRINIDAD = { country: "TT", addr1: "12 Frederick Street", city: "Arima", state: "TT-ARI" };

describe("a billing address", () => {
  for (const [what, form, isAvs, expected] of [
    ["nothing, without AVS", {}, false, []],
    ["nothing, with AVS", {}, true, ["country", "addr1", "city"]],
    ["all, with AVS", TRINIDAD, true, []],
    ["no state where there are some, with AVS", { ...TRINIDAD, state: "" }, true, ["state"]],
    ["no state where there are some, without AVS", { ...TRINIDAD, state: "" }, false, []],
    [
      "no state where there are none, with AVS",
      { ...TRINIDAD, country: "AW", state: "" },
      true,
      [],
    ],
    ["a state where there are none", { ...TRINIDAD, country: "AW" }, true, []],
    ["a state of another country", { ...TRINIDAD, state: "US-CA" }, true, ["state"]],
    [
      "a state of another country, without AVS",
      { country: "TT", state: "US-CA" },
      false,
      ["state"],
    ],
    ["a country that is none", { country: "XX" }, false, ["country"]],
    ["a country in small letters", { country: "tt" }, false, ["country"]],
    [
      "lines that are too long",
      { addr1: "x".repeat(51), city: "y".repeat(31) },
      false,
      ["addr1", "city"],
    ],
    ["a card number as an address", { addr1: "4012 8888 8888 1881" }, false, ["addr1"]],
    ["a postal code", { zipcode: "SW1A 1AA" }, false, []],
    ["a postal code with signs", { zipcode: "<script>" }, false, ["zipcode"]],
    ["a postal code of 11", { zipcode: "12345678901" }, false, ["zipcode"]],
    ["a phone of its country", { dial: "TT", phone: "624-1234" }, false, []],
    ["a phone with its country in it", { phone: "+1 868 624 1234" }, false, []],
    ["a phone of no country", { phone: "624-1234" }, false, ["phone"]],
    ["a phone that is too short", { dial: "TT", phone: "12" }, false, ["phone"]],
  ] as const)
    test(`${what}: ${expected.join(", ") || "taken"}`, () => {
      assert.deepEqual(problems(form, isAvs), expected);
    });

  test("is handed on in the forms that gateways know", () => {
    const form = { ...TRINIDAD, state: "ARI", addr2: " Unit  3 ", dial: "TT", phone: "624 1234" };
    assert.deepEqual(readBilling(form, { isAvs: true, words }), {
      billing: {
        country: "TT",
        address: "12 Frederick Street, Unit 3",
        city: "Arima",
        state: "TT-ARI",
        zipcode: undefined,
        phone: "+18686241234",
      },
    });
  });
});
