/**
 * The guarantee: a bank's file that contradicts itself, or names something else than what was sent,
 * moves nothing, wherever in the file it does so; and what is said plainly still moves.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SentPayment } from "./find-mismatch.ts";
import { judgeStatus, needsAPerson } from "./judge-status.ts";
import { readStatusReport } from "./status-report.ts";

const sent = (name: string): SentPayment => ({
  transactionId: `TT-01${name}`,
  endToEndId: `e2e${name}`,
  partId: "M-T",
  amount: "10.00",
  currency: "TTD",
  standing: "waiting",
});

/** What becomes of the payments A and B of the file M, when the bank says this. */
function results(said: { group?: string; part?: string; partId?: string; lines?: string }) {
  const { group = "", part = "", partId = "M-T", lines = "" } = said;
  const file = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>B</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>M</OrgnlMsgId>${group}
</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><OrgnlPmtInfId>${partId}</OrgnlPmtInfId>${part}
${lines}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
  return judgeStatus(readStatusReport(Buffer.from(file)), [sent("A"), sent("B")]);
}

const GROUP = (status: string) => `<GrpSts>${status}</GrpSts>`;
const PART = (status: string) => `<PmtInfSts>${status}</PmtInfSts>`;
const DOUBLE = "<StsRsnInf><Rsn><Cd>DUPL</Cd></Rsn></StsRsnInf>";
const line = (name: string, status: string, more = "", instruction = "") =>
  `<TxInfAndSts>${instruction && `<OrgnlInstrId>${instruction}</OrgnlInstrId>`}` +
  `<OrgnlEndToEndId>e2e${name}</OrgnlEndToEndId><TxSts>${status}</TxSts>${more}</TxInfAndSts>\n`;
const settled = (sum: string, currency = "TTD") =>
  `<OrgnlTxRef><IntrBkSttlmAmt Ccy="${currency}">${sum}</IntrBkSttlmAmt></OrgnlTxRef>`;

describe("moves nothing", () => {
  const table: [how: string, said: Parameters<typeof results>[0], expected: string][] = [
    [
      "whole refused, part under way",
      { group: GROUP("RJCT"), part: PART("ACSP") },
      "A contradiction",
    ],
    [
      "whole refused, part unknown",
      { group: GROUP("RJCT"), part: PART("XXXX") },
      "A contradiction",
    ],
    [
      "whole under way, part refused",
      { group: GROUP("ACSP"), part: PART("RJCT") },
      "A contradiction",
    ],
    [
      "whole accepted, part settled",
      { group: GROUP("ACCP"), part: PART("ACSC") },
      "A contradiction",
    ],
    [
      "whole a double in part",
      { group: GROUP("PART") + DOUBLE, lines: line("A", "RJCT") },
      "A refused as a double",
    ],
    [
      "whole a double, without a status",
      { group: DOUBLE, lines: line("A", "RJCT") },
      "A refused as a double",
    ],
    [
      "part a double, without a status",
      { part: DOUBLE, lines: line("A", "RJCT") },
      "A refused as a double",
    ],
    [
      "whole a double, part refused",
      { group: DOUBLE, part: PART("RJCT") },
      "A refused as a double",
    ],
    ["A's name, B's id", { lines: line("A", "RJCT", "", "TT-01B") }, "A other payment"],
    [
      "A's name, B's id, and B is settled",
      { lines: line("A", "ACSC", "", "TT-01B") + line("B", "ACSC") },
      "B other payment",
    ],
    ["nobody's name, A's id", { lines: line("X", "RJCT", "", "TT-01A") }, "A other payment"],
    ["a part of another file", { partId: "N-T", lines: line("A", "RJCT") }, "A other payment"],
    ["another settled amount", { lines: line("A", "ACSC", settled("3.00")) }, "A other amount"],
    [
      "another settled currency",
      { lines: line("A", "ACSC", settled("10.00", "USD")) },
      "A other amount",
    ],
    ["a status in a comment", { lines: line("A", "<!--RJCT-->") }, "A unknown code"],
  ];
  for (const [how, said, expected] of table)
    test(how, () => {
      const findings = results(said);
      const short = findings.map((one) => `${one.transactionId?.slice(5) ?? ""} ${one.result}`);
      assert.ok(short.includes(expected), short.join(", "));
      assert.ok(!findings.some(({ result }) => result === "completed" || result === "failed"));
      assert.ok(findings.some(needsAPerson));
    });
});

test("what is plain moves: ids in other letters, sums that agree, and parts of a mixed file", () => {
  const ended = (said: Parameters<typeof results>[0]) => results(said).map(({ result }) => result);
  const full = line("A", "ACSC", settled("10.00"), "tt-01a");
  assert.deepEqual(ended({ lines: full }), ["completed"]);
  assert.deepEqual(ended({ partId: "", lines: line("A", "RJCT") }), ["failed"]);
  assert.deepEqual(ended({ group: GROUP("PART"), part: PART("RJCT") }), ["failed", "failed"]);
  assert.deepEqual(ended({ group: GROUP("ACCP"), lines: line("A", "ACSC") }), ["completed"]);
  assert.deepEqual(ended({ group: GROUP("ACSC"), part: PART("ACCC") }), ["completed", "completed"]);
});

test("the bank's own words are told to an operator, without whole numbers", () => {
  const because = `<StsRsnInf><Rsn><Prtry>X1</Prtry></Rsn><AddtlInf>Account 0012345678,
ID 19800101123 unknown</AddtlInf></StsRsnInf>`;
  const [finding] = results({ lines: line("A", "RJCT", because) });
  assert.equal(finding?.said, "RJCT X1: Account ****, ID **** unknown");
  assert.equal(finding.reason, "The bank refused it (X1): Account ****, ID **** unknown");
});
