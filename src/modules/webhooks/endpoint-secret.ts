/**
 * The secrets that sign webhooks: `whsec_` and 32 random bytes in base64, as in Standard Webhooks
 * (Decision 0033). At rest a secret is sealed and bound to its endpoint, so a box copied to another
 * row does not open. Its text is shown once, in the answer that created it.
 */

import { randomBytes } from "node:crypto";
import { type Keyring, seal, unseal } from "../../kit/secrets.ts";
import type { EndpointRow } from "./endpoint.ts";

const SECRET_BYTES = 32;

export interface SealedSecret {
  readonly keyId: string;
  readonly box: Buffer;
}

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

export function sealSecret({ current }: Keyring, endpointId: string, secret: string): SealedSecret {
  const box = seal(current.bytes, Buffer.from(secret), boundTo(endpointId));
  return { keyId: current.id, box };
}

/** The secrets that sign at that time, newest first. */
export function secretsOf(
  keyring: Keyring,
  row: Pick<
    EndpointRow,
    | "endpoint_id"
    | "secret_key_id"
    | "secret_box"
    | "previous_secret_key_id"
    | "previous_secret_box"
    | "previous_secret_until"
  >,
  at: Date,
): string[] {
  const { endpoint_id: id, previous_secret_key_id: keyId, previous_secret_box: box } = row;
  const current = openSecret(keyring, id, { keyId: row.secret_key_id, box: row.secret_box });
  const until = row.previous_secret_until;
  if (keyId === null || box === null || until === null || until <= at) return [current];
  return [current, openSecret(keyring, id, { keyId, box })];
}

function openSecret(keyring: Keyring, endpointId: string, { keyId, box }: SealedSecret): string {
  const wrapping = keyring.byId(keyId);
  if (wrapping === undefined) throw new Error(`wrapping key ${keyId} is not configured`);
  return unseal(wrapping.bytes, box, boundTo(endpointId)).toString();
}

function boundTo(endpointId: string): string {
  return `webhook endpoint ${endpointId}`;
}
