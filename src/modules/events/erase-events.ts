/**
 * Takes the words of a customer out of events that were told (Decision 0122). An event keeps its
 * id, its number and all else that it says, to the byte; sent again, it is signed as it is then.
 */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { findEvents, type Moment } from "./find-events.ts";

/** Of the records that changed at those moments. Returns the ids of the events. */
export async function eraseEvents(tx: Tx, moments: readonly Moment[]): Promise<string[]> {
  const ids = (await findEvents(tx, moments)).map(({ event_id }) => event_id);
  await tx.run(sql`
    update events set record = erased_record(record), body = erased_body(body)
    where event_id = any (${ids})`);
  return ids;
}
