/**
 * Elements as values, and their text. Written by hand because it is three expressions; reading XML,
 * which is not, is a library's (`status-report.ts`).
 */

import { escapeXml } from "../../../kit/escape-xml.ts";

export interface Element {
  readonly name: string;
  readonly content: string | readonly Element[];
  readonly attributes: Readonly<Record<string, string>>;
}

/** Text, or the elements inside; what is undefined is left out. */
export function element(
  name: string,
  content: string | readonly (Element | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): Element {
  const inside = typeof content === "string" ? content : content.filter((one) => one !== undefined);
  return { name, content: inside, attributes };
}

/** An element a line, because people look into these files when something is wrong. */
export function renderXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${linesOf(root, "").join("\n")}\n`;
}

function linesOf({ name, content, attributes }: Element, indent: string): string[] {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const open = `${indent}<${name}${named.join("")}>`;
  if (typeof content === "string") return [`${open}${escapeXml(content)}</${name}>`];
  const inside = content.flatMap((one) => linesOf(one, `${indent}  `));
  return [open, ...inside, `${indent}</${name}>`];
}
