/**
 * What payment links came to: by link, by the merchant's label and by month in the account's time
 * zone. Read from sums that are written with each payment, so it costs no more however often a link
 * was paid.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bigint, int, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Environment } from "../../kit/vocabulary.ts";

const SUM = { ...pick(tables.payment_links, "currency"), paid_count: int, paid_minor: bigint };
const MONTH = { ...SUM, month: text };
const LABEL = { ...SUM, ...pick(tables.payment_links, "label") };

/** Months as `2026-11`, newest first; one row for each currency. */
export type MonthTotal = Row<typeof MONTH>;
/** Null: links without a label. */
export type LabelTotal = Row<typeof LABEL>;

interface Wanted {
  readonly environment: Environment;
  /** Only of this link. */
  readonly linkId?: string;
  /** Only of links with this label. */
  readonly label?: string;
}

export function linkTotalsByMonth(
  db: Queryable,
  { accountNumber }: Pick<Caller, "accountNumber">,
  { environment, linkId, label }: Wanted,
): Promise<MonthTotal[]> {
  return db.rows(sqlOf(MONTH)`
    select to_char(month, 'YYYY-MM') as month, currency, sum(paid_count)::int as paid_count,
      sum(paid_minor)::bigint as paid_minor
    from payment_links join payment_link_months using (link_id)
    where account_number = ${accountNumber} and environment = ${environment}
      and link_id = coalesce(${linkId ?? null}, link_id)
      and label is not distinct from coalesce(${label ?? null}, label)
    group by month, currency order by month desc, currency`);
}

export function linkTotalsByLabel(
  db: Queryable,
  { accountNumber }: Pick<Caller, "accountNumber">,
  { environment }: Pick<Wanted, "environment">,
): Promise<LabelTotal[]> {
  return db.rows(sqlOf(LABEL)`
    select label, currency, sum(paid_count)::int as paid_count,
      sum(paid_minor)::bigint as paid_minor
    from payment_links join payment_link_months using (link_id)
    where account_number = ${accountNumber} and environment = ${environment}
    group by label, currency order by label nulls last, currency`);
}
