/**
 * Finds what serves a request: the path first, then its method. So `DELETE /withdrawals/meta` is
 * 405 because that path has no DELETE, and `meta` is never taken for the id of another path
 * (Decision 0076).
 */

import createPathRouter from "find-my-way";
import { NotFound } from "../../../kit/errors.ts";
import type { Answer } from "../answer.ts";
import { HttpRefused } from "../http-refused.ts";
import { headerOf, type Request } from "../request.ts";
import type { ErrorPage } from "../route.ts";
import { isOpenToScripts, preflightHeaders } from "./cross-origin.ts";
import type { Measured } from "./measure-requests.ts";

/** What serves one method of a path. */
export interface Endpoint {
  readonly measured: Measured;
  readonly errorPage: ErrorPage | undefined;
  readonly highPriority: boolean;
  /** Answered also by a process that is stopping or cannot keep up. */
  readonly isOperational: boolean;
  readonly isUpload: boolean;
  /** In the request log also when no caller is known. */
  readonly isLogged: boolean;
  /** Throws 401, 429, 403; the body has not been read. */
  admit(request: Request): Promise<void>;
  /** Undefined where there is no body to read. */
  readBody(request: Request): Promise<unknown> | undefined;
  answer(request: Request): Promise<Answer>;
}

export interface ServedPath {
  /** As the router writes it: `/auth/keys/:kid`. */
  readonly path: string;
  /** As its route declares it: `/auth/keys/{kid}`. */
  readonly template: string;
  readonly endpoints: Map<string, Endpoint>;
}

export interface Router {
  add(method: string, path: string, endpoint: Endpoint): void;
  /** Sets the request's `params`. Throws for a path that cannot be decoded. */
  find(request: Request): ServedPath | undefined;
}

const NO_QUERY = Object.freeze({});

export function createRouter(): Router {
  const byPath = new Map<string, ServedPath>();
  const router = createPathRouter({
    ignoreTrailingSlash: true,
    maxParamLength: 64,
    querystringParser: () => NO_QUERY, // each route reads its own fields, strictly
    onBadUrl() {
      throw new HttpRefused("malformed_request", { cause: "the path cannot be decoded" });
    },
    onMaxParamLength() {
      throw new NotFound("an identifier that is longer than any of ours");
    },
  });
  return {
    add(method, path, endpoint) {
      const name = path.replace(/(?<=.)\/$/, "");
      const template = name.replace(/:(\w+)/g, "{$1}");
      const served = byPath.get(name) ?? { path: name, template, endpoints: new Map() };
      if (!byPath.has(name)) router.get(name, () => {}, served);
      byPath.set(name, served);
      served.endpoints.set(method, endpoint);
    },
    find(request) {
      const { url, raw, response } = request;
      if (!url.startsWith("/")) return undefined;
      const found = router.find("GET", url);
      if (found === null) return undefined;
      // One of the two handlers above, which throw.
      if (found.store === null) found.handler(raw, response, {}, null, {});
      request.params = found.params;
      return found.store;
    },
  };
}

const EMPTY_PART_OR_NUL = /\/\/|%00/;

/** The router takes either for an identifier, and the database cannot hold a NUL. */
export function isAmbiguous(url: string): boolean {
  return EMPTY_PART_OR_NUL.test(url) && EMPTY_PART_OR_NUL.test(url.replace(/\?.*$/s, ""));
}

/** Of a path that exists without this method: OPTIONS lists the methods, any other is 405. */
export function answerOtherMethod({ endpoints }: ServedPath, request: Request): Answer {
  const methods = [...endpoints.keys()].flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : one));
  const allow = [...methods, "OPTIONS"].join(", ");
  if (request.method !== "OPTIONS")
    throw new HttpRefused("method_not_allowed", {
      headers: { allow },
      hint: `Use one of ${allow}.`,
    });
  const forScripts = isOpenToScripts(request.url)
    ? preflightHeaders(allow, headerOf(request, "access-control-request-headers"))
    : {};
  return { status: 204, body: "", headers: { ...forScripts, allow } };
}
