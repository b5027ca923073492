/**
 * A page of what was sent again, in the order of commits, after a number that the caller has seen
 * (Decision 0109). Numbers have gaps, and entries end after 30 days: the feed has every event.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bigint, nullable, text, timestamp } from "../../infra/db/row.ts";
import type { Environment } from "../../kit/vocabulary.ts";

const RESENT = {
  last_number: bigint,
  number: nullable(bigint),
  resent_at: nullable(timestamp),
  body: nullable(text),
};

export interface ResentPage {
  /** JSON texts; the event in each is byte for byte as it is sent to webhook endpoints. */
  readonly rows: readonly string[];
  /** The last number in the same snapshot; 0 without any. */
  readonly lastNumber: number;
}

export async function listResends(
  db: Queryable,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
  { after, pageSize }: { after: number; pageSize: number },
): Promise<ResentPage> {
  const rows = await db.rows(sqlOf(RESENT)`
    select last_number, number, resent_at, body
    from (
        select coalesce(max(number), 0) as last_number from event_resends
        where account_number = ${accountNumber} and environment = ${environment}
      ) as feed
      left join lateral (
        select number, resent_at, body from event_resends join events using (event_id)
        where event_resends.account_number = ${accountNumber}
          and event_resends.environment = ${environment} and number > ${after}
        order by number limit ${pageSize}
      ) as page on true
    order by number`);
  return {
    rows: rows.flatMap(({ number, resent_at, body }) =>
      number === null || resent_at === null
        ? []
        : `{"number":${number},"resent_at":"${resent_at.toISOString()}","event":${body}}`,
    ),
    lastNumber: Number(rows[0]?.last_number ?? 0n),
  };
}
