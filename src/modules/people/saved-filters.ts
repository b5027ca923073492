/** Filters of a list that a member keeps under a name: the part of its address behind the `?`. */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { FieldRefused } from "../../kit/errors.ts";

/** What fits above a list. */
const FILTERS_MAX = 20;

export interface FilterOwner {
  readonly personId: string;
  readonly accountNumber: string;
  /** The list that it narrows. */
  readonly page: "payments";
}

class TooManyFilters extends FieldRefused {
  constructor() {
    super(`At most ${FILTERS_MAX} filters can be saved: remove one first.`, { field: "name" });
  }
}

const SAVED = pick(tables.saved_filters, "name", "query");

export type SavedFilter = Row<typeof SAVED>;

export function savedFilters(db: Queryable, owner: FilterOwner): Promise<SavedFilter[]> {
  return db.rows(sqlOf(SAVED)`
    select ${columns(SAVED)} from saved_filters where ${own(owner)} order by name`);
}

/** One of the same name is replaced. */
export async function saveFilter(
  db: Queryable,
  owner: FilterOwner,
  { name, query }: SavedFilter,
): Promise<void> {
  const saved = await db.run(sql`
    insert into saved_filters (person_id, account_number, page, name, query)
    select ${owner.personId}, ${owner.accountNumber}, ${owner.page}, ${name}, ${query}
    where (select count(*) from saved_filters
      where ${own(owner)} and name <> ${name}) < ${FILTERS_MAX}
    on conflict on constraint saved_filters_pkey do update set query = excluded.query`);
  if (saved === 0) throw new TooManyFilters();
}

export async function removeFilter(db: Queryable, owner: FilterOwner, name: string): Promise<void> {
  await db.run(sql`delete from saved_filters where ${own(owner)} and name = ${name}`);
}

function own({ personId, accountNumber, page }: FilterOwner) {
  return sql`person_id = ${personId} and account_number = ${accountNumber} and page = ${page}`;
}
