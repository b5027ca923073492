/**
 * The history as CSV: every row of the filter, newest first, whatever the page (Decision 0027).
 *
 * It never holds more than one batch of rows. The next batch is read by its key when the client has
 * taken the last one, and no connection is held in between.
 */

import { Readable } from "node:stream";
import type { Infra } from "../../infra/context.ts";
import type { Queryable } from "../../infra/db/query.ts";
import { weightIn } from "../../kit/accept.ts";
import { csvLine } from "../../kit/csv.ts";
import type { HistoryFilter } from "./history-filter.ts";
import type { Slice } from "./history-page.ts";
import { findSlice, readRows } from "./list-transactions.ts";
import { DETAIL_NAMES } from "./payment-details.ts";
import { CUSTOMER_FIELDS, type TransactionRow, viewTransaction } from "./transaction.ts";

export const CSV_TYPE = "text/csv; charset=utf-8";
const ROWS_AT_ONCE = 1_000;

const COLUMNS = [
  "transaction_id",
  "order_id",
  "environment",
  "country_code",
  "currency",
  "total",
  "customer_total",
  "fee",
  "net",
  "refunded_total",
  "fee_structure",
  "method",
  "origin",
  "status",
  "status_desc",
  "message",
  "card",
  "created_at",
  "finalised_at",
  "data",
] as const;
/** Behind all others, so that a new one moves no column. */
const OTHER_DETAILS = DETAIL_NAMES.filter((name) => name !== "data");
const HEADING = [
  ...COLUMNS,
  ...CUSTOMER_FIELDS.map((name) => `customer_${name}`),
  ...OTHER_DETAILS,
];

/**
 * Resolves when the first rows are there, so that an error before them is still an answer. After
 * them the client can only see a truncated file; the log says why.
 */
export async function streamHistory(
  { db, log }: Pick<Infra, "db" | "log">,
  filter: HistoryFilter,
): Promise<Readable> {
  const batches = readBatches(db, filter);
  const first = await batches.next();
  const reportCut = (err: unknown): never => {
    const { accountNumber } = filter;
    log.error({ err, accountNumber }, "a history was cut short: its next rows could not be read");
    throw err;
  };
  async function* bytes() {
    yield Buffer.from(csvLine(HEADING));
    for (let next = first; !next.done; next = await batches.next().catch(reportCut))
      yield Buffer.from(next.value.map(csvOf).join(""));
  }
  return Readable.from(bytes());
}

async function* readBatches(db: Queryable, filter: HistoryFilter) {
  let border: Slice["border"];
  for (;;) {
    const slice: Slice = { towards: "older", border, skip: 0, take: ROWS_AT_ONCE };
    const keys = await findSlice(db, filter, slice);
    const last = keys.at(-1);
    if (last === undefined) return;
    yield await readRows(db, keys);
    if (keys.length < ROWS_AT_ONCE) return;
    border = { key: last, isIncluded: false };
  }
}

function csvOf(row: TransactionRow): string {
  const view = viewTransaction(row);
  return csvLine([
    ...COLUMNS.map((name) => {
      const value = view[name];
      return value instanceof Date ? value.toISOString() : value;
    }),
    ...CUSTOMER_FIELDS.map((name) => view.customer[name] ?? null),
    ...OTHER_DETAILS.map((name) => view[name]),
  ]);
}

/**
 * Whether the client prefers CSV to JSON: it names CSV, with more weight than JSON. Whatever else
 * it accepts gets JSON (Interface §1).
 */
export function prefersCsv(accept: string): boolean {
  return (weightIn(accept, "text/csv") ?? 0) > (weightIn(accept, "application/json") ?? 0);
}
