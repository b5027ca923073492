/** Settings of the merchants' and the operator's consoles. */

import { integer, oneOf } from "./setting-kinds.ts";

export const CONSOLE_DECLARED = {
  OWNER_SECOND_FACTOR: oneOf(
    ["required", "optional"],
    { preset: { production: "required", development: "optional" }, inProduction: "required" },
    "Whether an owner needs a second factor to move live money from the console: required or " +
      "optional. Without it: optional in development. Production takes required only.",
  ),
  SECOND_PERSON_FROM_TTD: integer(
    { min: 0, max: 1_000_000_000, preset: "5000" },
    "From how many TTD on, or their like in other currencies, an operator at /operator needs a " +
      "second person to move money.",
  ),
} as const;
