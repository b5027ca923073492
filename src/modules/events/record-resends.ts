/**
 * Notes that events are sent again, in the tx that does it, so that clients which follow the feed
 * get them, too (Decision 0109). Numbers are drawn under a lock that is held until COMMIT: of one
 * account and environment a lower one is never visible after a higher one.
 */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Environment } from "../../kit/vocabulary.ts";

export async function recordResends(
  tx: Tx,
  { accountNumber, environment }: { accountNumber: string; environment: Environment },
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  // A statement of its own: numbers must be drawn after the lock.
  await tx.run(sql`
    select pg_advisory_xact_lock(
      hashtextextended(${`resends ${accountNumber} ${environment}`}, 0))`);
  await tx.run(sql`
    insert into event_resends (event_id, account_number, environment)
    select event_id, ${accountNumber}, ${environment}
    from unnest(${eventIds}::text[]) with ordinality as wanted (event_id, place)
    order by place`);
}
