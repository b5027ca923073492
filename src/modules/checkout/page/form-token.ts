/**
 * Whether a post came from the page's own form (Decision 0041). Three things must agree: the token
 * that only the page knows, the Origin, and the browser's own word of where the request began.
 *
 * The token is worked out from the address of the page, so nothing is kept and no cookie is needed:
 * the page also works in a frame on the merchant's site, where browsers refuse cookies.
 */

import type { Config } from "../../../infra/config.ts";
import { derivedKey, keyedDigest, type SecretKey, sameBytes } from "../../../kit/secrets.ts";

export function formToken({ tokenPeppers }: Pick<Config, "tokenPeppers">, token: string): string {
  return digestOf(tokenPeppers.current, token).toString("base64url");
}

interface Posted {
  readonly token: string;
  readonly formToken: string | undefined;
  header(name: string): string | undefined;
}

export function cameFromPage(
  config: Pick<Config, "tokenPeppers" | "http">,
  { token, formToken: given = "", header }: Posted,
): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  if (!isOwnOrigin(config, header("origin"), header("host"))) return false;
  const bytes = Buffer.from(given, "base64url");
  return config.tokenPeppers.all.some((pepper) => sameBytes(digestOf(pepper, token), bytes));
}

function digestOf(pepper: SecretKey, token: string): Buffer {
  return keyedDigest(derivedKey(pepper, "checkout form"), token);
}

/** Also under another name that is served here: the guard has checked the Host header. */
function isOwnOrigin({ http }: Pick<Config, "http">, origin = "", host = ""): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  const own = new URL(http.paymentsPublicUrl);
  if (given.protocol !== own.protocol) return false;
  return given.host === own.host || (host !== "" && given.host === host);
}
