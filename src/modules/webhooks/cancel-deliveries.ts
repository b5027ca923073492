/**
 * Cancels what waits for an endpoint that is no longer to be told anything (Decision 0033).
 *
 * The rule that matters: nothing waits for this. An endpoint that is not active is sent nothing,
 * whatever its deliveries say, so a long queue is cleared by a job and not by the caller's request.
 */

import type { Infra } from "../../infra/context.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { addJob, defineJob } from "../../infra/jobs/job.ts";

const CANCEL_DELIVERIES = "cancel-deliveries";
const CANCELLED_AT_ONCE_MAX = 1_000;

/** In the tx that locked the endpoint's row. Tells whether all is done; else a job goes on. */
export async function cancelDeliveries(tx: Tx, endpointId: string): Promise<boolean> {
  const isDone = (await cancelSome(tx, endpointId)) < CANCELLED_AT_ONCE_MAX;
  if (!isDone)
    await addJob(
      tx,
      CANCEL_DELIVERIES,
      { endpointId },
      { key: `${CANCEL_DELIVERIES} ${endpointId}` },
    );
  return isDone;
}

export const cancelDeliveriesJob = defineJob({
  name: CANCEL_DELIVERIES,
  async run({ db }: Infra, { endpointId }: { endpointId?: string }) {
    if (endpointId === undefined) return;
    let cancelled: number;
    do cancelled = await db.transaction((tx) => cancelIfOver(tx, endpointId));
    while (cancelled === CANCELLED_AT_ONCE_MAX);
  },
});

/** Never of an active one: enabling is refused until all is done. */
async function cancelIfOver(tx: Tx, endpointId: string): Promise<number> {
  const isOver = await tx.maybeOne(sqlOf({})`
    select from webhook_endpoints where endpoint_id = ${endpointId} and status <> 'active'
    for no key update`);
  return isOver === undefined ? 0 : cancelSome(tx, endpointId);
}

/** Tells how many it found; one of them may have arrived at that moment. */
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
