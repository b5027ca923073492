/**
 * The `signature` that a payment request may carry (Decision 0066): proof that the merchant itself
 * asked for this payment. It covers every field of the body as it was sent, unknown and empty ones
 * too, so it is computed from the sent body and not from the values that were read from it.
 */

import type { Config } from "../../../infra/config.ts";
import type { Queryable } from "../../../infra/db/query.ts";
import { keyName } from "../../../infra/http/body/bad-body.ts";
import { FieldRefused, fixedRefusal } from "../../../kit/errors.ts";
import { labelOf } from "../../../kit/fields/field.ts";
import { sameBytes } from "../../../kit/secrets.ts";
import type { Parameter } from "../result/merge-into-url.ts";
import { type KeyOwner, paymentKeysOf } from "../result/payment-keys.ts";
import { formSignature } from "../result/result-parameters.ts";

const SHA256_HEX = /^[0-9a-f]{64}$/i;

export class SignatureRequired extends fixedRefusal("signature_required") {}

export class SignatureMismatch extends fixedRefusal("signature_mismatch") {}

export interface RequestSignature {
  /** As it was sent. */
  readonly given: string;
  /** What it has to cover. */
  readonly parameters: readonly Parameter[];
}

type SentFields = Readonly<Record<string, unknown>>;

/** Undefined when the request is not signed; an empty signature counts as none. */
export function readSignature(sent: SentFields): RequestSignature | undefined {
  // Most requests are not signed: nothing is copied for these.
  if (typeof sent.signature !== "string" || sent.signature === "") return undefined;
  const { signature: _, ...others } = sent;
  const parameters = Object.entries(others).map(
    ([name, value]): Parameter => [name, signedText(name, value)],
  );
  return { given: sent.signature, parameters };
}

/**
 * Lists and objects are refused because there are many ways to write one as text, and each would
 * be signed differently.
 */
function signedText(name: string, value: unknown): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  const shown = keyName(name);
  const subject = shown === undefined ? "A field" : `The ${labelOf(shown)} field`;
  throw new FieldRefused(`${subject} must be sent as JSON text in a signed request.`);
}

/** Costs a statement only where there is a signature to check. */
export async function demandSignature(
  { db, config }: { db: Queryable; config: Pick<Config, "wrappingKeys"> },
  owner: KeyOwner,
  { signature, isRequired }: { signature: RequestSignature | undefined; isRequired: boolean },
): Promise<void> {
  if (signature === undefined) {
    if (isRequired) throw new SignatureRequired();
    return;
  }
  const { given, parameters } = signature;
  const { signingSecret } = await paymentKeysOf(db, config, owner);
  const expected = formSignature(parameters, signingSecret);
  if (!SHA256_HEX.test(given) || !sameBytes(Buffer.from(given, "hex"), expected))
    throw new SignatureMismatch();
}
