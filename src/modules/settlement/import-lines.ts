/**
 * Writes lines of a report: new ones with what they settle, and the money that moved by them, in
 * one tx. A line that was imported before and is not matched is judged again, because a refund may
 * have become known since; nothing is booked twice.
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { columns } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { postBatch } from "../ledger/post.ts";
import type { Posting } from "../ledger/posting.ts";
import { refundSettled, saleSettled } from "../ledger/recipes.ts";
import { type Judgement, judgeLine } from "./judge-line.ts";
import { findOrders } from "./known-orders.ts";
import { type ReportLine, SETTLEMENT_LINE, type SettlementLineRow } from "./settlement-line.ts";

/** The clearing accounts are locked until the tx ends, and payments wait for them. */
export const LINES_AT_ONCE = 500;

export interface ImportedLine {
  readonly row: SettlementLineRow;
  readonly isNew: boolean;
}

/** In the order given. Each line at most once, and at most `LINES_AT_ONCE`. */
export async function importLines(tx: Tx, lines: readonly ReportLine[]): Promise<ImportedLine[]> {
  // Two imports at once would each take the same refund for the next that is not settled.
  await tx.run(sql`lock table settlement_lines in share row exclusive mode`);
  const before = await findLines(tx, lines);
  const open = lines.filter(({ lineId }) => before.get(lineId)?.state !== "matched");
  const judged = await judge(tx, open);
  await write(tx, judged);
  const after = await findLines(tx, lines);
  const imported = lines.flatMap((line) => {
    const row = after.get(line.lineId);
    return row === undefined ? [] : [{ line, row, isNew: !before.has(line.lineId) }];
  });
  const postings = imported.flatMap(({ line, row }) => {
    const wasBooked = (before.get(line.lineId)?.state ?? "unknown") !== "unknown";
    return wasBooked ? [] : postingOf(line, row);
  });
  for (const outcome of await postBatch(tx, postings)) if (outcome instanceof Error) throw outcome;
  return imported;
}

async function findLines(tx: Tx, lines: readonly ReportLine[]) {
  const rows = await tx.rows(sqlOf(SETTLEMENT_LINE)`
    select ${columns(SETTLEMENT_LINE)} from settlement_lines
    where line_id = any (${lines.map(({ lineId }) => lineId)}::text[])`);
  return new Map(rows.map((row) => [row.line_id, row]));
}

type Judged = readonly [ReportLine, Judgement];

async function judge(tx: Tx, lines: readonly ReportLine[]): Promise<Judged[]> {
  const orders = await findOrders(tx, lines);
  const settledBy = new Map(orders.settledBy);
  return lines.map((line) => {
    const judgement = judgeLine(line, { ...orders, settledBy });
    if ("settles" in judgement && judgement.settles !== undefined)
      settledBy.set(judgement.settles, line.lineId);
    return [line, judgement];
  });
}

/** Of a line that is there, only what we make of it; once it is booked, its payment stays. */
async function write(tx: Tx, judged: readonly Judged[]): Promise<void> {
  const lines = judged.map(([line]) => line);
  const found = judged.map(([, one]) => one);
  const known = found.map((one) => (one.state === "unknown" ? undefined : one));
  await tx.run(sql`
    insert into settlement_lines as line (gateway, line_id, identifier, order_identifier, type,
      kind, currency, amount_minor, fee_minor, settled_on, state, difference, transaction_id,
      account_number, settles)
    select 'powertranz', * from unnest(
      ${lines.map(({ lineId }) => lineId)}::text[],
      ${lines.map(({ identifier }) => identifier)}::text[],
      ${lines.map(({ order }) => order)}::text[],
      ${lines.map(({ type }) => type)}::text[],
      ${lines.map(({ kind }) => kind)}::text[],
      ${lines.map(({ amount }) => amount.currency)}::text[],
      ${lines.map(({ amount }) => amount.minor)}::bigint[],
      ${lines.map(({ fee }) => fee.minor)}::bigint[],
      ${lines.map(({ date }) => date)}::date[],
      ${found.map(({ state }) => state)}::text[],
      ${found.map(({ difference = null }) => difference)}::text[],
      ${known.map((one) => one?.transactionId ?? null)}::text[],
      ${known.map((one) => one?.accountNumber ?? null)}::text[],
      ${known.map((one) => one?.settles ?? null)}::text[])
    on conflict (line_id) do update
    set state = excluded.state, difference = excluded.difference, settles = excluded.settles,
      transaction_id = coalesce(line.transaction_id, excluded.transaction_id),
      account_number = coalesce(line.account_number, excluded.account_number)`);
}

/** As the report says it; nothing for a line of nothing that we know. */
function postingOf({ lineId, kind, amount, fee }: ReportLine, row: SettlementLineRow): Posting[] {
  const { account_number: accountNumber } = row;
  if (accountNumber === null) return [];
  const recipe = kind === "sale" ? saleSettled : refundSettled;
  return [
    {
      postingId: `${kind}_settled ${lineId}`,
      environment: "live",
      occasion: `${kind}_settled`,
      reference: lineId,
      transfers: recipe({ accountNumber, amount, fee }),
    },
  ];
}
