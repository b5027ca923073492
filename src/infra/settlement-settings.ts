/** The settings of settlement reports (Decision 0082): how one is read, and when one is late. */

import { integer, list, Mistake, type Setting } from "./setting-kinds.ts";

const NEEDED = ["identifier", "order", "type", "amount", "currency", "date"] as const;

/** The name of each column in the report; without a fee nothing is kept by the acquirer. */
export type SettlementColumns = Readonly<Record<(typeof NEEDED)[number], string>> & {
  readonly fee?: string;
};

export const SETTLEMENT_DECLARED = {
  SETTLEMENT_COLUMNS: columnsSetting(
    "The columns of the acquirer's settlement report, as our name=its name: identifier, order, " +
      "type, amount, currency, date, and fee where it has one; separated by commas.",
  ),
  SETTLEMENT_DAYS: integer(
    { min: 1, max: 90, preset: "5" },
    "After so many days a payment has to be in a settlement report; reconcile names those that " +
      "are not, as of the last day that a report reaches.",
  ),
};

function columnsSetting(about: string): Setting<SettlementColumns> {
  const entries = list(about, {
    preset:
      "identifier=TransactionIdentifier,order=OrderIdentifier,type=TransactionType," +
      "amount=Amount,currency=CurrencyCode,date=SettlementDate,fee=Fee",
  });
  return {
    ...entries,
    read(given, context) {
      const named = new Map<string, string>();
      for (const entry of entries.read(given, context)) {
        const [ours = "", ...theirs] = entry.split("=");
        named.set(ours.trim(), theirs.join("=").trim());
      }
      const demand = (name: string) => {
        const column = named.get(name);
        if (column) return column;
        throw new Mistake(`${context.name} must name ${NEEDED.join(", ")}, as amount=Amount.`);
      };
      const unknown = [...named.keys()].find((name) => name !== "fee" && !isNeeded(name));
      if (unknown !== undefined)
        throw new Mistake(`${context.name} has no column "${unknown}": see .env.example.`);
      return {
        identifier: demand("identifier"),
        order: demand("order"),
        type: demand("type"),
        amount: demand("amount"),
        currency: demand("currency"),
        date: demand("date"),
        ...(named.has("fee") ? { fee: demand("fee") } : {}),
      };
    },
  };
}

function isNeeded(name: string): boolean {
  return NEEDED.some((one) => one === name);
}
