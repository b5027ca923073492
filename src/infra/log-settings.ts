/** Settings of what is written down about requests: for the operator and for merchants. */

import { file, integer, oneOf } from "./setting-kinds.ts";

export const LOG_DECLARED = {
  LOG_LEVEL: oneOf(
    ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    { preset: { production: "info", development: "warn" } },
    "fatal, error, warn, info, debug, trace or silent. Without it: info in production, warn in " +
      "development.",
  ),
  REQUEST_LOG: oneOf(
    ["on", "off"],
    { preset: "on" },
    "Whether the requests of the last seven days are kept for merchants to look at: on or off.",
  ),
  TRACING: file(
    "docs/operations/tracing.mjs",
    "A file that starts an OpenTelemetry SDK and exports stop(). Without it nothing is traced.",
  ),
  TRACE_ONE_OF: integer(
    { min: 1, max: 1_000_000, preset: "100" },
    "Of how many requests, jobs and deliveries one is traced; 1 traces all.",
  ),
};
