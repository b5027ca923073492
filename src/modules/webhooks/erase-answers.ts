/** What receivers answered to events may repeat what the events said (Decision 0122). */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";

export async function eraseAnswers(tx: Tx, eventIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update webhook_attempts set response_head = null
    where response_head is not null and delivery_id in (
      select delivery_id from webhook_endpoints
      join webhook_deliveries using (endpoint_id)
      where webhook_endpoints.account_number in (
          select account_number from events where event_id = any (${eventIds}))
        and event_id = any (${eventIds}))`);
}
