/**
 * How a path of an earlier version is served: by the route that answers today, with its
 * identifiers taken from where they stood in the old request (Decision 0051).
 *
 * Every answer of the route, a refusal too, says that the path is deprecated and which one to call
 * instead.
 */

import type { FastifyInstance, FastifyRequest } from "fastify";
import { NotFound } from "../../../kit/errors.ts";
import type { Infra } from "../../context.ts";
import type { Doorkeeper } from "../admit/admit-request.ts";
import { parseForm } from "../body/parse-form.ts";
import type { Route } from "../route.ts";
import { measured } from "./measure-requests.ts";
import {
  type Asked,
  admitterOf,
  answererOf,
  configOf,
  fastifyPath,
  sendWhenReady,
} from "./serve-route.ts";

export type V1Route<Ctx> = Route<Ctx> & {
  readonly successors: NonNullable<Route<Ctx>["successors"]>;
};

export function serveV1Route<Ctx extends Infra>(
  app: FastifyInstance,
  ctx: Ctx,
  door: Doorkeeper,
  route: V1Route<Ctx>,
): void {
  const admit = admitterOf(ctx, door, route);
  const url = fastifyPath(route.path);
  const counts = measured(route.method, url);
  const answerers = new Map(route.successors.map((one) => [one, answererOf(ctx, one)] as const));
  const template = linkTo(route.successors.at(-1)?.path ?? "");
  app.route({
    method: route.method,
    url,
    config: configOf(route),
    onRequest: (request, reply) => {
      request.measured = counts;
      reply.header("deprecation", "true").header("link", template);
      return admit(request, reply);
    },
    handler: (request, reply) => {
      const { successor, ...asked } = findSuccessor(route, request);
      const answer = answerers.get(successor) ?? answererOf(ctx, successor);
      reply.header("link", linkTo(asked.url.replace(/\?.*$/s, "")));
      sendWhenReady(reply, answer(request, { asked }));
    },
  });
}

function linkTo(path: string): string {
  return `<${path}>; rel="successor-version"`;
}

function findSuccessor<Ctx>(
  { successors }: V1Route<Ctx>,
  request: FastifyRequest,
): Asked & { successor: Route<Ctx> } {
  const url = request.raw.url ?? "";
  const search = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const given = givenIds(successors, request, search);
  const isComplete = ({ params = {} }: Route<Ctx>) =>
    Object.keys(params).every((name) => given[name] !== undefined);
  const successor = successors.find(isComplete) ?? successors.at(-1);
  if (successor === undefined) throw new Error("a former path leads nowhere");
  // Where one is missing the path keeps its braces, and reading the fields refuses it next.
  const path = successor.path.replace(/\{(\w+)\}/g, (braces, name: string) =>
    given[name] === undefined ? braces : encodeURIComponent(String(given[name])),
  );
  return { successor, params: given, url: path + search };
}

/** By their names in the path of today: from the body, or else from the query. */
function givenIds(
  successors: readonly Route<never>[],
  request: FastifyRequest,
  search: string,
): Record<string, unknown> {
  const names = successors.flatMap(({ params = {} }) => Object.keys(params));
  if (names.length === 0) return {};
  const body = (request.body ?? {}) as Record<string, unknown>;
  const query = parseForm(search.slice(1), { repeated: "refuse", what: "query" });
  const found = names.flatMap((name) => {
    const value = [body, query].map((from) => idIn(from, name)).find((id) => id !== undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** What no path could hold names nothing. */
const ID = /^[\x21-\x7e]{1,64}$/;

function idIn(from: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(from, name) ? from[name] : undefined;
  if (value === undefined || value === null || value === "") return undefined;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !ID.test(text))
    throw new NotFound("an identifier that no path can hold");
  return text;
}
