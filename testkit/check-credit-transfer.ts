/**
 * Whether a file is what a bank takes as `pain.001.001.09`: its structure by the table next door,
 * and what the standard says beside its schema: counts, control sums, ids that are not used twice.
 */

import { DOMParser, type Element, type Node } from "@xmldom/xmldom";
import { ATTRIBUTES, COMPLEX, SIMPLE } from "./credit-transfer-rules.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";

/** What is wrong with it, a sentence each; none when it is right. */
export function mistakesIn(file: string): string[] {
  const mistakes: string[] = [];
  if (!file.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n'))
    mistakes.push("it does not begin with its declaration");
  const onError = (_level: string, message: string) => {
    throw new Error(message);
  };
  const root = new DOMParser({ onError }).parseFromString(file, "text/xml").documentElement;
  if (root === null || root.localName !== "Document") return ["its root is not Document"];
  checkComplex(root, "Document", mistakes);
  if (mistakes.length === 0) checkSums(root, mistakes);
  return mistakes;
}

function check(element: Element, type: string, mistakes: string[]): void {
  const path = pathOf(element);
  const pattern = SIMPLE[type];
  if (pattern === undefined) {
    checkComplex(element, type, mistakes);
    return;
  }
  const text = element.textContent ?? "";
  if (element.namespaceURI !== NAMESPACE) mistakes.push(`${path} is of another namespace`);
  if (childrenOf(element).length > 0 || !pattern.test(text))
    mistakes.push(`${path} is not ${type}: ${text}`);
  checkAttributes(element, type, mistakes);
}

function checkAttributes(element: Element, type: string, mistakes: string[]): void {
  const allowed = ATTRIBUTES[type] ?? {};
  for (const [name, kind] of Object.entries(allowed))
    if (!SIMPLE[kind]?.test(element.getAttribute(name) ?? ""))
      mistakes.push(`${pathOf(element)} has no right ${name}`);
  for (const { name } of [...element.attributes])
    if (!(name in allowed) && name !== "xmlns") mistakes.push(`${pathOf(element)} has ${name}`);
}

/** Goes along the parts and the children together, so that the order counts. */
function checkComplex(element: Element, type: string, mistakes: string[]): void {
  const path = pathOf(element);
  if (element.namespaceURI !== NAMESPACE) mistakes.push(`${path} is of another namespace`);
  const { parts = [], choice } = COMPLEX[type] ?? {};
  const children = childrenOf(element);
  if (parts.length === 0) mistakes.push(`${path}: there is no rule ${type}`);
  if (children.length === 0) mistakes.push(`${path} is empty`);
  if (choice && children.length !== 1) mistakes.push(`${path} has not exactly one of a choice`);
  let at = 0;
  for (const [name, min, max, inside] of parts) {
    let found = 0;
    for (let child = children[at]; child?.localName === name; child = children[++at]) {
      check(child, inside, mistakes);
      found++;
    }
    if (found > max || (!choice && found < min)) mistakes.push(`${path} has ${found} ${name}`);
  }
  const extra = children[at];
  if (extra !== undefined) mistakes.push(`${path} has ${extra.localName} where it may not stand`);
  checkAttributes(element, type, mistakes);
}

function checkSums(root: Element, mistakes: string[]): void {
  const payments = all(root, "CdtTrfTxInf");
  const head = all(root, "GrpHdr")[0];
  for (const [place, inside] of [
    [head, payments],
    ...all(root, "PmtInf").map((part) => [part, all(part, "CdtTrfTxInf")] as const),
  ] as const) {
    if (place === undefined) continue;
    if (first(place, "NbOfTxs") !== String(inside.length))
      mistakes.push(`${pathOf(place)}: NbOfTxs is ${first(place, "NbOfTxs")} of ${inside.length}`);
    const sum = inside.reduce((total, one) => total + cents(first(one, "InstdAmt")), 0n);
    if (cents(first(place, "CtrlSum")) !== sum)
      mistakes.push(`${pathOf(place)}: CtrlSum is ${first(place, "CtrlSum")}`);
  }
  for (const name of ["EndToEndId", "InstrId", "PmtInfId"]) {
    const ids = all(root, name).map((one) => one.textContent);
    if (new Set(ids).size < ids.length) mistakes.push(`${name} is used twice`);
  }
  const currencies = all(root, "InstdAmt").map((one) => one.getAttribute("Ccy"));
  if (new Set(currencies).size > 1) mistakes.push("there is more than one currency");
}

function cents(amount: string): bigint {
  return BigInt(amount.replace(".", ""));
}

function all(element: Element, name: string): Element[] {
  return [...element.getElementsByTagNameNS(NAMESPACE, name)];
}

function first(element: Element, name: string): string {
  return all(element, name)[0]?.textContent ?? "";
}

function childrenOf(element: Element): Element[] {
  return [...element.childNodes].filter((node): node is Element => node.nodeType === 1);
}

function pathOf(element: Element): string {
  const names: string[] = [];
  for (let at: Node | null = element; at !== null && at.nodeType === 1; at = at.parentNode)
    names.unshift((at as Element).localName ?? "?");
  return names.join("/");
}
