/**
 * Payments as CSV: every row of a filter or a search, newest first, whatever the page (Decisions
 * 0027 and 0088).
 *
 * It never holds more than one batch of rows. The next batch is read by its key when the client has
 * taken the last one, and no connection is held in between.
 */

import { Readable } from "node:stream";
import type { Infra } from "../../infra/context.ts";
import type { Queryable } from "../../infra/db/query.ts";
import type { Read } from "../../infra/db/standby.ts";
import { weightIn } from "../../kit/accept.ts";
import { csvLine } from "../../kit/csv.ts";
import type { HistoryFilter } from "./history-filter.ts";
import type { Key, Slice } from "./history-page.ts";
import { findSlice, readRows } from "./list-transactions.ts";
import { itemsText } from "./order-items.ts";
import { DETAIL_NAMES } from "./payment-details.ts";
import type { FoundKeys } from "./search-keys.ts";
import { findPayments, type PaymentSearch, sliceAfter } from "./search-payments.ts";
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

type View = ReturnType<typeof viewTransaction>;

/** What each column has of a row, in their usual order. */
const CELLS = new Map<string, (view: View) => string | null>([
  ...COLUMNS.map((name) => [name, (view: View) => asText(view[name])] as const),
  ...CUSTOMER_FIELDS.map(
    (name) => [`customer_${name}`, (view: View) => view.customer[name] ?? null] as const,
  ),
  ...OTHER_DETAILS.map((name) => [name, (view: View) => view[name]] as const),
  ["description", (view: View) => view.description],
  ["items", (view: View) => view.items && itemsText(view.items)],
  ["payment_link", (view: View) => view.payment_link],
  ["link_reference", (view: View) => view.link_reference],
]);

export const CSV_COLUMNS: readonly string[] = [...CELLS.keys()];

interface Source {
  /** For each batch anew. */
  readonly read: Read;
  readonly log: Infra["log"];
}

/** Every row that the filters allow, with all columns. */
export function streamHistory(from: Source, filter: HistoryFilter) {
  return streamRows(from, filter, CSV_COLUMNS, async (db, slice) => ({
    keys: await findSlice(db, filter, slice),
    border: undefined,
  }));
}

/** Every row that a search finds, with the columns of `CSV_COLUMNS` that are chosen. */
export function streamSearch(from: Source, search: PaymentSearch, columns: readonly string[]) {
  return streamRows(from, search, columns, (db, slice) => findPayments(db, search, slice));
}

type Find = (db: Queryable, slice: Slice) => Promise<Pick<FoundKeys, "keys" | "border">>;

/**
 * Resolves when the first rows are there, so that an error before them is still an answer. After
 * them the client can only see a truncated file; the log says why.
 */
async function streamRows(
  { read, log }: Source,
  { accountNumber }: Pick<HistoryFilter, "accountNumber">,
  columns: readonly string[],
  find: Find,
): Promise<Readable> {
  const batches = readBatches(read, find);
  const first = await batches.next();
  const reportCut = (err: unknown): never => {
    log.error({ err, accountNumber }, "a history was cut short: its next rows could not be read");
    throw err;
  };
  const lineOf = (row: TransactionRow) => {
    const view = viewTransaction(row);
    return csvLine(columns.map((name) => CELLS.get(name)?.(view) ?? null));
  };
  async function* bytes() {
    yield Buffer.from(csvLine(columns));
    for (let next = first; !next.done; next = await batches.next().catch(reportCut))
      yield Buffer.from(next.value.map(lineOf).join(""));
  }
  return Readable.from(bytes());
}

async function* readBatches(read: Read, find: Find) {
  for (let last: Key | undefined; ; ) {
    const slice = sliceAfter(last, "older", ROWS_AT_ONCE);
    const { keys, border, rows } = await read(async (db) => {
      const found = await find(db, slice);
      return { ...found, rows: await readRows(db, found.keys.slice(0, ROWS_AT_ONCE)) };
    });
    if (rows.length > 0) yield rows;
    last = keys.length >= ROWS_AT_ONCE ? keys[ROWS_AT_ONCE - 1] : border;
    if (last === undefined) return;
  }
}

function asText(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}

/**
 * Whether the client prefers CSV to JSON: it names CSV, with more weight than JSON. Whatever else
 * it accepts gets JSON (Interface §1).
 */
export function prefersCsv(accept: string): boolean {
  return (weightIn(accept, "text/csv") ?? 0) > (weightIn(accept, "application/json") ?? 0);
}
