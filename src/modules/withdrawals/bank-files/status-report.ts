/**
 * The bank's answer to a file: ISO 20022 `pain.002`, as far as it says what became of payments
 * (Decision 0049). This reads; what follows from it is judged elsewhere.
 *
 * The file is untrusted input. It must be UTF-8, not large, not deep, without a document type,
 * which is where XML's traps are (entities that grow, files of ours that are read), well-formed,
 * and of the namespace that we know. What may stand once and stands twice makes the whole file
 * unreadable: which of the two counts would be chance.
 */

import { OperatorError } from "../../../kit/errors.ts";
import { BadXml, CONTROL_CHARACTER, readXml, type XmlElement } from "../../../kit/read-xml.ts";

/** As many payments as one of our files has take a twentieth of it. */
export const STATUS_FILE_BYTES_MAX = 8 * 1024 * 1024;

/** A status report has a dozen levels and thirty elements for each payment. */
const LIMITS = { depthMax: 50, elementsMax: 500_000, attributesMax: 100 };

/** From the third edition on, all that is read here has the same names and places. */
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.(?:0[3-9]|1[0-4])$/;
const ANSWERED_MESSAGE = /^pain\.001(?:\.|$)/i;

export class BadStatusFile extends OperatorError {
  constructor(message: string) {
    super(`${message} Nothing was changed.`);
  }
}

/** What is said of a payment, or of many at once. */
export interface Verdict {
  /** Where it stands in the file. */
  readonly line: number;
  /** `ACSC`, `RJCT` and so on; the empty text when there is none. */
  readonly status: string;
  readonly reasonCodes: readonly string[];
  readonly reasonText: string;
}

export interface Sum {
  readonly amount: string;
  readonly currency: string | undefined;
}

/** Ids are the empty text and sums undefined where the bank does not repeat them. */
export interface PaymentVerdict extends Verdict {
  readonly endToEndId: string;
  readonly instructionId: string;
  /** Of the part that the line stands in. */
  readonly partId: string;
  readonly sum: Sum | undefined;
  /** What went from bank to bank. */
  readonly settled: Sum | undefined;
}

interface PartVerdict extends Verdict {
  readonly partId: string;
  readonly payments: readonly PaymentVerdict[];
}

export interface StatusReport {
  readonly messageId: string;
  readonly originalMessageId: string;
  readonly all: Verdict;
  readonly parts: readonly PartVerdict[];
}

export function readStatusReport(bytes: Buffer): StatusReport {
  const root = parse(decode(bytes));
  const namespace = root.uri ?? "";
  if (root.local !== "Document" || !NAMESPACE.test(namespace))
    throw new BadStatusFile("The file is not a payment status report (pain.002.001).");
  const report = demand(root, "CstmrPmtStsRpt");
  const about = demand(report, "OrgnlGrpInfAndSts");
  const answered = textIn(about, "OrgnlMsgNmId");
  if (answered !== "" && !ANSWERED_MESSAGE.test(answered))
    throw new BadStatusFile("The file answers something else than payments (pain.001).");
  return {
    messageId: textIn(demand(report, "GrpHdr"), "MsgId"),
    originalMessageId: textOf(demand(about, "OrgnlMsgId")),
    all: verdictOf(about, "GrpSts"),
    parts: childrenOf(report, "OrgnlPmtInfAndSts").map(partVerdict),
  };
}

function partVerdict(at: XmlElement): PartVerdict {
  const partId = textIn(at, "OrgnlPmtInfId");
  return {
    ...verdictOf(at, "PmtInfSts"),
    partId,
    payments: childrenOf(at, "TxInfAndSts").map((one) => paymentVerdict(one, partId)),
  };
}

function paymentVerdict(at: XmlElement, partId: string): PaymentVerdict {
  const original = onlyIn(at, "OrgnlTxRef");
  return {
    ...verdictOf(at, "TxSts"),
    endToEndId: textIn(at, "OrgnlEndToEndId"),
    instructionId: textIn(at, "OrgnlInstrId"),
    partId,
    sum: sumOf(onlyIn(onlyIn(original, "Amt"), "InstdAmt")),
    settled: sumOf(onlyIn(original, "IntrBkSttlmAmt")),
  };
}

function sumOf(at: XmlElement | undefined): Sum | undefined {
  if (at === undefined) return undefined;
  return { amount: textOf(at), currency: at.attributes.get("Ccy") };
}

function verdictOf(at: XmlElement, statusName: string): Verdict {
  const reasons = childrenOf(at, "StsRsnInf");
  const codes = reasons
    .flatMap((one) => childrenOf(one, "Rsn"))
    .flatMap((one) => [...childrenOf(one, "Cd"), ...childrenOf(one, "Prtry")]);
  return {
    line: at.line,
    status: textIn(at, statusName),
    reasonCodes: codes.map(textOf).filter((code) => code !== ""),
    reasonText: reasons
      .flatMap((one) => childrenOf(one, "AddtlInf"))
      .map(textOf)
      .join(" ")
      .trim(),
  };
}

function decode(bytes: Buffer): string {
  if (bytes.length > STATUS_FILE_BYTES_MAX)
    throw new BadStatusFile(`The file is larger than ${STATUS_FILE_BYTES_MAX} bytes.`);
  let text: string;
  try {
    // A byte order mark is taken off.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BadStatusFile("The file is not UTF-8.");
  }
  const [, declared = "utf-8"] = /^<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)/.exec(text) ?? [];
  if (!/^(?:utf-8|us-ascii)$/i.test(declared))
    throw new BadStatusFile("The file says that it is not UTF-8.");
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new BadStatusFile("The file has a document type, which a status report never has.");
  if (/^<\?xml[^>]*\bversion\s*=\s*["'](?!1\.0["'])/.test(text))
    throw new BadStatusFile("The file is not XML 1.0.");
  return text;
}

function parse(text: string): XmlElement {
  try {
    const { root } = readXml(text, LIMITS);
    demandNamespaces(root);
    return root;
  } catch (error) {
    if (!(error instanceof BadXml)) throw error;
    const { message, isTooMuch } = error;
    if (isTooMuch) throw new BadStatusFile(`The file ${message}.`);
    if (message === CONTROL_CHARACTER) throw new BadStatusFile(`The file has ${message} in it.`);
    throw new BadStatusFile(`The file is not well-formed XML: ${message.slice(0, 200)}.`);
  }
}

function demandNamespaces({ name, uri, children }: XmlElement): void {
  if (uri === undefined && name.includes(":"))
    throw new BadStatusFile(
      `The file is not well-formed XML: the prefix of ${name.slice(0, 100)} is not declared.`,
    );
  for (const child of children) demandNamespaces(child);
}

function childrenOf(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter(({ local, uri }) => local === name && uri === parent.uri);
}

function demand(parent: XmlElement, name: string): XmlElement {
  const found = onlyIn(parent, name);
  if (found === undefined) throw new BadStatusFile(`The file has no ${name}.`);
  return found;
}

/** Where there may be one; the schema forbids a second. */
function onlyIn(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  if (parent === undefined) return undefined;
  const [found, second] = childrenOf(parent, name);
  if (second === undefined) return found;
  const where = second.line;
  throw new BadStatusFile(`The file has more than one ${name} where one may be, line ${where}.`);
}

/** The empty text when there is none. */
function textIn(parent: XmlElement, name: string): string {
  const found = onlyIn(parent, name);
  return found === undefined ? "" : textOf(found);
}

/** What is read has no elements inside and no control characters; comments do not count. */
function textOf({ local, text }: XmlElement): string {
  if (/\p{Cc}/u.test(text.replace(/[\t\r\n]/g, "")))
    throw new BadStatusFile(`${local} has a control character in it.`);
  return text.replace(/\s+/gu, " ").trim();
}
