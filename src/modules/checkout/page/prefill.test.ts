// The guarantee: the form shows of a customer exactly what the four rules of Interface §2.4 say,
// and a phone number survives being taken apart and put together.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { joinPhone, splitPhone } from "../form/phone-parts.ts";
import { prefill } from "./view-session.ts";

const CASES: readonly [string, Parameters<typeof prefill>[0], ReturnType<typeof prefill>][] = [
  ["nothing is known, nothing is shown", {}, {}],
  ["1: without a phone the country sets both", { country: "JM" }, { country: "JM", dial: "JM" }],
  [
    "1: a phone that is no complete number counts as none",
    { country: "BB", phone: "+1246" },
    { country: "BB", dial: "BB" },
  ],
  [
    "1: nor does one that nobody can have",
    { country: "BB", phone: "+12460000000" },
    { country: "BB", dial: "BB" },
  ],
  [
    "2: a complete phone chooses its own dialling country; the country stays the billing one",
    { country: "US", phone: "+18682911234" },
    { country: "US", dial: "TT", phone: "(868) 291-1234" },
  ],
  [
    "2: and does so without a country",
    { phone: "+442083661177" },
    { dial: "GB", phone: "020 8366 1177" },
  ],
  ["a country that does not exist is not chosen", { country: "QQ" }, {}],
  ["4: a state is shown in full", { country: "US", state: "CA" }, us("US-CA")],
  ["4: also when it was given so", { country: "US", state: "US-CA" }, us("US-CA")],
  ["4: one of another country is not", { country: "US", state: "CA-ON" }, us()],
  ["names are joined", { fname: "Maya", lname: "Joseph" }, { holder: "Maya Joseph" }],
  [
    "an address is shown as it was given",
    { addr1: "1 Bay St", addr2: "Apt 2", city: "Holetown", zipcode: "BB24016" },
    { addr1: "1 Bay St", addr2: "Apt 2", city: "Holetown", zipcode: "BB24016" },
  ],
];

function us(state?: string) {
  return { country: "US", dial: "US", ...(state === undefined ? {} : { state }) };
}

describe("what the form shows at first", () => {
  for (const [name, customer, values] of CASES) {
    test(name, () => assert.deepEqual(prefill(customer), values));
  }
});

describe("a phone as two controls", () => {
  test("comes back as it was", () => {
    for (const e164 of ["+18682911234", "+18765551234", "+442083661177", "+4915123456789"]) {
      const parts = splitPhone(e164);
      assert(parts !== undefined, e164);
      assert.equal(joinPhone(parts), e164);
    }
  });

  const TYPED: readonly [string | undefined, string, string | undefined][] = [
    ["TT", "291-1234", "+18682911234"],
    ["TT", "868 291 1234", "+18682911234"],
    ["TT", "1 (868) 291-1234", "+18682911234"],
    ["US", "868 291 1234", undefined],
    [undefined, "868 291 1234", undefined],
    [undefined, "+1 868 291 1234", "+18682911234"],
    ["GB", "+1 868 291 1234", "+18682911234"],
    ["TT", "hello", undefined],
    ["TT", "8".repeat(30), undefined],
    ["QQ", "868 291 1234", undefined],
  ];
  for (const [dial, phone, e164] of TYPED) {
    test(`${phone} of ${dial ?? "no country"} is ${e164 ?? "no number"}`, () => {
      assert.equal(joinPhone({ dial, phone }), e164);
    });
  }
});
