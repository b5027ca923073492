/** Metrics of what is kept for a time only (Decision 0122). */

import { Counter, Gauge } from "prom-client";

export const auditMonthsDropped = new Counter({
  name: "windward_audit_months_dropped_total",
  help: "Months of the audit trail that were deleted because they were over for long enough.",
});
export const unpaidErased = new Counter({
  name: "windward_unpaid_payments_erased_total",
  help: "Payments that were never paid and whose customer's data was erased by their age.",
});
const retentionRanAt = new Gauge({
  name: "windward_retention_ran_at_seconds",
  help: "When what is kept for a time only was last looked through to its end, by what it is.",
  labelNames: ["what"],
  aggregator: "max",
});
for (const what of ["audit", "unpaid"]) retentionRanAt.set({ what }, 0);

export function noteRetention(what: "audit" | "unpaid"): void {
  retentionRanAt.setToCurrentTime({ what });
}
