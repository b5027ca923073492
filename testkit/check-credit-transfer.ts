/**
 * Whether a file is what a bank takes as `pain.001.001.09`: its structure by the table next door,
 * and what the standard says beside its schema: counts, control sums, ids that are not used twice.
 */

import { readXml, type XmlElement } from "../src/kit/read-xml.ts";
import { ATTRIBUTES, COMPLEX, SIMPLE } from "./credit-transfer-rules.ts";

const LIMITS = { depthMax: 50, elementsMax: 500_000, attributesMax: 100 };
const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";

interface Rule {
  readonly type: string;
  /** Where the element stands, as in `Document/CstmrCdtTrfInitn`. */
  readonly path: string;
}

/** What is wrong with it, a sentence each; none when it is right. */
export function mistakesIn(file: string): string[] {
  const mistakes: string[] = [];
  if (!file.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n'))
    mistakes.push("it does not begin with its declaration");
  const { root } = readXml(file, LIMITS);
  if (root.local !== "Document") return ["its root is not Document"];
  checkComplex(root, { type: "Document", path: "Document" }, mistakes);
  if (mistakes.length === 0) checkSums(root, mistakes);
  return mistakes;
}

function check(element: XmlElement, { type, path }: Rule, mistakes: string[]): void {
  const pattern = SIMPLE[type];
  if (pattern === undefined) {
    checkComplex(element, { type, path }, mistakes);
    return;
  }
  const text = element.text;
  if (element.uri !== NAMESPACE) mistakes.push(`${path} is of another namespace`);
  if (element.children.length > 0 || !pattern.test(text))
    mistakes.push(`${path} is not ${type}: ${text}`);
  checkAttributes(element, { type, path }, mistakes);
}

function checkAttributes(element: XmlElement, { type, path }: Rule, mistakes: string[]): void {
  const allowed = ATTRIBUTES[type] ?? {};
  for (const [name, kind] of Object.entries(allowed))
    if (!SIMPLE[kind]?.test(element.attributes.get(name) ?? ""))
      mistakes.push(`${path} has no right ${name}`);
  for (const name of element.attributes.keys())
    if (!(name in allowed) && name !== "xmlns") mistakes.push(`${path} has ${name}`);
}

/** Goes along the parts and the children together, so that the order counts. */
function checkComplex(element: XmlElement, { type, path }: Rule, mistakes: string[]): void {
  if (element.uri !== NAMESPACE) mistakes.push(`${path} is of another namespace`);
  const { parts = [], choice } = COMPLEX[type] ?? {};
  const { children } = element;
  if (parts.length === 0) mistakes.push(`${path}: there is no rule ${type}`);
  if (children.length === 0) mistakes.push(`${path} is empty`);
  if (choice && children.length !== 1) mistakes.push(`${path} has not exactly one of a choice`);
  let at = 0;
  for (const [name, min, max, inside] of parts) {
    let found = 0;
    for (let child = children[at]; child?.local === name; child = children[++at]) {
      check(child, { type: inside, path: `${path}/${name}` }, mistakes);
      found++;
    }
    if (found > max || (!choice && found < min)) mistakes.push(`${path} has ${found} ${name}`);
  }
  const extra = children[at];
  if (extra !== undefined) mistakes.push(`${path} has ${extra.local} where it may not stand`);
  checkAttributes(element, { type, path }, mistakes);
}

function checkSums(root: XmlElement, mistakes: string[]): void {
  const payments = all(root, "CdtTrfTxInf");
  const head = all(root, "GrpHdr")[0];
  for (const [place, inside] of [
    [head, payments],
    ...all(root, "PmtInf").map((part) => [part, all(part, "CdtTrfTxInf")] as const),
  ] as const) {
    if (place === undefined) continue;
    if (first(place, "NbOfTxs") !== String(inside.length))
      mistakes.push(`${place.local}: NbOfTxs is ${first(place, "NbOfTxs")} of ${inside.length}`);
    const sum = inside.reduce((total, one) => total + cents(first(one, "InstdAmt")), 0n);
    if (cents(first(place, "CtrlSum")) !== sum)
      mistakes.push(`${place.local}: CtrlSum is ${first(place, "CtrlSum")}`);
  }
  for (const name of ["EndToEndId", "InstrId", "PmtInfId"]) {
    const ids = all(root, name).map((one) => one.text);
    if (new Set(ids).size < ids.length) mistakes.push(`${name} is used twice`);
  }
  const currencies = all(root, "InstdAmt").map((one) => one.attributes.get("Ccy"));
  if (new Set(currencies).size > 1) mistakes.push("there is more than one currency");
}

function cents(amount: string): bigint {
  return BigInt(amount.replace(".", ""));
}

function all(element: XmlElement, name: string): XmlElement[] {
  const here = element.children.filter(({ local, uri }) => local === name && uri === NAMESPACE);
  return [...here, ...element.children.flatMap((child) => all(child, name))];
}

function first(element: XmlElement, name: string): string {
  return all(element, name)[0]?.text ?? "";
}
