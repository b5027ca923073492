/** What the routes of both feeds ask for. */

import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";

export const environmentField = described(
  optional(oneOf(ENVIRONMENTS)),
  "Absent: that of the API key, or live with a bearer token.",
  "sandbox",
);
