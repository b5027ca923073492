/**
 * The guarantee: a status file is read whole and right, or refused in words; nothing that XML can
 * do to a reader is done to this one.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { BadStatusFile, readStatusReport, STATUS_FILE_BYTES_MAX } from "./status-report.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.002.001.10";

function file(inside: string, { namespace = NAMESPACE, id = "TT-TTD-1", head = "" } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${head}
<Document xmlns="${namespace}"><CstmrPmtStsRpt><GrpHdr><MsgId>B1</MsgId></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId></OrgnlGrpInfAndSts>
${inside}</CstmrPmtStsRpt></Document>`;
}

const read = (text: string | Buffer) => readStatusReport(Buffer.from(text));

const PAYMENTS = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>P1</OrgnlPmtInfId>
<TxInfAndSts><OrgnlInstrId>I1</OrgnlInstrId><OrgnlEndToEndId>E1</OrgnlEndToEndId><TxSts>RJCT</TxSts>
<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Closed
 account</AddtlInf><AddtlInf>since May</AddtlInf></StsRsnInf>
<OrgnlTxRef><IntrBkSttlmAmt Ccy="TTD">9.00</IntrBkSttlmAmt>
<Amt><InstdAmt Ccy="TTD">10.00</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>E2</OrgnlEndToEndId><TxSts> ACSC </TxSts></TxInfAndSts>
</OrgnlPmtInfAndSts>`;

test("everything that is said of a payment is read, with its line", () => {
  const { originalMessageId, messageId, all, parts } = read(file(PAYMENTS));
  assert.deepEqual([originalMessageId, messageId, all.status], ["TT-TTD-1", "B1", ""]);
  const [part] = parts;
  assert.deepEqual([parts.length, part?.partId, part?.status], [1, "P1", ""]);
  assert.deepEqual(part?.payments, [
    {
      line: 5,
      endToEndId: "E1",
      instructionId: "I1",
      partId: "P1",
      status: "RJCT",
      reasonCodes: ["AC04"],
      reasonText: "Closed account since May",
      sum: { amount: "10.00", currency: "TTD" },
      settled: { amount: "9.00", currency: "TTD" },
    },
    {
      line: 10,
      endToEndId: "E2",
      instructionId: "",
      partId: "P1",
      status: "ACSC",
      reasonCodes: [],
      reasonText: "",
      sum: undefined,
      settled: undefined,
    },
  ]);
});

test("prefixes, older and newer editions, CDATA and a byte order mark are all the same to it", () => {
  const prefixed = file(PAYMENTS)
    .replace("xmlns=", "xmlns:b=")
    .replace(/<(\/?)(?=[A-Z])/g, "<$1b:");
  const same = [
    prefixed,
    file(PAYMENTS, { namespace: NAMESPACE.replace("10", "03") }),
    file(PAYMENTS, { namespace: NAMESPACE.replace("10", "14") }),
    file(PAYMENTS.replace(">E1<", "><![CDATA[E1]]><")),
    `\ufeff${file(PAYMENTS)}`,
  ];
  const wanted = JSON.stringify(read(file(PAYMENTS)).parts);
  for (const text of same) assert.equal(JSON.stringify(read(text).parts), wanted);
});

test("elements of another namespace are not taken for the bank's", () => {
  const foreign = PAYMENTS.replace("<TxSts>RJCT<", '<TxSts xmlns="urn:evil">ACSC<');
  const [part] = read(file(foreign)).parts;
  assert.equal(part?.payments[0]?.status, "");
});

test("what is no status file is refused in words", () => {
  const lol = '<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>';
  const outside = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const cases: [text: string | Buffer, words: RegExp][] = [
    ["", /not well-formed XML/],
    ["pain", /not well-formed XML/],
    [file(PAYMENTS).slice(0, -5), /not well-formed XML/],
    [file("<a>"), /not well-formed XML: <\/CstmrPmtStsRpt> closes another tag\./],
    [file("<a b=1/>"), /not well-formed XML/],
    [file("<x:a/>"), /not well-formed XML/],
    [`${file("")}<more/>`, /not well-formed XML/],
    [file("&b;", { head: lol }), /has a document type/],
    [file("", { head: outside, id: "&x;" }), /has a document type/],
    [file("", { head: "<!doctype html>" }), /has a document type/],
    [file("", { id: "&x;" }), /not well-formed XML: an entity that is not one of the five\./],
    [file("", { id: "a&#0;b" }), /has a control character/],
    [file("", { id: "a&#133;b" }), /OrgnlMsgId has a control character/],
    [file("<a>&#x1F;</a>"), /has a control character/],
    [file("<a>\u0001</a>"), /has a control character/],
    [file("<a>&#xFFFFFFF;</a>"), /has a control character/],
    [file("").replace('version="1.0"', "version='1.1'"), /is not XML 1\.0/],
    [file("<!-- "), /not well-formed XML/],
    [file("", { namespace: "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09" }), /is not a payment/],
    [file("", { namespace: "urn:iso:std:iso:20022:tech:xsd:pain.002.001.02" }), /is not a payment/],
    [file("", { namespace: "" }), /is not a payment status report/],
    [file("").replaceAll("CstmrPmtStsRpt", "Other"), /has no CstmrPmtStsRpt/],
    [file("").replace(/<OrgnlGrpInfAndSts>.*/, ""), /has no OrgnlGrpInfAndSts/],
    [file("").replace(/(<OrgnlGrpInfAndSts>.*)/, "$1$1"), /more than one OrgnlGrpInfAndSts/],
    [
      file("").replace("</OrgnlMsgId>", "$&<OrgnlMsgNmId>pain.008</OrgnlMsgNmId>"),
      /something else/,
    ],
    [file("").replace("UTF-8", "ISO-8859-1"), /says that it is not UTF-8/],
    [Buffer.from(file("", { id: "é" }), "latin1"), /is not UTF-8/],
    [Buffer.from(file(""), "utf16le"), /is not UTF-8|has a control character/],
    [Buffer.alloc(STATUS_FILE_BYTES_MAX + 1, " "), /is larger than/],
  ];
  for (const [text, words] of cases)
    assert.throws(
      () => read(text),
      (error) => {
        assert(error instanceof BadStatusFile, String(error));
        assert.match(error.message, words);
        assert.match(error.message, /Nothing was changed\.$/);
        return true;
      },
    );
});

test("a file with a byte changed, dropped or doubled is read or refused, and never breaks it", () => {
  const bytes = Buffer.from(file(PAYMENTS));
  fc.assert(
    fc.property(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom("change", "drop", "double"),
      (at, byte, how) => {
        const middle = how === "change" ? [byte] : how === "drop" ? [] : [bytes[at] ?? 0, byte];
        const changed = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(middle),
          bytes.subarray(at + 1),
        ]);
        try {
          readStatusReport(changed);
        } catch (error) {
          assert(error instanceof BadStatusFile, String(error));
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("what may stand once is read once: of two nobody knows which is meant", () => {
  const one = (inside: string) =>
    file(`<OrgnlPmtInfAndSts><TxInfAndSts>${inside}</TxInfAndSts></OrgnlPmtInfAndSts>`);
  const sum = (text: string) => `<InstdAmt Ccy="TTD">${text}</InstdAmt>`;
  const doubled: [text: string, name: string][] = [
    [one("<TxSts>RJCT</TxSts><TxSts>ACSC</TxSts>"), "TxSts"],
    [one("<OrgnlEndToEndId>A</OrgnlEndToEndId>".repeat(2)), "OrgnlEndToEndId"],
    [one("<OrgnlInstrId>A</OrgnlInstrId>".repeat(2)), "OrgnlInstrId"],
    [one(`<OrgnlTxRef><Amt>${sum("10.00")}${sum("99.00")}</Amt></OrgnlTxRef>`), "InstdAmt"],
    [one("<OrgnlTxRef/><OrgnlTxRef/>"), "OrgnlTxRef"],
    [file("").replace("</OrgnlMsgId>", `$&${"<GrpSts>RJCT</GrpSts>".repeat(2)}`), "GrpSts"],
    [file(PAYMENTS.replace(/<OrgnlPmtInfId>.*/, "$&$&")), "OrgnlPmtInfId"],
  ];
  for (const [text, name] of doubled)
    assert.throws(() => read(text), { message: new RegExp(`more than one ${name} where one may`) });
});

test("a comment or an instruction to a program is not what the bank says", () => {
  const hidden = PAYMENTS.replace(">RJCT<", "><!--RJCT--><?RJCT RJCT?><").replace(
    "> ACSC <",
    ">AC<!-- no -->SC<",
  );
  const [part] = read(file(hidden)).parts;
  assert.deepEqual(
    part?.payments.map(({ status }) => status),
    ["", "ACSC"],
  );
});

describe("what costs the reader much is refused before it is parsed", () => {
  const nested = (count: number, tag: string) => tag.repeat(count) + "</a>".repeat(count);
  const table: [how: string, text: string, words: RegExp][] = [
    ["depth", file(nested(20_000, "<a>")), /nested more than 50 levels deep/],
    ["namespaces in depth", file(nested(8_000, '<a xmlns:b="c">')), /nested more than 50/],
    ["ends of tags in quotes", file(nested(8_000, '<a xmlns:b="/>">')), /nested more than 50/],
    ["namespaces in width", file('<a xmlns:b="c"/>'.repeat(400_000)), /more than 5000 namespaces/],
    ["comments without an end", file("<!--".repeat(1_000_000)), /not well-formed/],
    ["tags without an end", file("<a ".repeat(1_000_000)), /not well-formed/],
    ["quotes without an end", file(`<a ${'b="" '.repeat(1_000_000)}`), /not well-formed/],
  ];
  for (const [how, text, words] of table)
    test(how, () => {
      const began = performance.now();
      assert.throws(() => read(text), { message: words });
      assert.ok(performance.now() - began < 2_000);
    });

  test("and what is only long or as deep as reports are is read", () => {
    read(file(nested(47, '<a b=">">')));
    read(file("<a/>".repeat(50_000)));
    read(file('<!-- <a> --><![CDATA[<a>]]><?a <a> ?><a xmlns:b="c"/>'.repeat(2_000)));
  });
});
