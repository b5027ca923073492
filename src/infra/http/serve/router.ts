/**
 * The path exists but not with that method: 405 and the methods it has; OPTIONS just lists them.
 *
 * Looked up when no route was found, in a router of its own that knows paths alone. Routes for
 * every method that Node can parse would be thousands, which every start would have to make.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import createRouter from "find-my-way";
import { isOpenToScripts, preflightHeaders } from "./cross-origin.ts";
import { measured } from "./measure-requests.ts";
import { HttpRefused } from "./render-error.ts";

export interface OtherMethods {
  /** Of a path as the router writes it. */
  serves(url: string, method: string): void;
  /**
   * Once all are known: methods that are served elsewhere are refused by routes of their own, lest
   * a path with an id in it takes `meta` for one.
   */
  fence(app: FastifyInstance): void;
  /** Answers a request that no route was found for. */
  refuse(request: FastifyRequest, reply: FastifyReply): void;
}

interface Served {
  readonly path: string;
  readonly methods: Set<string>;
}

export function createOtherMethods(sameAsRoutes: {
  readonly ignoreTrailingSlash: boolean;
  readonly maxParamLength: number;
}): OtherMethods {
  const router = createRouter(sameAsRoutes);
  const byPath = new Map<string, Served>();

  function refuse(request: FastifyRequest, reply: FastifyReply): void {
    const found = router.find("GET", request.raw.url ?? "");
    if (found === null) throw new HttpRefused("unknown_path");
    const { path, methods }: Served = found.store;
    request.measured = measured(request.method, path);
    const allow = [...methods, "OPTIONS"].join(", ");
    if (request.method !== "OPTIONS")
      throw new HttpRefused("method_not_allowed", {
        headers: { allow },
        hint: `Use one of ${allow}.`,
      });
    if (isOpenToScripts(request.raw.url)) {
      const requested = request.headers["access-control-request-headers"];
      reply.headers(preflightHeaders(allow, requested));
    }
    reply.code(204).header("allow", allow).send();
  }

  return {
    serves(url, method) {
      const path = url.replace(/(?<=.)\/$/, "");
      const served = byPath.get(path) ?? { path, methods: new Set() };
      if (!byPath.has(path)) router.get(path, () => {}, served);
      byPath.set(path, served);
      served.methods.add(method);
      if (method === "GET") served.methods.add("HEAD");
    },
    fence(app) {
      const all = [...new Set([...byPath.values()].flatMap(({ methods }) => [...methods]))];
      for (const { path: url, methods } of byPath.values()) {
        const method = all.filter((one) => !methods.has(one));
        if (method.length === 0) continue;
        const onRequest = async (request: FastifyRequest, reply: FastifyReply) =>
          refuse(request, reply);
        // A handler is demanded by Fastify; the hook has answered.
        app.route({ method, url, onRequest, handler: async () => {} });
      }
    },
    refuse,
  };
}
