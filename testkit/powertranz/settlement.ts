/**
 * Settlement: a tick settles everything approved and not voided, and the report lists what was
 * settled. Amounts are in major units and positive; a refund is known by its type.
 */

import { TYPES } from "./answers.ts";
import type { Journal } from "./journal.ts";

const COLUMNS =
  "TransactionIdentifier,OrderIdentifier,TransactionType,Amount,CurrencyCode,SettlementDate,Fee";

export function settle(journal: Journal): void {
  const at = journal.now();
  for (const sale of journal.sales.values()) {
    if (!sale.decision?.isApproved || sale.voided !== undefined) continue;
    sale.settledAt ??= at;
    for (const refund of sale.refunds) refund.settledAt ??= at;
  }
}

export function settlementReport(journal: Journal): string {
  const { feeBasisPoints } = journal.switches;
  const lines = [...journal.sales.values()].flatMap((sale) => {
    const line = (identifier: string, type: number, amountMinor: number, at?: number) => {
      if (at === undefined) return [];
      const feeMinor =
        type === TYPES.sale ? Math.round((amountMinor * feeBasisPoints) / 10_000) : 0;
      const date = new Date(at).toISOString().slice(0, 10);
      const amounts = [type, major(amountMinor), sale.currencyCode, date, major(feeMinor)];
      return [[identifier, quoted(sale.orderIdentifier), ...amounts].join(",")];
    };
    return [
      ...line(sale.identifier, TYPES.sale, sale.amountMinor, sale.settledAt),
      ...sale.refunds.flatMap((one) =>
        line(one.identifier, TYPES.refund, one.amountMinor, one.settledAt),
      ),
    ];
  });
  return `${[COLUMNS, ...lines].join("\r\n")}\r\n`;
}

function major(minor: number): string {
  return (minor / 100).toFixed(2);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
