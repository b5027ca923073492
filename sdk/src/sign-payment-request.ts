/**
 * Signs a payment request, so that the service can tell that the merchant itself asked for it. For
 * the merchant's server: the secret must not reach a page that customers load.
 */

import { toHex, utf8 } from "./verify/bytes.ts";
import { hmac } from "./verify/digests.ts";
import type { Pair } from "./verify/form-text.ts";
import { requestText, type Sendable, signedValue } from "./verify/request-text.ts";

/**
 * The same fields with their `signature`; send them as JSON or as a form, and change nothing
 * afterwards. Fields that are undefined are not sent, so they are not signed. `signingSecret` is
 * that of `GET /user/payment-key`, of the environment that the request names.
 */
export async function signPaymentRequest<const T extends { readonly [K in keyof T]: Sendable }>(
  fields: T,
  signingSecret: string,
): Promise<Omit<T, "signature"> & { readonly signature: string }> {
  if (typeof signingSecret !== "string" || signingSecret === "")
    throw new TypeError("The signing secret is empty.");
  const sent = Object.entries(fields as Readonly<Record<string, unknown>>).filter(
    ([name, value]) => name !== "signature" && value !== undefined,
  );
  const text = requestText(sent.map(pairOf));
  const signature = toHex(await hmac(utf8(signingSecret), utf8(text)));
  return { ...fields, signature };
}

function pairOf([name, value]: [string, unknown]): Pair {
  const text = signedValue(value);
  if (text === undefined)
    throw new TypeError(`${name} is a list or an object: send it as JSON text.`);
  // JSON has no such numbers and would send null in their place.
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`${name} is ${value}, which cannot be sent.`);
  return [name, text];
}
