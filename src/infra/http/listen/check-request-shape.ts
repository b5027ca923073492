/** What is checked before the caller is: the shape of the request itself. */

import type { IncomingMessage } from "node:http";
import { ServiceError } from "../../../kit/errors.ts";
import type { Config } from "../../config.ts";
import { HttpRefused } from "../http-refused.ts";
import { countHeader } from "../request.ts";
import { authorityOf } from "./request-target.ts";

const HEADER_LINES_MAX = 100;
/** A client that sends this is not expected to send anything better next. */
const CLOSING = { headers: { connection: "close" } };
const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
/** Asked for by address, not by name, by what watches over the process. */
const HEALTH_PATHS = new Set<string | undefined>(["/livez", "/readyz"]);

export class MisdirectedRequest extends ServiceError {
  constructor(host: string) {
    const cause = `Host ${host.slice(0, 100)} is not served; see PUBLIC_URL and ALLOWED_HOSTS`;
    super("misdirected_request", { cause });
  }
}

/** `path`: that of the route, as the router writes it. */
type CheckShape = (raw: IncomingMessage, path: string | undefined) => void;

export function createShapeCheck(config: Config): CheckShape {
  const hosts = servedHosts(config);
  // Nearly every request names the host that the one before it named.
  let servedBefore: string | undefined;
  const isServed = (host: string) => {
    if (host === servedBefore || hosts === "any") return true;
    if (!hosts.has(hostName(host))) return false;
    servedBefore = host;
    return true;
  };
  return (raw, path) => {
    const lines = raw.rawHeaders;
    if (lines.length > HEADER_LINES_MAX * 2) throw new HttpRefused("headers_too_large", CLOSING);
    // Node keeps the first of two Host headers silently; a proxy in front may keep the last.
    if (countHeader(lines, "host") !== 1) throw new HttpRefused("malformed_request", CLOSING);
    // Compressed bodies are a way to send a bomb, and no client of this interface needs them.
    const encoding = raw.headers["content-encoding"]?.toLowerCase() ?? "identity";
    if (encoding !== "identity" && !isBodiless(raw.method))
      throw new HttpRefused("compressed_body");
    const { host = "" } = raw.headers;
    if (!isServed(host) && !HEALTH_PATHS.has(path)) throw new MisdirectedRequest(host);
    const named = authorityOf(raw.url ?? "/");
    if (named !== undefined && !isServed(named)) throw new MisdirectedRequest(named);
  };
}

/** A compressed body of these is ignored, as any other body of theirs. */
function isBodiless(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD";
}

function servedHosts(config: Config): ReadonlySet<string> | "any" {
  const { publicUrl, paymentsPublicUrl, allowedHosts, host } = config.http;
  if (allowedHosts.includes("*")) return "any";
  const named = [publicUrl, paymentsPublicUrl].map((url) => new URL(url).hostname);
  const given = [...allowedHosts, host, ...named, ...LOOPBACK_NAMES];
  return new Set(given.map((name) => name.toLowerCase()));
}

/** Without the port, and without the dot that makes a name absolute. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}
