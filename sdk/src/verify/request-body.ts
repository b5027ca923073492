/** The body of a payment request as it was sent, read as the service reads it. */

import type { Pair } from "./form-text.ts";
import { signedValue } from "./request-text.ts";

export interface RequestBody {
  readonly isJson: boolean;
  /** What the signature has to cover, in the order in which it was sent. */
  readonly pairs: readonly Pair[];
  readonly signature: string | undefined;
  /** Fields by their names as they were before they became text; of a form, texts. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Lists and objects, which a signed request must not have. */
  readonly nested: readonly string[];
  /** More than once in a form: the last one counts. */
  readonly repeated: readonly string[];
  /** Numbers of JSON as they were written, such as `100.00`. */
  readonly literals: ReadonlyMap<string, string>;
}

/** Undefined: it begins like JSON and is none, or is JSON and no object. */
export function readRequestBody(text: string): RequestBody | undefined {
  const bare = text.replace(/^\ufeff/, "").trim();
  if (!/^[[{"]/.test(bare)) return bodyOf([...new URLSearchParams(bare)], false, bare);
  try {
    const parsed: unknown = JSON.parse(bare);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
    return bodyOf(Object.entries(parsed), true, bare);
  } catch {
    return undefined;
  }
}

function bodyOf(
  entries: readonly (readonly [string, unknown])[],
  isJson: boolean,
  text: string,
): RequestBody {
  const names = entries.map(([name]) => name);
  const values = new Map(entries);
  const { signature } = Object.fromEntries(values) as { signature?: unknown };
  values.delete("signature");
  const literals = [...values].flatMap(([name, value]) =>
    typeof value === "number" && isJson ? literalOf(text, name) : [],
  );
  return {
    isJson,
    pairs: [...values].map(([name, value]): Pair => [name, signedValue(value) ?? ""]),
    signature: typeof signature === "string" && signature !== "" ? signature : undefined,
    values,
    nested: [...values].flatMap(([name, value]) =>
      signedValue(value) === undefined ? [name] : [],
    ),
    repeated: [...new Set(names.filter((name, at) => names.indexOf(name) !== at))],
    literals: new Map(literals),
  };
}

function literalOf(text: string, name: string): [string, string][] {
  const quoted = JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const [, literal] = new RegExp(`${quoted}\\s*:\\s*(-?\\d[\\d.eE+-]*)`).exec(text) ?? [];
  return literal === undefined ? [] : [[name, literal]];
}
