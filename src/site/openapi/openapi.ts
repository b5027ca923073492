/**
 * The OpenAPI 3.1 document (Decision 0016, Decision 0050), made from the routes that are served, so
 * that it cannot be out of date.
 */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "../../infra/config.ts";
import { admissionTo } from "../../infra/http/admit/admit-request.ts";
import { changesShared } from "../../infra/http/admit/refuse-sandbox-writes.ts";
import type { Route } from "../../infra/http/route.ts";
import { INTERFACE_VERSION } from "../../infra/http/serve/response-headers.ts";
import { atOnce } from "../../kit/in-slices.ts";
import { textSchema } from "../../kit/response-schema.ts";
import { type JsonSchema, Type } from "../../kit/schema.ts";
import { ERROR_CODE_SCHEMA, PROBLEM_SCHEMA } from "./problem-schema.ts";
import { ABOUT, groupOf, SECURITY_SCHEMES, TAGS } from "./prose.ts";
import { bodyOf, parametersOf, uploadOf } from "./requests.ts";
import { responsesOf, type Shared } from "./responses.ts";

const ERROR_BODY = Type.Object({
  message: textSchema("One sentence that says what is wrong.", "Not Found"),
});

type DocumentedConfig = Pick<Config, "http" | "limitsPerMinute">;

export function openapiOf(routes: readonly Route<never>[], config: DocumentedConfig): JsonSchema {
  return atOnce(openapiSteps(routes, config));
}

/** The same while requests are served: each route's refusals are found by trying its fields. */
export function* openapiSteps(
  routes: readonly Route<never>[],
  config: DocumentedConfig,
): Generator<void, JsonSchema> {
  const paths: Record<string, Record<string, unknown>> = {};
  const shared: Shared = { responses: {}, examples: {}, headers: {} };
  const schemas: Record<string, unknown> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    paths[route.path] = path;
    path[route.method.toLowerCase()] = nameSchemas(operationOf(route, config, shared), schemas);
    yield;
  }
  const own = { Error: ERROR_BODY, Problem: PROBLEM_SCHEMA, ErrorCode: ERROR_CODE_SCHEMA };
  const components = nameSchemas(
    { schemas: own, ...shared, securitySchemes: SECURITY_SCHEMES },
    schemas,
  );
  const groups = new Set(routes.map(groupOf));
  return {
    openapi: "3.1.0",
    info: {
      title: "Windward",
      version: INTERFACE_VERSION,
      summary: "Payments and accounts for merchants in the Caribbean",
      description: ABOUT,
      contact: { name: "Windward", url: `${config.http.publicUrl}/docs` },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: config.http.publicUrl, description: "This service." }],
    tags: TAGS.filter(({ name }) => groups.has(name)),
    paths,
    components: { ...components, schemas: { ...schemas, ...(components.schemas as object) } },
  };
}

function operationOf(route: Route<never>, config: DocumentedConfig, shared: Shared): JsonSchema {
  const limit = limitOf(route, config);
  const { publicUrl, paymentsPublicUrl } = config.http;
  const isElsewhere = route.base === "payments" && paymentsPublicUrl !== publicUrl;
  return {
    operationId: operationId(route),
    tags: [groupOf(route)],
    summary: route.summary,
    ...(route.successors && { deprecated: true }),
    description: [route.about, accessWords(route), limit?.words].filter(Boolean).join(" "),
    ...(limit && { "x-rate-limit": limit.data }),
    ...(isElsewhere && { servers: [{ url: paymentsPublicUrl, description: "Payments." }] }),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(route.body && { requestBody: bodyOf(route, route.body) }),
    ...(route.upload && { requestBody: uploadOf(route, route.upload) }),
    responses: responsesOf(route, shared),
  };
}

function limitOf(route: Route<never>, config: DocumentedConfig) {
  const { callLimit, addressLimit } = admissionTo(route, config);
  const max = callLimit?.max ?? addressLimit?.max;
  if (max === undefined) return undefined;
  const per = callLimit?.per ?? "address";
  const counted = callLimit ? `for each ${per}` : "from one address";
  return { words: `At most ${max} a minute ${counted}.`, data: { max, per, seconds: 60 } };
}

function operationId(route: Route<never>): string {
  const words = route.path.match(/[a-z0-9]+/gi) ?? [];
  return [route.method.toLowerCase(), ...words].join("-");
}

/** One alternative for each scope, because each of them is enough. */
function securityOf({ access }: Route<never>): JsonSchema[] {
  if (access === "public") return [];
  const kinds = access.credentials === "bearer" ? ["bearer"] : ["bearer", "apiKey"];
  const scopes = access.anyScope?.map((scope) => [scope]) ?? [[]];
  return kinds.flatMap((kind) => scopes.map((scope) => ({ [kind]: scope })));
}

function accessWords({ access }: Route<never>): string {
  if (access === "public") return "Needs no credential.";
  const { anyScope, accountType, credentials } = access;
  const names = anyScope?.map((scope) => `\`${scope}\``).join(" or ");
  const who = accountType === undefined ? "" : ` of a ${accountType} account`;
  const what = credentials === "bearer" ? "a bearer token" : "a bearer token or an API key";
  const takes = `Takes ${what}${who}${names === undefined ? "" : ` with ${names}`}.`;
  return changesShared(access) ? `${takes} An API key of the sandbox gets 403.` : takes;
}

/**
 * Replaces every schema that has a title by a reference to it, and adds it to `schemas`: each is
 * written once and has the same name in generated clients.
 */
function nameSchemas(document: JsonSchema, schemas: Record<string, unknown>): JsonSchema {
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (part === null || typeof part !== "object") return part;
    const entries = Object.entries(part).map(([name, one]) => [
      name,
      // Examples are data: a title in them names no schema.
      name === "example" || name === "examples" ? one : walk(one),
    ]);
    const whole = Object.fromEntries(entries) as JsonSchema;
    const { title, properties } = whole;
    if (typeof title !== "string" || properties === undefined) return whole;
    const known = schemas[title];
    assert(known === undefined || isDeepStrictEqual(known, whole), `two schemas are ${title}`);
    schemas[title] = whole;
    return { $ref: `#/components/schemas/${title}` };
  };
  return walk(document) as JsonSchema;
}
