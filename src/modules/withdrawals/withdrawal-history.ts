/** What became of a withdrawal, state by state, read from the events that told of it. */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick, text, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { WithdrawalRow, WithdrawalStatus } from "./withdrawal.ts";

export interface WithdrawalStep {
  readonly status: WithdrawalStatus;
  readonly at: Date;
  /** What it means, with the reason where there is one. */
  readonly description: string;
  /** It was stopped, and goes on. */
  readonly isReleased: boolean;
}

const STEP = {
  ...pick(tables.events, "event", "occurred_at"),
  status: word<WithdrawalStatus>(),
  description: text,
};

/** Oldest first. */
export async function readWithdrawalHistory(
  db: Queryable,
  { transaction_id, account_number, environment }: WithdrawalRow,
): Promise<WithdrawalStep[]> {
  // The record itself until the event has its number, then the body around it.
  const rows = await db.rows(sqlOf(STEP)`
    select event, occurred_at, record ->> 'status' as status,
      record ->> 'status_description' as description
    from (
      select event, occurred_at, event_id, sequence,
        coalesce(record::jsonb, body::jsonb -> 'data') as record
      from events
      where resource = ${transaction_id} and starts_with(event, 'withdrawal.')
        and account_number = ${account_number} and environment = ${environment}
    ) as told
    order by occurred_at, sequence nulls last, event_id`);
  return rows.map((row) => ({
    status: row.status,
    at: row.occurred_at,
    description: row.description,
    isReleased: row.event === "withdrawal.released",
  }));
}
