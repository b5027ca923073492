/**
 * Access tokens: JWTs that name a grant. The signature proves that this service issued the token;
 * whether it is still valid is read from the database with every request (`authenticate.ts`).
 *
 * A signature does not change, so a verified one is remembered: checking Ed25519 costs more than
 * the rest of a request. Validity is remembered separately, by the claims object that is returned
 * here (`credential-memory.ts`, Decision 0059).
 */

import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { SignJWT } from "jose/jwt/sign";
import { jwtVerify } from "jose/jwt/verify";
import { LRUCache } from "lru-cache";
import type { Config } from "../../infra/config.ts";
import type { Queryable } from "../../infra/db/query.ts";
import { addSeconds, epochSeconds } from "../../kit/clock.ts";
import { UUID } from "../../kit/ids.ts";
import type { Scope } from "../../kit/scopes.ts";
import type { AuthContext } from "./context.ts";
import { ACCESS_TOKEN_SECONDS } from "./lifetimes.ts";
import { SIGNING_ALGORITHM, type SigningKeys } from "./signing-keys.ts";

const TYPE = "at+jwt";
const JTI_BYTES = 16;
const HEADER_LENGTH_MAX = 2_055;
const REMEMBERED_MAX = 10_000;
const HEADER = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86})$/i;
/** Of a signature: enough that no two tokens share it. */
const TAIL_LENGTH = 43;
const KID = /^[0-9a-f]{16}$/;

export interface TokenClaims {
  readonly kid: string;
  readonly accountNumber: string;
  readonly grantId: string;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
}

export interface Grant {
  readonly accountNumber: string;
  readonly grantId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: Date;
}

export async function signAccessToken(
  { config, signingKeys }: Pick<AuthContext, "config" | "signingKeys">,
  db: Queryable,
  grant: Grant,
): Promise<{ token: string; expiresAt: Date }> {
  const { kid, key } = await signingKeys.current(db);
  const { publicUrl } = config.http;
  const expiresAt = addSeconds(grant.issuedAt, ACCESS_TOKEN_SECONDS);
  const token = await new SignJWT({
    client_id: grant.accountNumber,
    scope: grant.scopes.join(" "),
    gid: grant.grantId,
  })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid })
    .setIssuer(publicUrl)
    .setAudience(publicUrl)
    .setSubject(grant.accountNumber)
    .setJti(randomBytes(JTI_BYTES).toString("base64url"))
    .setIssuedAt(epochSeconds(grant.issuedAt))
    .setExpirationTime(epochSeconds(expiresAt))
    .sign(key);
  return { token, expiresAt };
}

/** The account of a token that was just issued. */
export function ownerOf(token: string): string {
  return String(jsonOf(token.split(".")[1] ?? "")?.sub);
}

/** Reads an Authorization header, synchronously when its signature was checked before. */
export type VerifyAccessToken = (header: string) => TokenClaims | Promise<TokenClaims | undefined>;

export function createTokenVerifier(config: Config, signingKeys: SigningKeys): VerifyAccessToken {
  // Found by the end of the signature: hashing a whole token costs as much as finding its route.
  const verified = new LRUCache<string, { header: string; claims: TokenClaims }>({
    max: REMEMBERED_MAX,
  });
  return (header) => {
    const tail = header.slice(-TAIL_LENGTH);
    const known = verified.get(tail);
    if (known?.header === header) return known.claims;
    return verify(header, config, signingKeys).then((claims) => {
      if (claims !== undefined) verified.set(tail, { header, claims });
      return claims;
    });
  };
}

async function verify(
  authorization: string,
  config: Config,
  signingKeys: SigningKeys,
): Promise<TokenClaims | undefined> {
  if (authorization.length > HEADER_LENGTH_MAX) return undefined;
  const token = HEADER.exec(authorization)?.[1];
  if (token === undefined || !hasCanonicalEnd(token)) return undefined;
  const [header = "", claims = ""] = token.split(".");
  const kid = kidOf(header);
  const key = kid === undefined ? undefined : await signingKeys.publicKey(kid);
  if (kid === undefined || key === undefined || jsonOf(claims) === undefined) return undefined;
  const { publicUrl } = config.http;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [SIGNING_ALGORITHM],
      typ: TYPE,
      issuer: publicUrl,
      audience: publicUrl,
      // Expiry is checked by the database's clock, with every request.
      currentDate: new Date(0),
    });
    return claimsOf(kid, payload);
  } catch {
    return undefined;
  }
}

function claimsOf(kid: string, payload: Record<string, unknown>): TokenClaims | undefined {
  const { sub, gid, iat, exp } = payload;
  if (typeof sub !== "string" || typeof gid !== "string" || !UUID.test(gid)) return undefined;
  if (typeof iat !== "number" || typeof exp !== "number") return undefined;
  if (exp - iat !== ACCESS_TOKEN_SECONDS) return undefined;
  return { kid, accountNumber: sub, grantId: gid, issuedAtSeconds: iat, expiresAtSeconds: exp };
}

/** The header is compared whole: ours has these three fields and no other. */
function kidOf(header: string): string | undefined {
  const { kid, ...rest } = jsonOf(header) ?? {};
  if (typeof kid !== "string" || !KID.test(kid)) return undefined;
  return isDeepStrictEqual(rest, { alg: SIGNING_ALGORITHM, typ: TYPE }) ? kid : undefined;
}

/** Only JSON as we write it: a name that occurs twice could be read in two ways. */
function jsonOf(segment: string): Record<string, unknown> | undefined {
  const text = Buffer.from(segment, "base64url").toString();
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The last character of 64 bytes in base64url has spare bits; only one spelling is valid. */
function hasCanonicalEnd(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}
