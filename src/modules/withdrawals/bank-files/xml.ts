/**
 * XML as nested values: a name holds a text, the elements inside it, or several of either; what is
 * undefined is left out. A text with attributes is `{ "#": text, "@name": value }`.
 */

import { escapeXml } from "../../../kit/escape-xml.ts";

type Content = string | Element;

export interface Element {
  readonly [name: string]: Content | readonly Content[] | undefined;
}

/** One element a line, because people read these files when something is wrong. */
export function renderXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${linesIn(root, "").join("\n")}\n`;
}

function linesIn(parent: Element, indent: string): string[] {
  return Object.entries(parent)
    .filter(([name]) => !name.startsWith("@"))
    .flatMap(([name, value = []]) =>
      [value].flat().flatMap((content) => linesOf(name, content, indent)),
    );
}

function linesOf(name: string, content: Content, indent: string): string[] {
  const element: Element = typeof content === "string" ? { "#": content } : content;
  const attributes = Object.entries(element)
    .filter(([key]) => key.startsWith("@"))
    .map(([key, value]) => ` ${key.slice(1)}="${escapeXml(String(value))}"`);
  const open = `${indent}<${name}${attributes.join("")}>`;
  const text = element["#"];
  if (typeof text === "string") return [`${open}${escapeXml(text)}</${name}>`];
  return [open, ...linesIn(element, `${indent}  `), `${indent}</${name}>`];
}
