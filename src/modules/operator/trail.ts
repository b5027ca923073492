/** What moved in the ledger for a payment or a withdrawal, and its audit entries. */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, json, pick, type Row, text, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { type Currency, formatMoney, money } from "../../kit/money.ts";
import { bareAmountIn } from "./amount-cell.ts";
import { type Block, tableBlock } from "./render.ts";

const ENTRY = { ...tables.audit_entries, detail: json<Record<string, unknown>>() };

export type AuditRow = Row<typeof ENTRY>;

/** Newest first. */
export function readTrail(db: Queryable, condition: Sql, max: number): Promise<AuditRow[]> {
  return db.rows(sqlOf(ENTRY)`
    select ${columns(ENTRY)} from audit_entries where ${condition}
    order by happened_at desc, entry_id desc limit ${max}`);
}

export function viewEntry(row: AuditRow) {
  return { ...row, entry_id: Number(row.entry_id) };
}

/** An operator's reason; what a caller did has none. */
export function reasonIn({ detail }: AuditRow): string | undefined {
  return typeof detail.why === "string" ? detail.why : undefined;
}

export function tableOfTrail(trail: readonly AuditRow[]): Block {
  return tableBlock("Audit trail", trail, {
    entry: "entry_id",
    when: "happened_at",
    who: "actor",
    what: "action",
    why: reasonIn,
  });
}

/** A record has a handful; of a longer list, which would be a fault, the newest are seen. */
const ENTRIES_MAX = 200;

/** What is shown last of a payment or a withdrawal: its money, and the entries that fit. */
export async function readHistory(db: Queryable, transactionId: string, condition: Sql) {
  const ledger = await readTransfers(db, transactionId);
  const trail = await readTrail(db, condition, ENTRIES_MAX);
  return {
    data: { ledger, audit: trail.map(viewEntry) },
    tables: [tableOfTransfers(ledger), tableOfTrail(trail)],
  };
}

const TRANSFER = {
  ...pick(tables.ledger_postings, "posted_at", "occasion", "posting_id"),
  debit: computed(text, sql`debit.name`),
  credit: computed(text, sql`credit.name`),
  currency: computed(word<Currency>(), sql`transfer.currency`),
  amount_minor: tables.ledger_transfers.amount_minor,
};

type Transfer = Omit<Row<typeof TRANSFER>, "amount_minor"> & { amount: string };

async function readTransfers(db: Queryable, transactionId: string): Promise<Transfer[]> {
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

function tableOfTransfers(transfers: readonly Transfer[]): Block {
  return tableBlock("Ledger", transfers, {
    when: "posted_at",
    occasion: "occasion",
    from: ({ debit }) => withoutBook(debit),
    to: ({ credit }) => withoutBook(credit),
    amount: ({ amount, currency }) => bareAmountIn(currency, amount),
  });
}

/** Environment and currency are those of the record. */
function withoutBook(ledgerAccount: string): string {
  return ledgerAccount.split(" ").slice(2).join(" ");
}
