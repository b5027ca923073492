/**
 * The `scopes` fields: names separated by spaces (Interface §2.1); for a new key also a JSON array.
 * Names of 1.x become the current ones.
 */

import { wordList } from "../../kit/fields/choice.ts";
import { described, field } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import { SCOPES, scopeNamed } from "../../kit/scopes.ts";

const NAMES_MAX = 100;
const ABOUT =
  `Scope names separated by spaces. Known are: ${SCOPES.join(", ")}. ` +
  "The names of 1.x are understood.";
const EXAMPLE = "svc-user-all svc-transactions-retrieve";

export const scopesField = described(
  wordList({
    separator: / /,
    readWord: scopeNamed,
    min: 1,
    max: NAMES_MAX,
    schema: {
      oneOf: [{ type: "string" }, { type: "array", items: { type: "string", enum: SCOPES } }],
    },
  }),
  ABOUT,
  EXAMPLE,
);

/** Signing in takes text only. */
export const scopesText = described(
  field({ type: "string" }, (value, name) => scopesField.read(asText(value, name), name)),
  ABOUT,
  EXAMPLE,
);
