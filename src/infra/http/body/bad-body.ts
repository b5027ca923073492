/**
 * A body or a query that is refused before any field is read: the server answers 400 with the
 * message, so it is one public sentence. It quotes a key of the caller's only through `keyName`.
 */

import { FieldRefused, ServiceError } from "../../../kit/errors.ts";
import { holdsCardNumber } from "../../../kit/fields/card-number-inside.ts";
import { labelOf } from "../../../kit/fields/field.ts";

type BadBodyCode = "malformed_content" | "content_too_complex" | "field_given_twice";

export class BadBody extends ServiceError {
  override readonly name = "BadBody";

  constructor(message: string, about: { code?: BadBodyCode; field?: string | undefined } = {}) {
    super(about.code ?? "malformed_content", { message, field: about.field });
  }
}

const PLAIN_KEY = /^[\w.-]{1,64}$/;

/** The key as a sentence may show it; undefined when it is too odd, or may be a card's number. */
export function keyName(key: string): string | undefined {
  return PLAIN_KEY.test(key) && !holdsCardNumber(key) ? key : undefined;
}

/** PostgreSQL keeps no NUL in a text, so no field takes one. */
export function refuseNul(what: "body" | "query", key: string): never {
  const name = keyName(key);
  if (name === undefined) throw new BadBody(`The ${what} holds a NUL character.`);
  throw new FieldRefused(nulSentence(name), { field: name });
}

export function nulSentence(name: string): string {
  return `The ${labelOf(name)} must not contain a NUL character.`;
}

const POISON = /__proto__|constructor\]?[.[]prototype/;

/** Code that reads `constructor[prototype]` as a path is not ours, but no field has such a name. */
export function isPoisonous(key: string): boolean {
  return POISON.test(key);
}
