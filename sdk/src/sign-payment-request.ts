/**
 * Signs a payment request, so that the service can tell that the merchant itself asked for it. For
 * the merchant's server: the secret must not reach a page that customers load.
 */

import { toHex, utf8 } from "./verify/bytes.ts";
import { hmac } from "./verify/digests.ts";
import type { Pair } from "./verify/form-text.ts";
import { requestText, type Sendable, signedValue } from "./verify/request-text.ts";

/** A signed request has no lists and objects: `items` is sent as its JSON text. */
type Signed<T> = {
  [K in keyof Omit<T, "signature">]: T[K] extends object ? string : T[K];
} & { readonly signature: string };

/**
 * The same fields with their `signature`, lists and objects as JSON text; send them as JSON or as
 * a form, and change nothing afterwards. Fields that are undefined are not sent, so they are not
 * signed. `signingSecret` is that of `GET /user/payment-key`, of the environment that the request
 * names.
 */
export async function signPaymentRequest<
  const T extends { readonly [K in keyof T]: Sendable | object },
>(fields: T, signingSecret: string): Promise<Signed<T>> {
  if (typeof signingSecret !== "string" || signingSecret === "")
    throw new TypeError("The signing secret is empty.");
  const flat = Object.entries(fields as Readonly<Record<string, unknown>>).map(
    ([name, value]) => [name, withoutNesting(value)] as const,
  );
  const sent = flat.filter(([name, value]) => name !== "signature" && value !== undefined);
  const text = requestText(sent.map(pairOf));
  const signature = toHex(await hmac(utf8(signingSecret), utf8(text)));
  return { ...Object.fromEntries(flat), signature } as Signed<T>;
}

function withoutNesting(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function pairOf([name, value]: readonly [string, unknown]): Pair {
  const text = signedValue(value);
  if (text === undefined) throw new TypeError(`${name} is a function, which cannot be sent.`);
  // JSON has no such numbers and would send null in their place.
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`${name} is ${value}, which cannot be sent.`);
  return [name, text];
}
