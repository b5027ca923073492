/**
 * What is looked for in a status file before a library parses it, because the library takes it:
 * characters that XML does not have, and namespaces declared over and over, level in level, which
 * cost it the square of their number.
 *
 * The rule that matters: one pass, and whatever is not closed is refused here, so nothing that
 * follows it is left unlooked at.
 */

/** A status report has a dozen levels. */
const DEPTH_MAX = 50;
/** Ten for each payment of our largest file. */
const NAMESPACES_MAX = 5_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const NO_CHARACTER = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const REFERENCE = /&#(?:x([0-9a-f]+)|([0-9]+));/gi;
const OTHER_VERSION = /^<\?xml[^>]*\bversion\s*=\s*["'](?!1\.0["'])/;

/** As the end of "The file …", or undefined when there is none. */
export function findXmlTrap(text: string): string | undefined {
  if (OTHER_VERSION.test(text)) return "is not XML 1.0";
  if (NO_CHARACTER.test(text)) return "has a control character in it";
  for (const [, hex, decimal = ""] of text.matchAll(REFERENCE)) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code > 0x10ffff || NO_CHARACTER.test(String.fromCodePoint(code)))
      return "has a control character in it";
  }
  return findTooMuch(text);
}

const CLOSED_BY: readonly (readonly [opening: string, closing: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
];
/** A sign that ends a tag may stand inside the quotes of an attribute. */
const TAG = /<[^"'<>]*(?:"[^"]*"[^"'<>]*|'[^']*'[^"'<>]*)*>/y;

function findTooMuch(text: string): string | undefined {
  let depth = 0;
  let namespaces = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const closed = CLOSED_BY.find(([opening]) => text.startsWith(opening, at));
    if (closed !== undefined) {
      const end = text.indexOf(closed[1], at + closed[0].length);
      if (end === -1) return "is not well-formed XML: something is not closed";
      at = end + closed[1].length;
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(text)?.[0];
    if (tag === undefined) return "is not well-formed XML: a tag is not closed";
    at += tag.length;
    namespaces += tag.split("xmlns").length - 1;
    if (tag.startsWith("</")) depth -= 1;
    else if (!tag.endsWith("/>")) depth += 1;
    if (depth > DEPTH_MAX) return `is nested more than ${DEPTH_MAX} levels deep`;
    if (namespaces > NAMESPACES_MAX) return `declares more than ${NAMESPACES_MAX} namespaces`;
  }
  return undefined;
}
