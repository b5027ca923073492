/** What moved in the ledger for a payment or a withdrawal, and who did what about it. */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, pick, type Row, text, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { type Currency, formatMoney, money } from "../../kit/money.ts";
import { type AuditRow, reasonIn } from "./audit-trail.ts";
import { renderTable } from "./render.ts";

const TRANSFER = {
  ...pick(tables.ledger_postings, "posted_at", "occasion", "posting_id"),
  debit: computed(text, sql`debit.name`),
  credit: computed(text, sql`credit.name`),
  currency: computed(word<Currency>(), sql`transfer.currency`),
  amount_minor: tables.ledger_transfers.amount_minor,
};

export type Moved = Omit<Row<typeof TRANSFER>, "amount_minor"> & { amount: string };

export async function readTransfers(db: Queryable, transactionId: string): Promise<Moved[]> {
  const rows = await db.rows(sqlOf(TRANSFER)`
    select ${columns(TRANSFER)}
    from ledger_postings join ledger_transfers as transfer using (environment, posting_id)
    join ledger_accounts as debit on debit.ledger_account_id = debit_account_id
    join ledger_accounts as credit on credit.ledger_account_id = credit_account_id
    where reference = ${transactionId}
    order by posted_at, posting_id, leg`);
  return rows.map(({ amount_minor: minor, ...row }) => ({
    ...row,
    amount: formatMoney(money(row.currency, minor)),
  }));
}

export function tableOfTransfers(transfers: readonly Moved[]): string {
  return renderTable(
    "Ledger",
    ["when", "occasion", "from", "to", "amount"],
    transfers.map((one) => [
      one.posted_at,
      one.occasion,
      withoutBook(one.debit),
      withoutBook(one.credit),
      one.amount,
    ]),
  );
}

/** Environment and currency are those of the record. */
function withoutBook(ledgerAccount: string): string {
  return ledgerAccount.split(" ").slice(2).join(" ");
}

export function tableOfTrail(trail: readonly AuditRow[]): string {
  return renderTable(
    "Audit trail",
    ["entry", "when", "who", "what", "why"],
    trail.map((one) => [one.entry_id, one.happened_at, one.actor, one.action, reasonIn(one)]),
  );
}
