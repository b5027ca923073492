/**
 * What is checked before anybody asks who is calling: the shape of the request itself.
 */

import type { FastifyRequest } from "fastify";
import { ServiceError, Unavailable } from "../../../kit/errors.ts";
import type { Config } from "../../config.ts";
import { countHeader } from "../admit/count-header.ts";
import { HttpRefused } from "../serve/render-error.ts";
import { authorityOf } from "./request-target.ts";

const HEADER_LINES_MAX = 100;
/** Whoever speaks like this is not asked to go on. */
const CLOSING = { headers: { connection: "close" } };
const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export class MisdirectedRequest extends ServiceError {
  constructor(host: string) {
    super({
      status: 421,
      code: "misdirected_request",
      message: "Misdirected Request",
      cause: `Host ${host.slice(0, 100)} is not served; see PUBLIC_URL and ALLOWED_HOSTS`,
    });
  }
}

export function createRequestGuard(config: Config): (request: FastifyRequest) => void {
  const hosts = servedHosts(config);
  // Nearly every request names the host that the one before it named.
  let servedBefore: string | undefined;
  const isServed = (host: string) => {
    if (host === servedBefore || hosts === "any") return true;
    if (!hosts.has(hostName(host))) return false;
    servedBefore = host;
    return true;
  };
  return ({ raw, originalUrl }) => {
    const lines = raw.rawHeaders;
    if (lines.length > HEADER_LINES_MAX * 2) throw new HttpRefused("headers_too_large", CLOSING);
    // Node keeps the first of two Host headers and says nothing; a proxy in front may keep the
    // last.
    if (countHeader(lines, "host") !== 1) throw new HttpRefused("malformed_request", CLOSING);
    // Compressed bodies are a way to send a bomb, and no client of this interface needs them.
    const encoding = raw.headers["content-encoding"]?.toLowerCase() ?? "identity";
    if (encoding !== "identity" && !isBodiless(raw.method))
      throw new HttpRefused("compressed_body");
    const { host = "" } = raw.headers;
    if (!isServed(host) && !leadsToHealth({ raw })) throw new MisdirectedRequest(host);
    const named = authorityOf(originalUrl);
    if (named !== undefined && !isServed(named)) throw new MisdirectedRequest(named);
  };
}

/** A body may come with these methods too, but nobody reads it. */
function isBodiless(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD";
}

/** Orchestrators ask after our health by address, not by name. */
const HEALTH_PATHS = ["/livez", "/readyz"];
/** Also answered by a process that is stopping or cannot keep up. */
export const OPERATIONAL_PATHS: readonly string[] = [...HEALTH_PATHS, "/metrics"];

/** By one pattern, made once, because every request is asked. */
function leadsTo(paths: readonly string[]): (request: Pick<FastifyRequest, "raw">) => boolean {
  const pattern = new RegExp(`^(?:${paths.join("|")})/?(?:\\?|$)`);
  return ({ raw }) => pattern.test(raw.url ?? "");
}

const leadsToHealth = leadsTo(HEALTH_PATHS);
export const isOperational = leadsTo(OPERATIONAL_PATHS);

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

/** A process that is stopping, or cannot keep up, says so at once instead of queueing. */
export function refuseWhen(isBusy: () => string | undefined): (request: FastifyRequest) => void {
  return (request) => {
    const why = isBusy();
    if (why !== undefined && !isOperational(request)) throw new Unavailable({ cause: why });
  };
}
