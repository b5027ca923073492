/** A line of the request log as it is answered: in a list, and by itself with what was sent. */

import { pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import {
  countSchema,
  EXAMPLE,
  orNull,
  textSchema,
  timestampSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { type Explanation, explanationSchema } from "./explain-refusal.ts";

/** Columns of a line in a list. */
export const LISTED = pick(
  tables.logged_requests,
  "request_id",
  "at",
  "environment",
  "method",
  "path",
  "status",
  "code",
  "duration_ms",
  "credential",
  "address",
);

export interface ListedRequest extends Omit<Row<typeof LISTED>, "environment"> {
  /** Null: of a bearer token, in a request that names neither. */
  readonly environment: Environment | null;
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface LoggedRequest extends ListedRequest {
  readonly request: Message & { readonly query: string | null };
  readonly response: Message;
  /** Null for a success. */
  readonly explanation: Explanation | null;
}

export function listedRequest(row: Row<typeof LISTED>): ListedRequest {
  return { ...row, environment: row.environment === "any" ? null : row.environment };
}

const listedFields = {
  request_id: uuidSchema("`X-Request-Id` of the answer."),
  at: timestampSchema("When the request began."),
  environment: orNull(
    wordSchema(
      ENVIRONMENTS,
      "Null for a bearer token, where the request names neither.",
      "sandbox",
    ),
  ),
  method: textSchema("Of HTTP.", "POST"),
  path: textSchema("As it was requested, without the query.", "/plugins/payments/request"),
  status: countSchema("Of the answer.", 400),
  code: orNull(
    textSchema("The error's code, as in `X-SVC-Error`; null for a success.", "field_required"),
  ),
  duration_ms: countSchema("Milliseconds from the request to its answer.", 12),
  credential: orNull(
    textSchema(
      "The `kid` of an API key, or `grant` and the id of a sign-in. Null for a payment request, " +
        "which needs none.",
      EXAMPLE.kid,
    ),
  ),
  address: textSchema("Where it came from.", "203.0.113.7"),
};

const headersSchema = (about: string, example: Record<string, string>) =>
  Type.Record(Type.String(), { description: about, examples: [example] });

const bodySchema = (about: string, example: string) => orNull(textSchema(about, example));

export const listedRequestSchema = Type.Object(listedFields, { title: "ListedRequest" });

export const loggedRequestSchema = Type.Object(
  {
    ...listedFields,
    request: Type.Object(
      {
        query: orNull(textSchema("As it was sent; null without one.", "page=2"), null),
        headers: headersSchema("Those that matter; never a credential or a cookie.", {
          "content-type": "application/json",
          "user-agent": "shop/1.0",
        }),
        body: bodySchema(
          "What was read of it, as JSON, up to 4 kB, with secrets masked. In brackets its type " +
            "and size where it is something else. Null without one.",
          '{"account_number":"1234567890","total":"10.00"}',
        ),
      },
      { description: "What was sent." },
    ),
    response: Type.Object(
      {
        headers: headersSchema("Those that matter.", {
          "content-type": "application/json; charset=utf-8",
          "x-svc-error": "field_required",
        }),
        body: bodySchema(
          "In the same way.",
          '{"url":"","message":"The order id field is required.","transaction_id":""}',
        ),
      },
      { description: "What was answered." },
    ),
    explanation: orNull(explanationSchema),
  },
  { title: "LoggedRequest" },
);
