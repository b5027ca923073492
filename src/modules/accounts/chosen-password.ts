/**
 * A password in a request that may come twice. An Idempotency-Key keeps a plain digest of all that
 * was read, and a fast digest of a password can be guessed at; so what stands in the request's
 * place is a mark made with a pepper that the database does not have. The text itself is private:
 * nothing that copies or prints the body can take it along (Decision 0022).
 */

import type { Config } from "../../infra/config.ts";
import { type Field, field } from "../../kit/fields/field.ts";
import { deriveKey, keyedDigest } from "../../kit/secrets.ts";
import { newPasswordField } from "./passwords.ts";

export class ChosenPassword {
  /** The same for the same password, as long as the pepper is the same. */
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

export function chosenPasswordField(config: Config["passwords"]): Field<ChosenPassword> {
  const plain = newPasswordField(config);
  const markingKey = deriveKey(config.peppers.current.bytes, "chosen password");
  return field(
    plain.schema,
    (value, name) => new ChosenPassword(plain.read(value, name), markingKey),
  );
}
