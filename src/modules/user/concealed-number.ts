/**
 * An account number in a request that may come twice. An Idempotency-Key keeps a plain digest of
 * all that was read, and ten digits are soon guessed from one; so what stands in the number's place
 * is a mark made with a key that the database does not have. The text itself is private: nothing
 * that copies or prints the body can take it along (Decision 0019).
 */

import type { Config } from "../../infra/config.ts";
import { type Field, field } from "../../kit/fields/field.ts";
import { deriveKey, keyedDigest } from "../../kit/secrets.ts";

export class ConcealedNumber {
  /** The same for the same number, as long as the wrapping key is the same. */
  readonly mark: string;
  readonly #text: string;

  constructor(text: string, markingKey: Buffer) {
    this.#text = text;
    this.mark = keyedDigest(markingKey, text).toString("hex");
  }

  reveal(): string {
    return this.#text;
  }
}

export function concealed(
  plain: Field<string>,
  wrappingKeys: Config["wrappingKeys"],
): Field<ConcealedNumber> {
  const markingKey = deriveKey(wrappingKeys.current.bytes, "bank account number");
  return field(
    plain.schema,
    (value, name) => new ConcealedNumber(plain.read(value, name), markingKey),
  );
}
