/**
 * Whether a post came from a page of the console itself: the token that only pages of this session
 * carry, the Origin, and the browser's own word of where the request began must agree.
 */

import type { Config } from "../infra/config.ts";
import { derivedKey, keyedDigest, type SecretKey, sameBytes } from "../kit/secrets.ts";

/** `boundTo`: the session's id, or the page's name where nobody has signed in yet. */
export function formTokenOf({ tokenPeppers }: Config, boundTo: string): string {
  return digestOf(tokenPeppers.current, boundTo).toString("base64url");
}

interface Posted {
  readonly boundTo: string;
  readonly formToken: string | undefined;
  header(name: string): string | undefined;
}

export function isOwnPost(config: Config, { boundTo, formToken = "", header }: Posted): boolean {
  if (!isSameOrigin(config, header)) return false;
  const bytes = Buffer.from(formToken, "base64url");
  return config.tokenPeppers.all.some((pepper) => sameBytes(digestOf(pepper, boundTo), bytes));
}

function digestOf(pepper: SecretKey, boundTo: string): Buffer {
  return keyedDigest(derivedKey(pepper, "console form"), boundTo);
}

/** Also under another name that is served here: the Host header has been checked. */
function isSameOrigin(config: Config, header: Posted["header"]): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = header("origin") ?? "";
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  const own = new URL(config.http.publicUrl);
  if (given.protocol !== own.protocol) return false;
  return given.host === own.host || given.host === header("host");
}
