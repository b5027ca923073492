/**
 * A request for any route, made from the route itself: what a table test over all routes sends.
 * Fields get the example of their schema or a value of its type, so most requests are good ones.
 */

import type { AppContext } from "../src/app.ts";
import type { Route } from "../src/infra/http/route.ts";
import type { Shape } from "../src/kit/fields/field.ts";
import type { JsonSchema } from "../src/kit/schema.ts";

export interface RouteRequest {
  readonly path: string;
  readonly method: string;
  readonly json?: Record<string, unknown>;
}

export function routeName(route: Pick<Route<AppContext>, "method" | "path">): string {
  return `${route.method} ${route.path}`;
}

export function requestFor(route: Route<AppContext>): RouteRequest {
  const path = pathOf(route);
  const { method, body } = route;
  return body === undefined ? { path, method } : { path, method, json: exampleOf(body) };
}

/** The path with an identifier that names nothing in the place of each parameter. */
export function pathOf(route: Pick<Route<AppContext>, "path">): string {
  return route.path.replace(/\{\w+\}/g, "0".repeat(18));
}

function exampleOf(shape: Shape): Record<string, unknown> {
  const required = Object.entries(shape).filter(([, field]) => field.required);
  return Object.fromEntries(required.map(([name, { schema }]) => [name, sampleOf(schema)]));
}

function sampleOf(schema: JsonSchema): unknown {
  const [example] = (schema.examples as unknown[] | undefined) ?? [];
  if (example !== undefined) return example;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === "integer") return schema.minimum ?? 1;
  if (schema.format === "email") return "nobody@example.com";
  return "x".repeat(Number(schema.minLength ?? 1));
}
