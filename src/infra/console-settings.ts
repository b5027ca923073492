/** Settings of the merchant's console. */

import { oneOf } from "./setting-kinds.ts";

export const CONSOLE_DECLARED = {
  OWNER_SECOND_FACTOR: oneOf(
    ["required", "optional"],
    { preset: { production: "required", development: "optional" }, inProduction: "required" },
    "Whether an owner needs a second factor to move live money from the console: required or " +
      "optional. Without it: optional in development. Production takes required only.",
  ),
} as const;
