/**
 * Takes the words of a customer out of events that were told (Decision 0122). An event keeps its
 * id, its number and all else that it says, to the byte; sent again, it is signed as it is then.
 *
 * Events have no index by what they are about. One is written in the tx of its change, which ends
 * within seconds, so they are looked for around the moments of the record's changes.
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import type { Environment } from "../../kit/vocabulary.ts";

const AROUND_SECONDS = 20;
const COLUMNS = {
  transaction_id: "text",
  account_number: "text",
  environment: "text",
  at: "timestamptz",
};

interface Moment {
  readonly transaction_id: string;
  readonly account_number: string;
  readonly environment: Environment;
  readonly at: Date;
}

/** Of the records of those ids. Returns the ids of the events. */
export async function eraseEvents(tx: Tx, moments: readonly Moment[]): Promise<string[]> {
  const found = await tx.rows(sqlOf(pick(tables.events, "event_id"))`
    select distinct event_id from ${unnest("moment", moments, COLUMNS)}
    cross join lateral (
      select event_id, resource from events
      where events.account_number = moment.account_number
        and events.environment = moment.environment
        and occurred_at between at - make_interval(secs => ${AROUND_SECONDS})
          and at + make_interval(secs => ${AROUND_SECONDS})
      offset 0
    ) as near
    where resource = transaction_id`);
  const ids = found.map(({ event_id }) => event_id);
  await tx.run(sql`
    update events set record = erased_record(record), body = erased_body(body)
    where event_id = any (${ids})`);
  return ids;
}
