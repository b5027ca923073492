/**
 * Under which name passkeys are made and used (Decision 0090). A passkey belongs to one host name;
 * an address in figures has none, so there they cannot be used.
 */

import { isIP } from "node:net";
import type { Config } from "../../infra/config.ts";

export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** `host`: of the request. On a developer's machine `localhost` is served beside PUBLIC_URL. */
export function relyingPartyOf(
  { http, demoWorld }: Pick<Config, "http" | "demoWorld">,
  host: string | undefined,
): RelyingParty | undefined {
  const own = new URL(http.publicUrl);
  const address = `${own.protocol}//${host}`;
  if (!URL.canParse(address)) return undefined;
  const given = new URL(address);
  const isOurs = given.host === own.host || (demoWorld && given.hostname === "localhost");
  if (!isOurs || isIP(given.hostname.replace(/^\[|\]$/g, "")) !== 0) return undefined;
  return { id: given.hostname, origin: given.origin };
}
