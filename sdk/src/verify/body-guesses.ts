/**
 * The body of a delivery as it may have been before something read it and wrote it anew. Each guess
 * is one thing undone; whether it was that is for the digest to say.
 */

import { type Bytes, fromBase64, textOf, utf8 } from "./bytes.ts";
import { inOurOrder, isFields } from "./event-order.ts";
import { type Guess, mistake } from "./explanation.ts";
import { decodedOnceMore, otherUnicodeForm, withoutWrongCharset } from "./text-guesses.ts";

const RAW = "Verify the bytes of the request before anything parses, decodes or logs them.";
const GZIP_MARK = [0x1f, 0x8b];
/** A pasted body may be a decompression bomb. */
const UNPACKED_BYTES_MAX = 1_000_000;

export async function bodyGuesses(body: Bytes): Promise<Guess<Bytes>[]> {
  const text = textOf(body);
  return [
    { value: body },
    ...(await unpacked(body)),
    ...(text === undefined ? otherCharsets(body) : textGuesses(text)),
  ];
}

function guess(code: string, says: string, text: string | undefined, of: string): Guess<Bytes>[] {
  if (text === undefined || text === of) return [];
  return [{ value: utf8(text), mistake: mistake(code, says, RAW) }];
}

function textGuesses(text: string): Guess<Bytes>[] {
  const add = (code: string, says: string, undone: string | undefined) =>
    guess(code, says, undone, text);
  const bare = text.replace(/^\ufeff/, "");
  return [
    ...add("body_bom", "The body begins with a byte order mark.", bare),
    ...add(
      "body_white_space",
      "White space was added around the body, such as a line feed at its end.",
      text.trim(),
    ),
    ...reserialised(bare.trim()),
    ...add("body_quoted", "The body was written as a JSON string of itself.", unquoted(text)),
    ...add("wrong_charset", CHARSET, withoutWrongCharset(text)),
    ...add("unicode_normalised", "Accents were composed or taken apart.", otherUnicodeForm(text)),
    ...add("body_url_encoded", "The body was URL-encoded.", decodedOnceMore(text)),
    ...add(
      "plus_became_space",
      "A + was turned into a space: the body was read as a form.",
      text.replaceAll(" ", "+"),
    ),
    ...add("body_html_escaped", "The body was escaped for a page.", unescapedHtml(text)),
    ...inBase64(text),
  ];
}

const CHARSET = "The UTF-8 of the body was read in another charset.";

function otherCharsets(body: Bytes): Guess<Bytes>[] {
  const charsets = ["utf-16le", "utf-16be", "windows-1252"];
  return charsets.flatMap((charset) =>
    guess("wrong_charset", CHARSET, textOf(body, charset)?.replace(/^\ufeff/, ""), ""),
  );
}

/** Parsed and written anew: without spaces, and in the order in which we write. */
function reserialised(text: string): Guess<Bytes>[] {
  const parsed = parse(text);
  if (!isFields(parsed)) return [];
  const compact = JSON.stringify(parsed);
  const ordered = JSON.stringify(inOurOrder(parsed));
  return [compact, ordered]
    .filter((each, at, all) => each !== text && all.indexOf(each) === at)
    .map((each) => {
      const changes = changesOf(text, each !== compact);
      const code = changes.length === 1 ? changes[0]?.[0] : undefined;
      const list = changes.map(([, words]) => words).join(", ");
      const says = `The body was parsed and written anew (${list}).`;
      return { value: utf8(each), mistake: mistake(code ?? "body_reserialised", says, RAW) };
    });
}

function changesOf(text: string, isReordered: boolean): [code: string, words: string][] {
  const outside = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const isSpaced = /\s/.test(outside);
  const hasUnicode = /(?<!\\)(?:\\\\)*\\u[0-9a-f]{4}/i.test(text);
  const hasSlashes = /(?<!\\)(?:\\\\)*\\\//.test(text);
  return [
    ...(isSpaced ? [["body_spaces", "spaces or line breaks"] as [string, string]] : []),
    ...(isReordered ? [["body_key_order", "fields in another order"] as [string, string]] : []),
    ...(hasUnicode ? [["body_escapes", "characters as \\u"] as [string, string]] : []),
    ...(hasSlashes ? [["body_escapes", "/ as \\/"] as [string, string]] : []),
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unquoted(text: string): string | undefined {
  const parsed = parse(text);
  return typeof parsed === "string" ? parsed : undefined;
}

const ENTITIES: readonly [RegExp, string][] = [
  [/&quot;|&#34;/g, '"'],
  [/&#0?39;|&apos;/g, "'"],
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
  [/&amp;/g, "&"],
];

function unescapedHtml(text: string): string {
  return ENTITIES.reduce((sofar, [entity, char]) => sofar.replace(entity, char), text);
}

function inBase64(text: string): Guess<Bytes>[] {
  const value = fromBase64(text.trim());
  const says = "The body was handed over in base64, as some platforms do.";
  return value === undefined ? [] : [{ value, mistake: mistake("body_base64", says, RAW) }];
}

async function unpacked(body: Bytes): Promise<Guess<Bytes>[]> {
  const isPacked = GZIP_MARK.every((byte, at) => body[at] === byte);
  if (!isPacked) return [];
  try {
    const value = await gunzip(body);
    return [{ value, mistake: mistake("body_gzip", "The body is compressed (gzip).", RAW) }];
  } catch {
    return [];
  }
}

async function gunzip(body: Bytes): Promise<Bytes> {
  const reader = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    bytes += read.value.length;
    if (bytes > UNPACKED_BYTES_MAX) throw new RangeError("too large to be one of ours");
  }
  return new Uint8Array(await new Blob(parts as Bytes[]).arrayBuffer());
}
