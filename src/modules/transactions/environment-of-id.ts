/** The environment of a record that is asked for by an id which names one itself. */

import { oneOf } from "../../kit/fields/choice.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { ENVIRONMENTS } from "./transaction.ts";

export const environmentOfId = described(
  optional(oneOf(ENVIRONMENTS)),
  "Absent: the one that the id names, as far as the credential reaches.",
  "sandbox",
);
