/**
 * How a path of an earlier version is served: by the route that answers today, with its
 * identifiers taken from where they stood in the old request (Decision 0051).
 *
 * Every answer of the route, a refusal too, says that the path is deprecated and which one to call
 * instead.
 */

import { NotFound } from "../../../kit/errors.ts";
import type { Infra } from "../../context.ts";
import type { AdmissionContext } from "../admit/admit-request.ts";
import { parseForm } from "../body/parse-form.ts";
import type { Request } from "../request.ts";
import type { Route } from "../route.ts";
import type { Endpoint } from "./router.ts";
import { answerTo, endpointOf, type Target } from "./serve-route.ts";

export function v1Endpoint<Ctx extends Infra>(
  ctx: Ctx,
  admissions: AdmissionContext,
  route: Route<Ctx>,
): Endpoint {
  const endpoint = endpointOf(ctx, admissions, route);
  const { successors = [] } = route;
  const template = linkTo(successors.at(-1)?.path ?? "");
  return {
    ...endpoint,
    admit(request) {
      request.answerHeaders.deprecation = "true";
      request.answerHeaders.link = template;
      return endpoint.admit(request);
    },
    async answer(request) {
      const { successor, ...target } = findSuccessor(successors, request);
      request.answerHeaders.link = linkTo(target.url.replace(/\?.*$/s, ""));
      return answerTo(ctx, successor, request, { target });
    },
  };
}

function linkTo(path: string): string {
  return `<${path}>; rel="successor-version"`;
}

function findSuccessor<Ctx>(
  successors: readonly Route<Ctx>[],
  request: Request,
): Target & { successor: Route<Ctx> } {
  const { url } = request;
  const search = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const given = givenIds(successors, request, search);
  const isComplete = ({ params = {} }: Route<Ctx>) =>
    Object.keys(params).every((name) => given[name] !== undefined);
  const successor = successors.find(isComplete) ?? successors.at(-1);
  if (successor === undefined) throw new Error("a path of 1.x has no successor");
  // Where one is missing the path keeps its braces, and reading the fields refuses it next.
  const path = successor.path.replace(/\{(\w+)\}/g, (braces, name: string) =>
    given[name] === undefined ? braces : encodeURIComponent(String(given[name])),
  );
  return { successor, params: given, url: path + search };
}

/** By their names in the path of today: from the body, or else from the query. */
function givenIds(
  successors: readonly Route<never>[],
  request: Request,
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
