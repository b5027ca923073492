/**
 * A good request whose bytes have suffered: some changed, or the rest cut off. No client library
 * would send it, so it goes out by hand; it is answered or cut off, and never with a 5xx.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { converse, rawRequest } from "../raw-http.ts";

const BODY = '{"environment":"sandbox","scopes":"svc-user-all"}';
const CHANGES_MAX = 8;

export interface Damage {
  readonly changes: readonly { readonly at: number; readonly byte: number }[];
  /** Even: nothing is cut off. */
  readonly length: number;
}

/** Positions are taken modulo the request's length, which differs with its token. */
export const damages: fc.Arbitrary<Damage> = fc.record({
  changes: fc.array(
    fc.record({ at: fc.nat({ max: 2_000 }), byte: fc.integer({ min: 0, max: 255 }) }),
    { minLength: 1, maxLength: CHANGES_MAX },
  ),
  length: fc.nat({ max: 2_000 }),
});

export async function sendDamaged(url: string, token: string, damage: Damage): Promise<void> {
  const bytes = Buffer.from(
    rawRequest(url, {
      method: "POST",
      target: "/auth/keys?page=1",
      lines: [`Authorization: Bearer ${token}`, "Content-Type: application/json"],
      body: BODY,
    }),
  );
  for (const { at, byte } of damage.changes) bytes[at % bytes.length] = byte;
  const sent = damage.length % 2 === 0 ? bytes : bytes.subarray(0, damage.length % bytes.length);
  // The client has no more to say, so nobody waits for it.
  const { answers } = await converse(url, sent, { whenOpen: (socket) => socket.end() });
  for (const { status, body } of answers) assert(status < 500, `${status} ${body}`);
}
