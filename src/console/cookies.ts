/**
 * The cookies of the console (Decision 0085). `__Host-` binds one to this host, its root and TLS;
 * browsers refuse that name over the plain http of a developer's machine, where it has none.
 */

import type { Config } from "../infra/config.ts";
import { BROWSER_SECONDS } from "../modules/people/known-browser.ts";

type Header = (name: string) => string | undefined;

const SESSION = "windward";
const OPERATOR = "windward-operator";
const BROWSER = "windward-browser";

export function sessionCookie(config: Config, value: string): string {
  return cookie(config, SESSION, value);
}

export function endedSessionCookie(config: Config): string {
  return cookie(config, SESSION, "", 0);
}

export function operatorCookie(config: Config, value: string): string {
  return cookie(config, OPERATOR, value);
}

export function endedOperatorCookie(config: Config): string {
  return cookie(config, OPERATOR, "", 0);
}

export function readOperatorCookie(config: Config, header: Header): string | undefined {
  return read(config, OPERATOR, header);
}

/** Tells a browser that signed in before from a new one; it opens nothing. */
export function browserCookie(config: Config, value: string): string {
  return cookie(config, BROWSER, value, BROWSER_SECONDS);
}

export function readSessionCookie(config: Config, header: Header): string | undefined {
  return read(config, SESSION, header);
}

export function readBrowserCookie(config: Config, header: Header): string | undefined {
  return read(config, BROWSER, header);
}

function nameOf({ http }: Config, name: string): string {
  return http.publicUrl.startsWith("https:") ? `__Host-${name}` : name;
}

function cookie(config: Config, name: string, value: string, seconds?: number): string {
  const isEncrypted = config.http.publicUrl.startsWith("https:");
  return [
    `${nameOf(config, name)}=${value}`,
    "Path=/",
    ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
    "HttpOnly",
    "SameSite=Lax",
    ...(isEncrypted ? ["Secure"] : []),
  ].join("; ");
}

/** Two of one name are none: one of them is not ours. */
function read(config: Config, name: string, header: Header): string | undefined {
  const wanted = nameOf(config, name);
  const values = (header("cookie") ?? "").split(";").flatMap((pair) => {
    const [key = "", ...rest] = pair.split("=");
    return key.trim() === wanted ? [rest.join("=").trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
