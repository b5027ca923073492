/**
 * A forger of access tokens who has even stolen our private key: any header, any claims, any key.
 * What the service refuses from this one, it refuses from everybody.
 */

import type { webcrypto } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { TestService } from "../../../testkit/service.ts";

type Part = Record<string, unknown> | string;

export interface Forgery {
  /** Merged over the real header; text is taken as it is. */
  readonly header?: Part;
  /** Merged over the real claims; undefined leaves one out, text is taken as it is. */
  readonly claims?: Part;
  readonly key?: webcrypto.CryptoKey;
}

/** Ed25519 over whatever the parts say, where a library would refuse to write such a token. */
export async function forge(service: TestService, real: string, change: Forgery): Promise<string> {
  const { key } = await service.ctx.signingKeys.current(service.ctx.db);
  const header = textOf({ ...decodeProtectedHeader(real) }, change.header ?? {});
  const claims = textOf({ ...decodeJwt(real) }, change.claims ?? {});
  const signed = `${encode(header)}.${encode(claims)}`;
  const signer = change.key ?? (key as webcrypto.CryptoKey);
  const signature = await crypto.subtle.sign("Ed25519", signer, Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString("base64url")}`;
}

export async function strangeKeyPair(): Promise<webcrypto.CryptoKeyPair> {
  return (await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ])) as webcrypto.CryptoKeyPair;
}

export function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function textOf(real: Record<string, unknown>, change: Part): string {
  return typeof change === "string" ? change : JSON.stringify({ ...real, ...change });
}
