/**
 * The address of a receipt's page, which its holder alone knows (Decision 0098): the id of the
 * payment and 168 bits worked out from it with a key. Nothing of it is stored. It leads to the
 * receipt as long as the pepper that it was made with is on the keyring.
 */

import type { Config } from "../../infra/config.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import { derivedKey, keyedDigest, type SecretKey, sameBytes } from "../../kit/secrets.ts";

const TOKEN = /^([A-Z0-9-]{1,32})\.([\w-]{28})$/;
/** The router takes no more in one part of a path. */
export const TOKEN_LENGTH_MAX = 64;
const PROOF_BYTES = 21;

export function receiptUrl(
  { http, tokenPeppers }: Pick<Config, "http" | "tokenPeppers">,
  transactionId: string,
): string {
  const proof = proofOf(tokenPeppers.current, transactionId).toString("base64url");
  return `${http.paymentsPublicUrl}/receipts/${transactionId}.${proof}`;
}

/** The payment whose receipt it leads to; undefined when it is not one of ours. */
export function readReceiptToken(
  { tokenPeppers }: Pick<Config, "tokenPeppers">,
  token: string,
): string | undefined {
  const [, id = "", text = ""] = TOKEN.exec(token) ?? [];
  if (!TRANSACTION_ID.test(id)) return undefined;
  const proof = Buffer.from(text, "base64url");
  return tokenPeppers.all.some((key) => sameBytes(proof, proofOf(key, id))) ? id : undefined;
}

function proofOf(pepper: SecretKey, transactionId: string): Buffer {
  return keyedDigest(derivedKey(pepper, "receipt"), transactionId).subarray(0, PROOF_BYTES);
}
