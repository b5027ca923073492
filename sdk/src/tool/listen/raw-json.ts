/**
 * Parts of a JSON text as they were written, byte for byte: what is signed is the text, and parsing
 * and writing it again may change it. The text is valid JSON.
 */

/** The values of an array, or the `"name": value` pairs of an object. */
export function elementsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === "[" || character === "{") {
      depth += 1;
      if (depth === 1) begin = at + 1;
    } else if (character === "]" || character === "}") {
      depth -= 1;
      if (depth === 0) parts.push(text.slice(begin, at));
    } else if (character === "," && depth === 1) {
      parts.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The value of an object's member; undefined when it has none of that name. */
export function memberOf(text: string, name: string): string | undefined {
  for (const pair of elementsOf(text)) {
    const end = endOfString(pair, 0) + 1;
    if (JSON.parse(pair.slice(0, end)) !== name) continue;
    return pair.slice(pair.indexOf(":", end) + 1).trim();
  }
  return undefined;
}

function endOfString(text: string, begin: number): number {
  let at = begin + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
