/** Errors as RFC 9457 in OpenAPI: one schema for all of them, and an example of each code. */

import { problemOf } from "../../infra/http/serve/render-error.ts";
import {
  CATALOGUE,
  ERROR_CODES,
  type ErrorCode,
  helpPath,
} from "../../kit/error-catalogue/catalogue.ts";
import { ServiceError } from "../../kit/errors.ts";
import { textSchema } from "../../kit/response-schema.ts";
import { type JsonSchema, Type } from "../../kit/schema.ts";

const REQUEST_ID = "3f0c2b9e-8d41-4a7c-9a53-0b1e6f2d7c84";
const SENTENCE = "The refresh token field is required.";

export const ERROR_CODE_SCHEMA: JsonSchema = {
  type: "string",
  description: "A code of the catalogue at `/docs/errors`. Codes may be added.",
  enum: ERROR_CODES,
  examples: ["field_required"],
};

export const PROBLEM_SCHEMA: JsonSchema = Type.Object(
  {
    type: textSchema("The page about this error.", helpPath("field_required"), {
      format: "uri-reference",
    }),
    title: textSchema("A short name of the error.", CATALOGUE.field_required.title),
    status: Type.Integer({ description: "The status of the answer.", examples: [400] }),
    detail: textSchema("The message.", SENTENCE),
    code: { $ref: "#/components/schemas/ErrorCode" },
    field: Type.Optional(textSchema("The field that it is about, as it is sent.", "refresh_token")),
    hint: textSchema(
      "What to do about it, in one or two sentences.",
      "Send refresh_token as text.",
    ),
    request_id: textSchema("The `X-Request-Id` of the answer.", REQUEST_ID, { format: "uuid" }),
    message: textSchema("The same as `detail`, as in the default body.", SENTENCE),
    url: Type.Optional(
      textSchema("Of a payment request: the merchant's page with the reason.", ""),
    ),
    transaction_id: Type.Optional(textSchema("Of a payment request: empty.", "")),
    error: Type.Optional(textSchema("Of a sign-in: the kind of error.", "invalid_grant")),
    error_description: Type.Optional(
      textSchema("Of a sign-in: the message.", "The refresh token is invalid."),
    ),
  },
  { description: "An error in the form of RFC 9457, for callers whose Accept prefers it to JSON." },
);

/** The default body of a code's example. */
export function exampleBody(code: ErrorCode): object {
  const { example, extra = {} } = CATALOGUE[code];
  return { message: example, ...extra };
}

export function exampleProblem(code: ErrorCode): object {
  return problemOf(new ServiceError(code), { requestId: REQUEST_ID, body: exampleBody(code) });
}
