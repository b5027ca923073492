/** How far the feeds of some accounts have come, for pages that follow them. */

import { prepared, type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bigint } from "../../infra/db/row.ts";
import { unnest } from "../../infra/db/unnest.ts";
import type { Environment } from "../../kit/vocabulary.ts";

export interface Feed {
  readonly accountNumber: string;
  readonly environment: Environment;
}

const WANTED = { owner: "text", environment: "text" };

/** The last number of each, in their order; 0 of an empty one. */
export async function feedPositions(db: Queryable, feeds: readonly Feed[]): Promise<bigint[]> {
  const wanted = feeds.map(({ accountNumber, environment }) => ({
    owner: accountNumber,
    environment,
  }));
  const rows = await db.rows(
    prepared(
      "feed-positions",
      sqlOf({ position: bigint })`
        select coalesce((
          select last_sequence from event_feeds as feed
          where feed.account_number = owner and feed.environment = wanted.environment
        ), 0) as position
        from ${unnest("wanted", wanted, WANTED, { ordinal: "nth", anyLength: true })}
        order by nth`,
    ),
  );
  return rows.map(({ position }) => position);
}
