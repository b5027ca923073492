/** The list of payments, the same as a file, and the filters that are kept of it. */

import { now } from "../../infra/db/clock.ts";
import type { Read } from "../../infra/db/standby.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { line } from "../../kit/fields/text.ts";
import {
  type FilterOwner,
  removeFilter,
  savedFilters,
  saveFilter,
} from "../../modules/people/saved-filters.ts";
import { CSV_COLUMNS, streamSearch } from "../../modules/transactions/history-csv.ts";
import { searchPayments } from "../../modules/transactions/search-payments.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { csvFile } from "../csv-file.ts";
import { orRefused, type RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { CSV_PATH } from "./csv-form.ts";
import { paymentsPage } from "./list-page.ts";
import {
  FILTER_LABELS,
  listHref,
  PAYMENTS,
  queryOf,
  searchOf,
  type TypedFilters,
  typedFilters,
} from "./payment-filters.ts";
import { FILTERS, NAME_LENGTH_MAX } from "./saved-filter-bar.ts";

const PAGE_SIZE = 25;
const NAME = { name: line(NAME_LENGTH_MAX) };

function ownerOf({ person, account }: Visitor): FilterOwner {
  return { personId: person.personId, accountNumber: account.accountNumber, page: "payments" };
}

const list = consoleRoute({
  method: "GET",
  path: PAYMENTS,
  summary: "Payments",
  right: "payments",
  readsFromStandby: true,
  async run({ db }: ConsoleContext, { url, read }, visitor): Promise<Answer> {
    const { searchParams } = new URL(url);
    const typed = typedFilters(searchParams);
    const cursor = searchParams.get("page") ?? undefined;
    return showList({ db, read }, visitor, typed, { cursor });
  },
});

/** A filter that cannot be read leaves the form as it was filled in, and no list. */
async function showList(
  { db, read }: Pick<ConsoleContext, "db"> & { readonly read: Read },
  visitor: Visitor,
  typed: TypedFilters,
  { cursor, refused }: { cursor?: string | undefined; refused?: RefusedForm },
): Promise<Answer> {
  const saved = await savedFilters(db, ownerOf(visitor));
  const parts = { typed, saved, now: await now(db) };
  return orRefused(
    async () => {
      const page = { cursor, pageSize: PAGE_SIZE };
      const search = searchOf(visitor, typed);
      const found = await read((reads) => searchPayments(reads, search, page));
      return paymentsPage(visitor, { ...parts, found, refused });
    },
    (bad) => paymentsPage(visitor, { ...parts, found: undefined, refused: bad }),
    FILTER_LABELS,
  );
}

const csv = consoleRoute({
  method: "GET",
  path: CSV_PATH,
  summary: "Payments as a file",
  right: "payments",
  readsFromStandby: true,
  async run({ log }: ConsoleContext, { url, read }, visitor): Promise<Answer> {
    const { searchParams } = new URL(url);
    const search = searchOf(visitor, typedFilters(searchParams));
    const lines = await streamSearch({ read, log }, search, columnsOf(searchParams));
    return csvFile(`payments-${visitor.environment}.csv`, lines);
  },
});

/** All of them when none is chosen; always in the order of the file. */
function columnsOf(query: URLSearchParams): readonly string[] {
  const chosen = query.getAll("columns").flatMap((each) => each.split(",").filter(Boolean));
  const unknown = chosen.find((name) => !CSV_COLUMNS.includes(name));
  if (unknown !== undefined)
    throw new FieldRefused("The columns must be those of the file.", { field: "columns" });
  return chosen.length === 0 ? CSV_COLUMNS : CSV_COLUMNS.filter((name) => chosen.includes(name));
}

const save = consoleRoute({
  method: "POST",
  path: FILTERS,
  summary: "Save a filter",
  right: "payments",
  async run({ db }: ConsoleContext, { texts, read }, visitor): Promise<Answer> {
    const sent = texts();
    const typed = typedFilters(new URLSearchParams(sent.query));
    return orRefused(
      async () => {
        const { name } = readFields(NAME, sent);
        searchOf(visitor, typed);
        await saveFilter(db, ownerOf(visitor), { name, query: queryOf(typed) });
        return redirect(listHref(typed, { done: "filter_saved" }));
      },
      (refused) => showList({ db, read }, visitor, typed, { refused }),
    );
  },
});

const remove = consoleRoute({
  method: "POST",
  path: `${FILTERS}/remove`,
  summary: "Remove a saved filter",
  right: "payments",
  async run({ db }: ConsoleContext, { texts }, visitor): Promise<Answer> {
    const { name } = readFields(NAME, texts());
    await removeFilter(db, ownerOf(visitor), name);
    return redirect(listHref({}, { done: "filter_removed" }));
  },
});

export const paymentListRoutes: readonly ConsoleRoute<ConsoleContext>[] = [list, csv, save, remove];
