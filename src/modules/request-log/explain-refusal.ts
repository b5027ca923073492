/**
 * What a refused request should have been, in words: from the catalogue of errors, and from what
 * the refusal itself said about its field.
 */

import { CATALOGUE, type ErrorCode, helpPath } from "../../kit/error-catalogue/catalogue.ts";
import { FIELD_ERRORS } from "../../kit/error-catalogue/field-errors.ts";
import { orNull, textSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";

export interface Explanation {
  readonly what_was_wrong: string;
  readonly what_was_expected: string;
  readonly how_to_mend_it: string;
  /** The field it is about, where it is about one. */
  readonly field: string | null;
  /** Address of the page about this error. */
  readonly documentation: string;
}

export const explanationSchema = Type.Object(
  {
    what_was_wrong: textSchema("What happened.", "A required field is absent or empty."),
    what_was_expected: textSchema("What would have been right.", "The order id field is required."),
    how_to_mend_it: textSchema("What to do about it.", "Send order_id; an empty text is absent."),
    field: orNull(textSchema("The field it is about, if it is about one.", "order_id")),
    documentation: textSchema(
      "The page about this error.",
      "https://api.example.com/docs/errors/field_required",
    ),
  },
  { title: "RequestExplanation" },
);

/** Of errors that are not about a field, whose own sentences say what is expected of it. */
const EXPECTED: Readonly<Record<number, string>> = {
  400: "A request that the reference allows for this route, in the state the account is in.",
  401: "One valid credential: a bearer token or an API key, neither expired nor revoked.",
  403: "A credential whose scopes, account and environment may do this.",
  404: "The identifier of something that this credential can reach, at a path that exists.",
  405: "A method that the path has.",
  408: "The whole request within the time that is allowed for it.",
  409: "A record in a state in which this can be done to it.",
  413: "A body that is no larger than the route accepts.",
  415: "A body of JSON or form data in UTF-8, uncompressed, with its Content-Type.",
  421: "A Host header with the address of this service.",
  422: "A request that the account's funds and records allow.",
  429: "No more requests than the limit of this route allows in its time.",
  431: "Fewer or smaller header fields.",
  500: "The request may have been right: the mistake is ours.",
  503: "The request may have been right: it came at a time when it could not be served.",
};

/** What is stored of the refusal, as far as it is known. */
export interface StoredRefusal {
  readonly message?: string;
  readonly field?: string | null;
  readonly hint?: string;
}

/** Null for a success, and for a code that this version does not know. */
export function explainRefusal(
  { code, refusal }: { code: string | null; refusal: StoredRefusal },
  { publicUrl }: { publicUrl: string },
): Explanation | null {
  if (code === null || !isCode(code)) return null;
  const { status, statement, hint, example } = CATALOGUE[code];
  const said = refusal.message ?? example;
  return {
    what_was_wrong: statement,
    what_was_expected: Object.hasOwn(FIELD_ERRORS, code) ? said : (EXPECTED[status] ?? said),
    how_to_mend_it: refusal.hint ?? hint,
    field: refusal.field ?? null,
    documentation: publicUrl + helpPath(code),
  };
}

function isCode(given: string): given is ErrorCode {
  return Object.hasOwn(CATALOGUE, given);
}
