/**
 * The `scopes` field: names separated by spaces, or a JSON array; old names become the new ones.
 */

import { wordList } from "../../kit/fields/choice.ts";
import { described } from "../../kit/fields/field.ts";
import { SCOPES, scopeNamed } from "../../kit/scopes.ts";

const NAMES_MAX = 100;

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
  `Scope names separated by spaces: ${SCOPES.join(", ")}. The names of 1.x are understood.`,
  "svc-user-all svc-transactions-retrieve",
);
