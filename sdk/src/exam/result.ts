/** The address that a browser brings to the shop, signed as the service signs it. */

import type { Json } from "../tool/api.ts";
import { toHex, utf8 } from "../verify/bytes.ts";
import { hmac } from "../verify/digests.ts";
import type { Pair } from "../verify/form-text.ts";
import { hashOf, SIGNED_NAMES, signedText } from "../verify/redirect-parameters.ts";

export interface PaymentKeys {
  readonly signingSecret: string;
  readonly hashKey: string;
}

/** What a success says, in the service's order. */
export function successParameters(record: Record<string, Json>): Pair[] {
  return [
    ["status", "success"],
    ["transaction_id", record.transaction_id],
    ["message", record.message],
    ["order_id", record.order_id],
    ["total", record.customer_total],
    ["currency", record.currency],
    ["date", record.finalised_at],
    ["card", record.card],
    ["data", record.data],
  ];
}

/** With hash and signature. The hash is over the total that was requested. */
export async function signedSuccess(
  record: Record<string, Json>,
  { signingSecret, hashKey }: PaymentKeys,
): Promise<Pair[]> {
  const parameters = successParameters(record);
  const signature = toHex(await hmac(utf8(signingSecret), utf8(signedText(parameters))));
  const hash = hashOf(record.transaction_id, record.total, hashKey);
  return [...parameters, ["hash", hash], ["signature", signature]];
}

export function withValue(pairs: readonly Pair[], name: string, value: string): Pair[] {
  return pairs.map((pair) => (pair[0] === name ? [name, value] : pair));
}

/** Into the query that the shop's address already has; names of ours are replaced. */
export function addressWith(responseUrl: string, pairs: readonly Pair[]): string {
  const url = new URL(responseUrl);
  for (const name of [...SIGNED_NAMES, "hash", "signature"]) url.searchParams.delete(name);
  for (const [name, value] of pairs) url.searchParams.append(name, value);
  return url.href;
}
