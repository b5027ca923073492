/**
 * The tags of a page as a browser's parser finds them, for tests that say what a page must not
 * have. The part of the HTML standard that decides where a tag or an attribute begins: comments,
 * quotes, and elements in which only their own end tag counts.
 */

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** In these, text is text until their end. */
const TEXT_ONLY = new Set([
  ...["title", "textarea", "script", "style"],
  ...["xmp", "iframe", "noembed", "noframes", "noscript"],
]);

const SPACE = /[\t\n\f\r ]/;

export function tagsIn(page: string): Tag[] {
  const tags: Tag[] = [];
  let at = page.indexOf("<");
  while (at !== -1) {
    const next = page.slice(at + 1, at + 3);
    if (/^[a-z]/i.test(next)) {
      const { tag, end } = readTag(page, at + 1);
      tags.push(tag);
      at = TEXT_ONLY.has(tag.name) ? endOfText(page, tag.name, end) : end;
    } else if (/^\/[a-z]/i.test(next)) at = readTag(page, at + 2).end;
    else if (page.startsWith("<!--", at)) at = after(page, /-->|--!>|(?<=<!--)>/g, at + 4);
    else if (/^[!/?]/.test(next)) at = after(page, />/g, at + 2);
    else at += 1;
    at = page.indexOf("<", at);
  }
  return tags;
}

function after(page: string, what: RegExp, from: number): number {
  what.lastIndex = from;
  return what.exec(page) === null ? page.length : what.lastIndex;
}

function endOfText(page: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, "gi");
  end.lastIndex = from;
  return end.exec(page)?.index ?? page.length;
}

/** `at`: the first letter of its name. */
function readTag(page: string, at: number): { tag: Tag; end: number } {
  const isNameOver = (i: number) => /[\t\n\f\r />]/.test(page[i] ?? ">");
  let i = at;
  while (!isNameOver(i)) i += 1;
  const name = page.slice(at, i).toLowerCase();
  const attributes = new Map<string, string>();
  while (i < page.length && page[i] !== ">") {
    if (SPACE.test(page[i] ?? "") || page[i] === "/") {
      i += 1;
      continue;
    }
    const start = i;
    i += 1;
    while (!isNameOver(i) && page[i] !== "=") i += 1;
    const key = page.slice(start, i).toLowerCase();
    const { value, end } = readValue(page, i);
    if (!attributes.has(key)) attributes.set(key, value);
    i = end;
  }
  return { tag: { name, attributes }, end: i + 1 };
}

function readValue(page: string, from: number): { value: string; end: number } {
  let i = skipSpace(page, from);
  if (page[i] !== "=") return { value: "", end: from };
  i = skipSpace(page, i + 1);
  const quote = page[i] === '"' || page[i] === "'" ? page[i] : undefined;
  const begin = quote === undefined ? i : i + 1;
  let end = begin;
  const isOver = (c: string) => (quote === undefined ? /[\t\n\f\r >]/.test(c) : c === quote);
  while (end < page.length && !isOver(page[end] ?? "")) end += 1;
  return { value: decoded(page.slice(begin, end)), end: quote === undefined ? end : end + 1 };
}

function skipSpace(page: string, from: number): number {
  let i = from;
  while (SPACE.test(page[i] ?? "x")) i += 1;
  return i;
}

function decoded(text: string): string {
  const plain: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => plain[name] ?? "");
}
