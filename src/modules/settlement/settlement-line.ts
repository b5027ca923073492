/**
 * Settlement: what the acquirer paid out to our bank, by its reports (Decision 0082).
 *
 * A line is imported once, however often and in whatever file it comes. It is matched to a sale or
 * refund at the gateway, and a sale or refund is settled by one line. A line of a payment of ours
 * goes into the books as the report says it, whether it agrees with us or not: so the books are the
 * same in whatever order lines come, and what differs stays in the clearing account. A line of
 * nothing that we know is kept and not booked.
 *
 * `read-report.ts` reads a file, `judge-line.ts` decides, `import-lines.ts` writes.
 */

import { createHash } from "node:crypto";
import { sql } from "../../infra/db/query.ts";
import { computed, omit, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { formatMoney, type Money } from "../../kit/money.ts";

export const SETTLEMENT_LINE = {
  ...omit(tables.settlement_lines, "gateway", "imported_at"),
  settled_on: computed(text, sql`settled_on::text`),
};

export type SettlementLineRow = Row<typeof SETTLEMENT_LINE>;

/** What a report says. */
export interface ReportLine {
  readonly lineId: string;
  /** Of a sale, the one that we gave it; of a refund, the gateway's own. */
  readonly identifier: string;
  /** The payment's id, with the number of the card that was tried behind it from the second on. */
  readonly order: string;
  /** As it was written. */
  readonly type: string;
  readonly kind: SettlementLineRow["kind"];
  readonly amount: Money;
  readonly fee: Money;
  /** As in 2026-11-16. */
  readonly date: string;
}

export function reportLine(said: Omit<ReportLine, "lineId">): ReportLine {
  const { identifier, order, type, amount, fee, date } = said;
  const words = [identifier, order, type, formatMoney(amount), amount.currency, formatMoney(fee)];
  const lineId = createHash("sha256")
    .update(JSON.stringify([...words, date]))
    .digest("hex");
  return { lineId, ...said };
}
