/** Where a line of SQL that is too long is broken: never inside quotes, outermost list first. */

export const COLUMNS_MAX = 100;

/** A string, a quoted name or a dollar-quoted body; the second group is the tag of the dollars. */
export const QUOTED = /('(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$.*?\$\2\$)/s;

/** On one line when it fits; otherwise the second part goes below, further in. */
export function inTwoParts(first: string, second: string, indent = ""): string {
  const oneLine = `${indent}${first} ${second}`;
  if (oneLine.length < COLUMNS_MAX) return oneLine;
  return `${indent}${first}\n${brokenAt(/ (?=(?:and|or) )/g, `${indent}  ${second}`)}`;
}

/** A new line, further in, before each of the words that stands outside of quotes. */
export function brokenBefore(words: RegExp, text: string): string {
  const starts = [...outermost(text).matchAll(words)].map(({ index }) => index);
  const parts = [0, ...starts].map((start, index) => text.slice(start, starts[index]).trim());
  return parts.join("\n  ");
}

/** One line for each part of what stands in the first parentheses, unless the whole fits. */
export function brokenAt(separator: RegExp, line: string): string {
  const mask = outermost(line);
  const open = mask.indexOf("(") + 1;
  const close = mask.indexOf(")", open);
  if (line.length < COLUMNS_MAX || open === 0 || close === -1) return line;

  const indent = `\n${/^ */.exec(line)?.[0] ?? ""}`;
  const inner = [...mask.matchAll(separator)].map(({ index }) => index);
  const starts = [open, ...inner.filter((index) => index > open && index < close)];
  const parts = starts.map((start, index) => line.slice(start, starts[index + 1] ?? close).trim());
  const list = parts.map((part) => `${indent}  ${part}`).join("");
  return `${line.slice(0, open)}${list}${indent}${line.slice(close)}`;
}

/** The line with quotes and inner parentheses blotted out; every position stays what it was. */
function outermost(line: string): string {
  const blot = (text: string) => "x".repeat(text.length);
  const unquoted = line.replace(new RegExp(QUOTED, "gs"), blot);
  let [depth, mask] = [0, ""];
  for (const character of unquoted) {
    if (character === ")") depth -= 1;
    const isInner = depth > 1 || (depth === 1 && "()".includes(character));
    mask += isInner ? blot(character) : character;
    if (character === "(") depth += 1;
  }
  return mask;
}
