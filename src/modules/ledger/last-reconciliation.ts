/**
 * What each hourly check of the books found last (Decision 0133). Adding up takes minutes on a
 * large service, so pages read this instead.
 */

import type { Database } from "../../infra/db/database.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, json, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { type Difference, type DifferenceView, viewDifference } from "./difference.ts";

const RECONCILIATION = {
  ...tables.reconciliations,
  differences: json<readonly DifferenceView[]>(),
};

export interface Checked {
  readonly counted: number;
  readonly differenceCount: number;
  readonly differences: readonly Difference[];
}

export async function keepReconciliation(
  db: Database,
  job: string,
  { counted, differenceCount, differences }: Checked,
): Promise<void> {
  // Numbers of entries are bigints.
  const views = JSON.stringify(differences.map(viewDifference), (_name, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  await db.transaction((tx) =>
    tx.run(sql`
      insert into reconciliations (job, counted, difference_count, differences)
      values (${job}, ${counted}, ${differenceCount}, ${views}::jsonb)
      on conflict (job) do update set checked_at = excluded.checked_at, counted = excluded.counted,
        difference_count = excluded.difference_count, differences = excluded.differences`),
  );
}

export function lastReconciliations(db: Queryable): Promise<Row<typeof RECONCILIATION>[]> {
  return db.rows(sqlOf(RECONCILIATION)`
    select ${columns(RECONCILIATION)} from reconciliations order by job`);
}
