/**
 * Signs payment requests as a merchant's program would, from the written rule and byte by byte:
 * nothing of the service or of the SDK is used, so a mistake there cannot hide here.
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mintToken } from "../../../testkit/credentials.ts";
import type { Fields } from "../../../testkit/payment-requests.ts";
import type { TestService } from "../../../testkit/service.ts";

export function signatureOf(fields: Fields, secret: string): string {
  const names = Object.keys(fields).filter((name) => name !== "signature");
  const pairs = names.sort().map((name) => `${encoded(name)}=${encoded(textOf(fields[name]))}`);
  return createHmac("sha256", Buffer.from(secret)).update(pairs.join("&"), "utf8").digest("hex");
}

export function signed(fields: Fields, secret: string): Fields {
  return { ...fields, signature: signatureOf(fields, secret) };
}

function textOf(value: unknown): string {
  return value === null ? "" : String(value);
}

/** application/x-www-form-urlencoded. */
function encoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    const char = String.fromCharCode(byte);
    if (/[A-Za-z0-9*._-]/.test(char)) return char;
    return char === " " ? "+" : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

export interface SigningShop {
  readonly accountNumber: string;
  readonly email: string;
  readonly token: string;
  readonly secret: string;
  readonly hashKey: string;
}

/** A merchant who may change its settings, with the keys of the sandbox. */
export async function signingShop(service: TestService): Promise<SigningShop> {
  const { accountNumber, email } = await service.world.merchant();
  const { token } = await mintToken(service.ctx, { accountNumber }, ["svc-user-all"]);
  const keys = await readKeys(service, token);
  return { accountNumber, email, token, secret: keys.signing_secret, hashKey: keys.hash_key };
}

export async function readKeys(service: TestService, token: string, environment = "sandbox") {
  const answer = await service.request(`/user/payment-key?environment=${environment}`, { token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

export async function setRequired(
  service: TestService,
  { token }: Pick<SigningShop, "token">,
  require_signature: boolean,
  environment = "sandbox",
): Promise<void> {
  const json = { environment, require_signature };
  const options = { method: "PATCH", token, json };
  const { status, body, text } = await service.request("/user/payment-key", options);
  assert.equal(status, 200, text);
  assert.deepEqual(body, { message: "OK", data: { environment, require_signature } });
}
