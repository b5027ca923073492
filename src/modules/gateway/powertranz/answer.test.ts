/**
 * The guarantee: an answer of PowerTranz is an approval only when everything in it agrees, and a
 * decline only when nothing in it leaves the outcome open.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { money } from "../../../kit/money.ts";
import { decidedBy, describeCodes, readAnswer } from "./answer.ts";
import { GatewayProblem } from "./problem.ts";

const IDENTIFIER = "6d0f3a52-8f0b-4a35-9d54-1c7a2be0f911";
const EXPECTED = { identifier: IDENTIFIER, amount: money("TTD", 12050n) };
const APPROVAL = {
  TransactionType: 2,
  Approved: true,
  TransactionIdentifier: IDENTIFIER,
  TotalAmount: 120.5,
  CurrencyCode: "780",
  IsoResponseCode: "00",
};

const judge = (json: unknown, isLookup = false) => {
  try {
    return decidedBy(readAnswer(json), EXPECTED, isLookup).outcome;
  } catch (error) {
    assert(error instanceof GatewayProblem, String(error));
    return error.reason;
  }
};

describe("an answer", () => {
  test("is read in any case, and values of another type count as absent", () => {
    const small = Object.fromEntries(
      Object.entries(APPROVAL).map(([name, value]) => [name.toLowerCase(), value]),
    );
    assert.equal(judge(small), "approved");
    assert.equal(judge({ ...APPROVAL, Approved: "true" }), "contradiction");
    assert.equal(judge({ ...APPROVAL, TotalAmount: "120.50" }), "approved");
  });

  test("that repeats nothing of the order is an approval all the same", () => {
    assert.equal(judge({ Approved: true, IsoResponseCode: "00" }), "approved");
  });

  for (const [what, change] of [
    ["another amount", { TotalAmount: 120.51 }],
    ["another currency", { CurrencyCode: "840" }],
    ["another identifier", { TransactionIdentifier: "00000000-0000-4000-8000-000000000000" }],
    ["an error beside it", { Errors: [{ Code: "317", Message: null }] }],
    ["an error that cannot be read", { Errors: ["?"] }],
    ["Approved false", { Approved: false }],
    ["no Approved", { Approved: undefined }],
    ["a condition", { IsoResponseCode: "10" }],
    ["a decline's code", { IsoResponseCode: "05" }],
  ] as const)
    test(`that approves with ${what} is a contradiction`, () =>
      assert.equal(judge({ ...APPROVAL, ...change }), "contradiction"));

  test("of a lookup need not say Approved, but must not deny it", () => {
    assert.equal(judge({ ...APPROVAL, Approved: undefined }, true), "approved");
    assert.equal(judge({ ...APPROVAL, Approved: false }, true), "contradiction");
  });

  test("that declines is no outcome beside an error of the system, in text or number", () => {
    const decline = { Approved: false, IsoResponseCode: "91" };
    assert.equal(judge(decline), "declined");
    for (const Code of ["391", 391, "787", ""])
      assert.equal(judge({ ...decline, Errors: [{ Code }] }), "unknown_outcome", String(Code));
    assert.equal(judge({ ...decline, Errors: [{ Code: "311" }] }), "settings");
    assert.equal(judge({ ...decline, Errors: null }), "declined");
  });

  test("that is no object is no outcome", () => {
    for (const json of [null, undefined, "00", 0, [], [APPROVAL], true])
      assert.equal(judge(json), "unknown_outcome");
  });

  test("shows nothing of itself to operators but codes", () => {
    const { length } = describeCodes(
      readAnswer({ IsoResponseCode: "4012000000020006 4012000000020006", Errors: [] }),
    );
    assert(length < 40);
    assert.match(describeCodes(readAnswer({})), /^code none, errors none$/);
  });

  test("has AVS and CVV in the letters that merchants are shown, wherever they stand", () => {
    const checksOf = (AvsResponseCode: string, CvvResponseCode: string) => [
      readAnswer({ RiskManagement: { AvsResponseCode, CvvResponseCode } }).checks,
      readAnswer({ AvsResponseCode, CvvResponseCode }).checks,
    ];
    for (const [avs, port] of Object.entries({ Y: "M", X: "M", B: "A", W: "Z", N: "N", S: "G" }))
      assert.deepEqual(checksOf(avs, "M"), [
        { avs: port, cvv: "M" },
        { avs: port, cvv: "M" },
      ]);
    for (const odd of ["MY", "Q", "", "1"]) assert.deepEqual(checksOf(odd, "P"), [{}, {}]);
  });

  test("is never an approval unless everything in it agrees", () => {
    const maybe = <T>(good: T, ...bad: readonly unknown[]) =>
      fc.constantFrom<unknown>(good, ...bad);
    const answers = fc.record({
      Approved: maybe(true, false, undefined, "true", 1, null),
      IsoResponseCode: maybe("00", "05", "10", "96", "", undefined, 0, "0", "000"),
      TransactionIdentifier: maybe(IDENTIFIER, undefined, "another"),
      TotalAmount: maybe(120.5, undefined, 120.51, 12050, 0),
      CurrencyCode: maybe("780", undefined, "840"),
      Errors: maybe([], undefined, [{ Code: "317" }], [{}], [{ Code: 391 }]),
    });
    fc.assert(
      fc.property(answers, fc.boolean(), (answer, isLookup) => {
        const outcome = judge(answer, isLookup);
        const errors = Array.isArray(answer.Errors) ? answer.Errors : [];
        const isAgreed =
          (answer.Approved === true || (isLookup && typeof answer.Approved !== "boolean")) &&
          answer.IsoResponseCode === "00" &&
          answer.TransactionIdentifier !== "another" &&
          (answer.TotalAmount === undefined || answer.TotalAmount === 120.5) &&
          answer.CurrencyCode !== "840" &&
          errors.length === 0;
        assert.equal(outcome === "approved", isAgreed);
      }),
      { numRuns: 2_000 },
    );
  });
});
