/**
 * A page of the feed: what has a number, oldest first, after a number the caller has seen (Decision
 * 0032). Numbers have no gap in any snapshot, so who goes on after the last one seen misses nothing
 * and meets nothing twice.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick, texts } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Environment } from "../../kit/vocabulary.ts";

export interface FeedPage {
  /** Bodies, byte for byte as they are sent to webhook endpoints. */
  readonly bodies: readonly string[];
  /** The last number of the feed at that moment; 0 when nothing has happened yet. */
  readonly lastSequence: number;
}

export async function listEvents(
  db: Queryable,
  feed: { accountNumber: string; environment: Environment },
  asked: { after: number; pageSize: number },
): Promise<FeedPage> {
  const { accountNumber, environment } = feed;
  // One statement, and so one snapshot for the page and for the end of the feed.
  const found = await db.maybeOne(sqlOf({
    ...pick(tables.event_feeds, "last_sequence"),
    bodies: texts,
  })`
    select last_sequence, array(
      select body from events
      where account_number = ${accountNumber} and environment = ${environment}
        and sequence > ${asked.after}
      order by sequence limit ${asked.pageSize}
    ) as bodies
    from event_feeds
    where account_number = ${accountNumber} and environment = ${environment}`);
  return { bodies: found?.bodies ?? [], lastSequence: Number(found?.last_sequence ?? 0n) };
}
