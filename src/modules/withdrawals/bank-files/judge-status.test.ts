/**
 * The guarantee: what a bank says above the payments and what it says of one payment in several
 * lines is put together as the bank means it, and nothing that it says is lost (Decision 0049).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Finding } from "./find-mismatch.ts";
import { judgeStatus, needsAPerson } from "./judge-status.ts";
import type { PaymentVerdict, StatusReport, Verdict } from "./status-report.ts";

const SENT = {
  transactionId: "TT-1",
  endToEndId: "a1",
  partId: "M-T",
  amount: "10.00",
  currency: "TTD",
  standing: "waiting",
} as const;

const verdict = (line: number, status = "", reason = ""): Verdict => ({
  line,
  status,
  reasonCodes: reason === "" ? [] : [reason],
  reasonText: "",
});

const payment = (line: number, status = "", reason = "", amount?: string): PaymentVerdict => ({
  ...verdict(line, status, reason),
  endToEndId: "a1",
  instructionId: "",
  partId: "",
  sum: amount === undefined ? undefined : { amount, currency: "TTD" },
  settled: undefined,
});

function judged(said: {
  all?: Verdict;
  part?: Verdict;
  partId?: string;
  payments?: readonly PaymentVerdict[];
}): Finding[] {
  const { all = verdict(4), part = verdict(6), partId = "M-T", payments = [] } = said;
  const report: StatusReport = {
    messageId: "B",
    originalMessageId: "M",
    all,
    parts: [{ ...part, partId, payments }],
  };
  return judgeStatus(report, [SENT]);
}

const inShort = (findings: readonly Finding[]) =>
  findings.map(({ line, result }) => `${line} ${result}`);

describe("a line without a status", () => {
  const refused = verdict(4, "RJCT");
  const table: [string, Parameters<typeof judged>[0], string[]][] = [
    [
      "as a double",
      { all: refused, payments: [payment(7, "", "AM05")] },
      ["7 refused as a double"],
    ],
    [
      "as a double of a part",
      { part: verdict(6, "RJCT", "FF01"), payments: [payment(7, "", "DU04")] },
      ["7 refused as a double"],
    ],
    [
      "as a double beside another line",
      { all: refused, payments: [payment(7, "RJCT"), payment(8, "", "AM05")] },
      ["7 told twice", "8 refused as a double"],
    ],
    [
      "as nothing else when all are doubles",
      { all: verdict(4, "RJCT", "AM05"), payments: [payment(7, "", "AC01")] },
      ["7 refused as a double"],
    ],
    ["for the owner", { all: refused, payments: [payment(7, "", "AC01")] }, ["7 failed"]],
    ["and is paid", { part: verdict(6, "ACSC"), payments: [payment(7)] }, ["7 completed"]],
  ];
  for (const [how, said, expected] of table)
    test(`gives its reason for what is said above it: ${how}`, () => {
      assert.deepEqual(inShort(judged(said)), expected);
    });

  test("tells the owner its reason, and each line is told once", () => {
    const payments = [payment(6), payment(7, "RJCT"), payment(8, "", "AC01")];
    const findings = judged({ all: refused, payments });
    assert.deepEqual(inShort(findings), ["6 told twice", "7 told twice", "8 failed"]);
    assert.match(findings[2]?.reason ?? "", /\(AC01\): the account number is wrong$/);
    const two = judged({ all: refused, payments: [payment(6), payment(7, "RJCT")] });
    assert.deepEqual(inShort(two), ["6 failed", "7 told twice"]);
  });

  test("says nothing where nothing is said above it", () => {
    assert.deepEqual(inShort(judged({ payments: [payment(7, "", "AC01")] })), ["7 unknown code"]);
  });
});

test("another amount in the second line is told there, and each line once", () => {
  const payments = [payment(7, "ACSC", "", "10.00"), payment(8, "ACSC", "", "11.00")];
  assert.deepEqual(inShort(judged({ payments })), ["7 told twice", "8 other amount"]);
});

describe("above the payments", () => {
  const table: [Parameters<typeof judged>[0], string, RegExp][] = [
    [{ partId: "X", part: verdict(6, "RJCT") }, "6 unknown part", /^That file had no part X\.$/],
    [{ partId: "X", part: verdict(6, "ACSC") }, "6 unknown part", /^That file had no part X\.$/],
    [{ partId: "", part: verdict(6, "PDNG") }, "6 unknown part", /no part without a name/],
    [{ all: verdict(4, "XXXX") }, "4 unknown code", /^Nobody here knows XXXX\.$/],
    [{ part: verdict(6, "YYYY") }, "6 unknown code", /^Nobody here knows YYYY\.$/],
  ];
  for (const [said, expected, words] of table)
    test(`is told to a person: ${expected}`, () => {
      const findings = judged(said);
      assert.deepEqual(inShort(findings), [expected]);
      assert(findings.every(needsAPerson));
      assert.match(findings[0]?.words ?? "", words);
    });

  test("is quiet while it is under way, or says nothing", () => {
    assert.deepEqual(judged({ all: verdict(4, "ACCP"), part: verdict(6, "PDNG") }), []);
    assert.deepEqual(judged({ partId: "X" }), []);
  });
});
