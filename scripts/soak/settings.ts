/**
 * The settings of the processes: everything as in development, and limits that traffic of one
 * address would meet at once out of the way, but for one that a check watches.
 */

import { NO_LIMITS, OUT_OF_THE_WAY } from "../../testkit/no-limits.ts";

/** Of changes of a phone number, a minute and account. */
export const PHONE_LIMIT = 5;
/** What browsers see. Nobody listens there: clients take the path and go by way of the wires. */
export const PUBLIC_URL = "http://127.0.0.1:8088";

export const SETTINGS: Readonly<Record<string, string>> = {
  ...NO_LIMITS,
  LIMIT_PHONE: String(PHONE_LIMIT),
  PUBLIC_URL,
  PASSWORD_HASHING: "floor",
  WITHDRAWALS_PER_DAY_MAX: OUT_OF_THE_WAY,
  OVERLOAD_LOOP_DELAY_MS: "0",
  LOG_LEVEL: "warn",
};
