/**
 * Finds what was told of some records. Events have no index by what they are about. One is written
 * in the tx of its change, which ends within seconds (Decision 0032), so they are looked for around
 * the moments of the records' changes, and few of an account's events are read for each.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { unnest } from "../../infra/db/unnest.ts";
import type { Environment } from "../../kit/vocabulary.ts";

const AROUND_SECONDS = 20;
const COLUMNS = {
  transaction_id: "text",
  account_number: "text",
  environment: "text",
  at: "timestamptz",
};

/** When a record changed. */
export interface Moment {
  readonly transaction_id: string;
  readonly account_number: string;
  readonly environment: Environment;
  readonly at: Date;
}

export function findEvents(db: Queryable, moments: readonly Moment[]) {
  return db.rows(sqlOf(pick(tables.events, "event_id", "event"))`
    select distinct event_id, event from ${unnest("moment", moments, COLUMNS)}
    cross join lateral (
      select event_id, event, resource from events
      where events.account_number = moment.account_number
        and events.environment = moment.environment
        and occurred_at between at - make_interval(secs => ${AROUND_SECONDS})
          and at + make_interval(secs => ${AROUND_SECONDS})
      offset 0
    ) as near
    where resource = transaction_id`);
}
