/**
 * Masks values by the names of their fields: passwords, tokens, keys, codes and numbers of bank
 * accounts, in JSON, in JSON inside a text of JSON, and in forms and queries. `scrub.ts` masks what
 * is recognised by its own look; both are needed, because a password looks like any word.
 *
 * It works on text and not on values, so that a body which was cut is masked as well. The text must
 * be as `JSON.stringify` writes it: there a name has one spelling.
 */

const MASK = "[masked]";

/** By the name in small letters without signs. */
const SECRET_NAME = new RegExp(
  [
    "pass(?:wor|w0r|wd|code|phrase)|pwd|secret|token|authori[sz]ation|cookie|credential",
    "^(?:user|old|new)?pass$|cvv|cvc|cvn|^(?:card)?(?:csc|cv2)$|securitycode|recoverycode",
    "cardn(?:umber|um|o)(?![a-z])|otp$|^(?:pan|pin)$",
    "(?<!idempotency|public)key$|^(?:bank|beneficiary)account(?:number|no)?$|iban$|^idnumber$",
  ].join("|"),
);
/** Part of each such name. Most texts have none of these; in small letters, which is quicker. */
const MAYBE_SECRET = new RegExp(
  [
    "p(?:ass|an|in|wd)|secr|secu|token|authori|cook|credential|cv[vcn2]|csc|recov|card.?n|otp",
    "key|bank.?a|benef|iban|id.?num",
  ].join("|"),
);

const COLON = 0x3a;
const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;

const EQUALS = /=[^&\s"'\\]+/g;
const NAME_AT_END = /[^\s=&?"'\\{},;:]*$/;
/** Of a form: what stands before a longer one is not looked at. */
const NAME_LENGTH_MAX = 64;

const NAMES_KNOWN_MAX = 2_000;
const known = new Map<string, boolean>();

export function scrubFields(text: string): string {
  if (!MAYBE_SECRET.test(text.toLowerCase())) return text;
  const scrubbed = scrubMembers(text);
  return scrubbed.includes("=") ? scrubPairs(scrubbed) : scrubbed;
}

/** Members of JSON objects, at any depth: what is in quotes before a colon is a name. */
function scrubMembers(text: string): string {
  let output = "";
  let copiedTo = 0;
  let last = -1;
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', last + 1)) {
    const nameStart = last + 1;
    last = quote;
    const start = valueStart(text, quote + 1);
    if (start === -1) continue;
    const nameEnd = withoutSlashes(text, quote);
    if (!isSecretName(text.slice(nameStart, nameEnd))) continue;
    const end = valueEnd(text, start, quote - nameEnd);
    output += text.slice(copiedTo, start) + masked(text.slice(start, end));
    copiedTo = end;
    last = end - 1;
  }
  return copiedTo === 0 ? text : output + text.slice(copiedTo);
}

/** Behind the colon at this place, or -1 where there is none. */
function valueStart(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next += 1;
  if (text.charCodeAt(next) !== COLON) return -1;
  next += 1;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return next;
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= RETURN);
}

/** Quotes stay as they were, so that JSON stays JSON; null and "" say that there was nothing. */
function masked(value: string): string {
  const [quote] = /^\\*"/.exec(value) ?? [];
  if (value === "null" || value === `${quote}${quote}`) return value;
  return quote === undefined ? `"${MASK}"` : quote + MASK + (value.endsWith('"') ? quote : "");
}

/** `slashes`: how many stand before each quote, in JSON that is itself in a text. */
function valueEnd(text: string, start: number, slashes: number): number {
  const first = text[start];
  if (first === "{" || first === "[") return bracketEnd(text, start, slashes);
  if (first !== '"' && first !== "\\") return plainEnd(text, start);
  const open = text.indexOf('"', start);
  return open === -1 ? text.length : textEnd(text, open, slashes);
}

/** Behind the quote that closes a text: it has as many backslashes as the one that opened it. */
function textEnd(text: string, open: number, slashes: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    // Those beyond are backslashes of the text, each written as several, or hide a quote of it.
    const own = at - Math.max(open + 1, withoutSlashes(text, at)) - slashes;
    if (own <= 0 || own % (2 * (slashes + 1)) === 0) return at + 1;
  }
  return text.length;
}

/** Where the backslashes before it begin. */
function withoutSlashes(text: string, quote: number): number {
  let at = quote;
  while (text[at - 1] === "\\") at -= 1;
  return at;
}

function plainEnd(text: string, start: number): number {
  const length = text.slice(start).search(/[,}\]\s\\"]/);
  return length === -1 ? text.length : start + length;
}

/** Behind a whole object or list; brackets in texts are none. */
function bracketEnd(text: string, start: number, slashes: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = textEnd(text, at, slashes) - 1;
    else if (char === "{" || char === "[") depth += 1;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return text.length;
}

function scrubPairs(text: string): string {
  return text.replace(EQUALS, (pair, at: number) => {
    const [name = ""] = NAME_AT_END.exec(text.slice(Math.max(0, at - NAME_LENGTH_MAX), at)) ?? [];
    return isSecretName(name) ? `=${MASK}` : pair;
  });
}

function isSecretName(name: string): boolean {
  const found = known.get(name);
  if (found !== undefined) return found;
  const isSecret = SECRET_NAME.test(
    decoded(name)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ""),
  );
  if (known.size >= NAMES_KNOWN_MAX) known.clear();
  if (name.length <= NAME_LENGTH_MAX) known.set(name, isSecret);
  return isSecret;
}

function decoded(name: string): string {
  if (!name.includes("%")) return name;
  return name.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
