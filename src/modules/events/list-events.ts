/**
 * A page of the feed: numbered events, oldest first, after a number that the caller has seen
 * (Decision 0032). Numbers have no gap in any snapshot, so reading on after the last number seen
 * skips nothing and repeats nothing.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row, texts } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { SEQUENCE_MAX } from "./event.ts";

export interface FeedPage {
  /** Byte for byte as they are sent to webhook endpoints. */
  readonly bodies: readonly string[];
  /** The last number of the feed in the same snapshot; 0 for an empty feed. */
  readonly lastSequence: number;
}

export async function listEvents(
  db: Queryable,
  feed: { accountNumber: string; environment: Environment },
  page: { after: number; pageSize: number },
): Promise<FeedPage> {
  const { accountNumber, environment } = feed;
  // One statement, so the page and the end of the feed are of one snapshot.
  const found = await db.maybeOne(sqlOf({
    ...pick(tables.event_feeds, "last_sequence"),
    bodies: texts,
  })`
    select last_sequence, array(
      select body from events
      where account_number = ${accountNumber} and environment = ${environment}
        and sequence > ${page.after}
      order by sequence limit ${page.pageSize}
    ) as bodies
    from event_feeds
    where account_number = ${accountNumber} and environment = ${environment}`);
  return { bodies: found?.bodies ?? [], lastSequence: Number(found?.last_sequence ?? 0n) };
}

const NUMBERED = pick(
  tables.events,
  "event_id",
  "event",
  "resource",
  "sequence",
  "occurred_at",
  "body",
);

export type ListedEvent = Row<typeof NUMBERED>;

/** Newest first, before a number; undefined: from the end of the feed. */
export function newestEvents(
  db: Queryable,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
  { before = SEQUENCE_MAX + 1, count }: { before?: number | undefined; count: number },
): Promise<ListedEvent[]> {
  return db.rows(sqlOf(NUMBERED)`
    select ${columns(NUMBERED)} from events
    where account_number = ${accountNumber} and environment = ${environment}
      and sequence < ${before}
    order by sequence desc limit ${count}`);
}
