/**
 * The bank's answer to a file: ISO 20022 `pain.002`, as far as it tells what became of payments
 * (Decision 0049). This reads; what follows from it is judged elsewhere.
 *
 * The rule that matters: a file comes from outside, however friendly. It must be UTF-8, not large,
 * without a document type, which is where XML's traps are (entities that grow, files of ours that
 * are read), well-formed to the last character, and of the namespace that we know.
 */

import { DOMParser, type Element, type Node } from "@xmldom/xmldom";
import { ServiceError } from "../../../kit/errors.ts";

/** As many payments as one of our files has take a twentieth of it. */
export const STATUS_FILE_BYTES_MAX = 8 * 1024 * 1024;

/** From the third edition on, all that is read here has the same names and places. */
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:pain\.002\.001\.(?:0[3-9]|1[0-4])$/;
const ANSWERED_MESSAGE = /^pain\.001(?:\.|$)/i;

export class BadStatusFile extends ServiceError {
  constructor(message: string) {
    super({ status: 400, code: "bad_status_file", message: `${message} Nothing was changed.` });
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

export interface PaymentVerdict extends Verdict {
  readonly endToEndId: string;
  /** As the bank repeats them, if it does. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
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
  const namespace = root.namespaceURI ?? "";
  if (root.localName !== "Document" || !NAMESPACE.test(namespace))
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
    parts: childrenOf(report, "OrgnlPmtInfAndSts").map((part) => ({
      ...verdictOf(part, "PmtInfSts"),
      partId: textIn(part, "OrgnlPmtInfId"),
      payments: childrenOf(part, "TxInfAndSts").map(paymentVerdict),
    })),
  };
}

function paymentVerdict(at: Element): PaymentVerdict {
  const [amount] = childrenOf(at, "OrgnlTxRef")
    .flatMap((original) => childrenOf(original, "Amt"))
    .flatMap((one) => childrenOf(one, "InstdAmt"));
  return {
    ...verdictOf(at, "TxSts"),
    endToEndId: textIn(at, "OrgnlEndToEndId"),
    amount: amount === undefined ? undefined : textOf(amount),
    currency: amount?.getAttribute("Ccy") ?? undefined,
  };
}

function verdictOf(at: Element, statusName: string): Verdict {
  const reasons = childrenOf(at, "StsRsnInf");
  const codes = reasons
    .flatMap((one) => childrenOf(one, "Rsn"))
    .flatMap((one) => [...childrenOf(one, "Cd"), ...childrenOf(one, "Prtry")]);
  return {
    line: at.lineNumber ?? 0,
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
  return text;
}

/** The library mends what it can and calls that a warning; here the smallest one is the end. */
function parse(text: string): Element {
  let complaint = "nothing is in it";
  const parser = new DOMParser({
    onError(_level, message) {
      complaint = message;
      throw new Error(message);
    },
  });
  try {
    const root = parser.parseFromString(text, "text/xml").documentElement;
    if (root !== null) return root;
  } catch {
    // The complaint says it in one sentence.
  }
  const said = complaint.split("\n")[0] ?? "";
  throw new BadStatusFile(`The file is not well-formed XML: ${said.slice(0, 200)}.`);
}

function childrenOf(parent: Element, name: string): Element[] {
  const found: Element[] = [];
  // Along the chain: an index into the list is looked up from its beginning each time.
  for (let child: Node | null = parent.firstChild; child !== null; child = child.nextSibling)
    if (isElement(child) && child.localName === name && child.namespaceURI === parent.namespaceURI)
      found.push(child);
  return found;
}

function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE;
}

function demand(parent: Element, name: string): Element {
  const [found, second] = childrenOf(parent, name);
  if (found === undefined) throw new BadStatusFile(`The file has no ${name}.`);
  if (second !== undefined) throw new BadStatusFile(`The file has more than one ${name}.`);
  return found;
}

/** The empty text when there is none; of several the first, which the schema forbids. */
function textIn(parent: Element, name: string): string {
  const [found] = childrenOf(parent, name);
  return found === undefined ? "" : textOf(found);
}

/** What is read has no elements inside; and no signs that nobody writes. */
function textOf(element: Element): string {
  let text = "";
  for (let child: Node | null = element.firstChild; child !== null; child = child.nextSibling)
    if (!isElement(child)) text += child.nodeValue ?? "";
  if (/\p{Cc}/u.test(text.replace(/[\t\r\n]/g, "")))
    throw new BadStatusFile(`${element.localName} has a control character in it.`);
  return text.replace(/\s+/gu, " ").trim();
}
