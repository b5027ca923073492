/**
 * The OpenAPI 3.1 document (Decision 0016), made from the routes themselves: what is written there
 * is what is served, so the document cannot be out of date.
 */

import type { JsonSchema, Shape } from "../../../kit/fields/field.ts";
import { schemaOf } from "../../../kit/fields/field.ts";
import type { Config } from "../../config.ts";
import { admissionTo } from "../admit-request.ts";
import { INTERFACE_VERSION } from "../response-headers.ts";
import type { AnswerDoc, Route, UploadRules } from "../route.ts";
import { commonAnswers } from "./common-answers.ts";

const ERROR_BODY = {
  type: "object",
  properties: { message: { type: "string" } },
  required: ["message"],
};

type DocumentedConfig = Pick<Config, "http" | "limitsPerMinute">;

export function openapiOf(routes: readonly Route<never>[], config: DocumentedConfig): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    paths[route.path] = path;
    path[route.method.toLowerCase()] = operationOf(route, config);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Windward",
      version: INTERFACE_VERSION,
      description:
        "Payments and accounts for merchants in Barbados, Grenada, Guyana, Jamaica and " +
        "Trinidad and " +
        "Tobago. Bodies are JSON or form data, as you like; every error is one sentence in " +
        "`message`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: config.http.publicUrl }],
    paths,
    components: {
      schemas: { Error: ERROR_BODY },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        apiKey: { type: "apiKey", in: "header", name: "X-SVC-Key" },
      },
    },
  };
}

function operationOf(route: Route<never>, config: DocumentedConfig): JsonSchema {
  return {
    operationId: operationId(route),
    tags: [route.group ?? "Service"],
    summary: route.summary,
    ...(route.successors && { deprecated: true }),
    description: [route.about, limitOf(route, config)].filter(Boolean).join(" "),
    security: securityOf(route),
    parameters: [
      ...parametersOf(route.params, "path"),
      ...parametersOf(route.query, "query"),
      ...(route.idempotent ? [IDEMPOTENCY_HEADER] : []),
    ],
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route.body) }),
    ...(route.upload === undefined ? {} : { requestBody: uploadOf(route, route.upload) }),
    responses: responsesOf(route),
  };
}

const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 255 },
  description: "Send the same key again to get the first answer again instead of a second effect.",
};

function limitOf(route: Route<never>, config: DocumentedConfig): string | undefined {
  const { callLimit, addressLimit } = admissionTo(route, config);
  if (callLimit) return `At most ${callLimit.max} a minute for each ${callLimit.per}.`;
  return addressLimit && `At most ${addressLimit.max} a minute from one address.`;
}

function uploadOf({ overridableBy }: Route<never>, { field, bytesMax }: UploadRules): JsonSchema {
  const file = { type: "string", format: "binary", maxLength: bytesMax };
  const method = {
    const: overridableBy,
    description: `For clients that cannot send a file with ${overridableBy}.`,
  };
  const properties = { [field]: file, ...(overridableBy && { _method: method }) };
  const schema = { type: "object", properties, required: [field] };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

function operationId(route: Route<never>): string {
  const words = route.path.match(/[a-z0-9]+/gi) ?? [];
  return [route.method.toLowerCase(), ...words].join("-");
}

function securityOf({ access }: Route<never>): JsonSchema[] {
  if (access === "public") return [];
  const scopes = access.anyScope ?? [];
  const bearer = { bearer: scopes };
  return access.credentials === "bearer" ? [bearer] : [bearer, { apiKey: scopes }];
}

function parametersOf(shape: Shape | undefined, place: "path" | "query"): JsonSchema[] {
  return Object.entries(shape ?? {}).map(([name, { schema, required }]) => ({
    name,
    in: place,
    required: place === "path" || required,
    schema,
  }));
}

function bodyOf(shape: Shape): JsonSchema {
  const content = { schema: schemaOf(shape) };
  return {
    required: Object.values(shape).some((field) => field.required),
    content: { "application/json": content, "application/x-www-form-urlencoded": content },
  };
}

function responsesOf(route: Route<never>): JsonSchema {
  const answers: Record<string, AnswerDoc> = { ...commonAnswers(route), ...route.answers };
  const entries = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)]);
  return Object.fromEntries(entries);
}

function responseOf(answer: AnswerDoc): JsonSchema {
  const schema = answer.body ?? { $ref: "#/components/schemas/Error" };
  return {
    description: answer.about,
    content: {
      [answer.contentType ?? "application/json"]: { schema },
      ...(answer.alsoAs && { [answer.alsoAs]: { schema: { type: "string" } } }),
    },
  };
}
