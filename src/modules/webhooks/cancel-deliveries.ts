/**
 * Cancels what waits for an endpoint that was stopped (Decision 0033). An endpoint that is not
 * active is sent nothing, whatever its deliveries say, so a job clears a long queue and not the
 * caller's request.
 */

import type { Infra } from "../../infra/context.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { addJob, defineJob } from "../../infra/jobs/job.ts";

const CANCEL_DELIVERIES = "cancel-deliveries";
const CANCELLED_AT_ONCE_MAX = 1_000;

/** In the tx that locked the endpoint's row. False: a job cancels the rest. */
export async function cancelDeliveries(tx: Tx, endpointId: string): Promise<boolean> {
  if ((await cancelSome(tx, endpointId)) < CANCELLED_AT_ONCE_MAX) return true;
  const key = `${CANCEL_DELIVERIES} ${endpointId}`;
  await addJob(tx, CANCEL_DELIVERIES, { endpointId }, { key });
  return false;
}

export const cancelDeliveriesJob = defineJob({
  name: CANCEL_DELIVERIES,
  async run({ db }: Infra, { endpointId }: { endpointId?: string }) {
    if (endpointId === undefined) return;
    let cancelled: number;
    do cancelled = await db.transaction((tx) => cancelIfStopped(tx, endpointId));
    while (cancelled === CANCELLED_AT_ONCE_MAX);
  },
});

/** Never of an active endpoint: enabling is refused until all are cancelled. */
async function cancelIfStopped(tx: Tx, endpointId: string): Promise<number> {
  const stopped = await tx.maybeOne(sqlOf({})`
    select from webhook_endpoints where endpoint_id = ${endpointId} and status <> 'active'
    for no key update`);
  return stopped === undefined ? 0 : cancelSome(tx, endpointId);
}

/** Returns how many it found; some of them may have been delivered meanwhile. */
async function cancelSome(db: Queryable, endpointId: string): Promise<number> {
  const { found } = await db.one(sqlOf({ found: int })`
    with found as materialized (
      select delivery_id from webhook_deliveries
      where endpoint_id = ${endpointId} and state = 'waiting'
      order by due_at limit ${CANCELLED_AT_ONCE_MAX}
    ), held as materialized (
      select delivery_id from webhook_deliveries
      where delivery_id in (select delivery_id from found) and state = 'waiting'
      order by sequence, delivery_id for no key update
    ), cancelled as (
      update webhook_deliveries as one
      set state = 'cancelled', due_at = null, ended_at = app_now()
      from held where one.delivery_id = held.delivery_id
    )
    select count(*)::int as found from found`);
  return found;
}
