/**
 * A request's JSON, whose property names the acquirer reads in any case, and the same JSON with
 * its secrets masked, for the list of calls.
 */

/** Names in small letters; objects in it are of the same kind. */
export type Fields = ReadonlyMap<string, unknown>;

/** Undefined: no JSON object. */
export function parseFields(text: string): Fields | undefined {
  const json = parseJson(text);
  return isObject(json) ? fieldsOf(json) : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By a path of names as the documents write them: `Source.CardPan`. */
export function read(fields: Fields, path: string): unknown {
  const [name = "", ...rest] = path.toLowerCase().split(".");
  const value = fields.get(name) ?? undefined;
  if (rest.length === 0) return value;
  return value instanceof Map ? read(value, rest.join(".")) : undefined;
}

export function readText(fields: Fields, path: string): string | undefined {
  const value = read(fields, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** First six and last four digits at most, no security code, the start of a token. */
export function maskBody(text: string): unknown {
  const json = parseJson(text);
  return json === undefined ? maskText(text) : maskValue(json, "");
}

export function maskNumber(number: string): string {
  return `${number.slice(0, 6)}${"*".repeat(Math.max(0, number.length - 10))}${number.slice(-4)}`;
}

function maskValue(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => maskValue(one, name));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, maskValue(one, key.toLowerCase())]),
    );
  if (typeof value !== "string" && typeof value !== "number") return value;
  if (name === "cardcvv") return "***";
  if (name === "cardpan") return maskNumber(String(value));
  return typeof value === "string" ? maskText(value) : value;
}

function maskText(text: string): string {
  return text
    .replace(/(?<![0-9a-z-])[0-9a-z-]{50,65}(?![0-9a-z-])/g, (token) => `${token.slice(0, 8)}…`)
    .replace(/(?<![\w-])\d{12,19}(?![\w-])/g, maskNumber);
}

function fieldsOf(json: object): Fields {
  return new Map(
    Object.entries(json).map(([name, value]) => [
      name.toLowerCase(),
      isObject(value) ? fieldsOf(value) : value,
    ]),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
