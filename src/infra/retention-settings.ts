/** For how long personal data is kept (Decision 0122). */

import { integer, Mistake, type Setting } from "./setting-kinds.ts";

const AUDIT_MONTHS = { least: 12, most: 1_200 };

export const RETENTION_DECLARED = {
  KEEP_UNPAID_DAYS: integer(
    { min: 1, max: 3_650, preset: "90" },
    "After so many days the customer's data of a payment that was never paid is erased. Its " +
      "amounts, times and ids stay. Data of paid ones stays until erase-customer-data.",
  ),
  KEEP_REQUEST_LOG_DAYS: integer(
    { min: 7, max: 90, preset: "7" },
    "For so many days merchants find requests of their programs in the request log; then they " +
      "are deleted, by whole days. 7 is what they are promised.",
  ),
  KEEP_AUDIT_MONTHS: auditMonths(
    "For so many months, beside the one under way, the audit trail is kept; then it is deleted, " +
      "by whole months. At least 12; 0 keeps it for ever.",
  ),
};

type Values = {
  readonly [Name in keyof typeof RETENTION_DECLARED]: ReturnType<
    (typeof RETENTION_DECLARED)[Name]["read"]
  >;
};

export function retentionOf(given: Values) {
  return {
    unpaidDays: given.KEEP_UNPAID_DAYS,
    requestLogDays: given.KEEP_REQUEST_LOG_DAYS,
    /** 0: for ever. */
    auditMonths: given.KEEP_AUDIT_MONTHS,
  };
}

function auditMonths(about: string): Setting<number> {
  const { least, most } = AUDIT_MONTHS;
  const months = integer({ min: 0, max: most, preset: "84" }, about);
  return {
    ...months,
    read(given, context) {
      const read = months.read(given, context);
      if (read === 0 || read >= least) return read;
      throw new Mistake(`${context.name} must be 0, or a whole number from ${least} to ${most}.`);
    },
  };
}
