/**
 * Ends attempts, for all endpoints of a process in one tx: the response, the new state of the
 * delivery, and the health of the endpoint (Decision 0034).
 *
 * An attempt decides about its delivery only while it is the last one begun, because a suspended
 * process may come back late, and only in its own round, because the delivery may have been resent
 * meanwhile. Success always counts. It decides about the endpoint only in the life in which it
 * began, not for another address.
 */

import type { Database } from "../../infra/db/database.ts";
import { prepared, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, float, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import type { BegunAttempt } from "./begin-attempts.ts";
import { WITHOUT_FLUSH } from "./claim-endpoint.ts";

/** "interrupted": ended by us, so it does not count and the delivery stays due. */
export type Verdict =
  | { readonly state: "delivered" | "failed" | "interrupted" }
  | { readonly state: "waiting"; readonly afterSeconds: number };

export interface EndedAttempt
  extends Pick<BegunAttempt, "delivery_id" | "endpoint_id" | "attempt" | "round" | "life"> {
  readonly verdict: Verdict;
  readonly durationMs: number;
  readonly responseStatus?: number;
  readonly responseHead?: string;
  readonly failure?: string;
}

/** Of an endpoint, after an attempt. */
export interface Health {
  /** Undefined: it is healthy. */
  readonly failingSeconds: number | undefined;
  readonly isWarned: boolean;
}

const HEALTHY: Health = { failingSeconds: undefined, isWarned: false };

/** Commits without waiting for the disk, as `endDeliveries` sets it for the whole tx. */
export async function endAttempts(db: Database, ended: readonly EndedAttempt[]): Promise<Health[]> {
  const healths = await db.transaction(async (tx) => {
    const healths = await noteHealth(tx, ended);
    await tx.run(prepared("end-webhook-deliveries", endDeliveries(ended)));
    await tx.run(prepared("end-webhook-attempts", noteAnswers(ended)));
    return healths;
  });
  return ended.map(({ endpoint_id }) => healths.get(endpoint_id) ?? HEALTHY);
}

/** Endpoints are locked before deliveries, as everywhere, against deadlocks. */
async function noteHealth(tx: Tx, ended: readonly EndedAttempt[]): Promise<Map<string, Health>> {
  const lives = livesOf(ended);
  const types = { endpointId: "uuid", life: "int", isFailing: "boolean" };
  await tx.run(
    prepared(
      "note-webhook-health",
      sql`
        with changed as materialized (
          select one.endpoint_id, is_failing
          from ${unnest("seen", lives, types)}
            join webhook_endpoints as one using (endpoint_id, life)
          where is_failing = (one.failing_since is null)
          order by one.endpoint_id for no key update of one
        )
        update webhook_endpoints as one
        set failing_since = case when is_failing then (select app_now()) end, warned_at = null
        from changed where one.endpoint_id = changed.endpoint_id`,
    ),
  );
  const failedIds = lives.flatMap(({ endpointId, isFailing }) => (isFailing ? [endpointId] : []));
  if (failedIds.length === 0) return new Map();
  const rows = await tx.rows(
    prepared(
      "read-webhook-health",
      sqlOf({ ...pick(tables.webhook_endpoints, "endpoint_id"), seconds: float, is_warned: bool })`
        select endpoint_id,
          extract(epoch from (select app_now()) - failing_since)::float8 as seconds,
          warned_at is not null as is_warned
        from webhook_endpoints
        where endpoint_id = any(${failedIds}::uuid[]) and failing_since is not null`,
    ),
  );
  return new Map(
    rows.map((row) => [row.endpoint_id, { failingSeconds: row.seconds, isWarned: row.is_warned }]),
  );
}

/** Each endpoint once per life; one success outweighs any failure. */
function livesOf(ended: readonly EndedAttempt[]) {
  const lives = new Map<string, { endpointId: string; life: number; isFailing: boolean }>();
  for (const { endpoint_id: endpointId, life, verdict } of ended) {
    if (verdict.state === "interrupted") continue;
    const key = `${endpointId} ${life}`;
    const isFailing = verdict.state !== "delivered" && lives.get(key)?.isFailing !== false;
    lives.set(key, { endpointId, life, isFailing });
  }
  return [...lives.values()];
}

function endDeliveries(ended: readonly EndedAttempt[]) {
  const rows = ended.map(({ verdict, ...attempt }) => ({
    ...attempt,
    verdict: verdict.state,
    afterSeconds: verdict.state === "waiting" ? verdict.afterSeconds : null,
  }));
  const types = {
    delivery_id: "uuid",
    attempt: "int",
    round: "int",
    verdict: "text",
    afterSeconds: "float8",
  };
  return sql`
    with ended as materialized (
      select ended.* from ${WITHOUT_FLUSH}, ${unnest("ended", rows, types)}
    ), held as materialized (
      -- By an array, here and below: a plan may be older than most of the table (Decision 0061).
      -- Deliveries of one endpoint are locked in this order everywhere.
      select delivery_id from webhook_deliveries
      where delivery_id = any(array(select delivery_id from ended))
      order by endpoint_id, sequence, delivery_id for no key update
    )
    update webhook_deliveries as one
    set state = case verdict when 'interrupted' then 'waiting' else verdict end,
      due_at = case verdict
        when 'waiting' then (select app_now()) + make_interval(secs => after_seconds)
        when 'interrupted' then due_at end,
      ended_at = case when verdict in ('delivered', 'failed') then (select app_now()) end,
      round_attempt_count = round_attempt_count + (verdict <> 'interrupted')::int
    from ended join held using (delivery_id)
    where one.delivery_id = any(array(select delivery_id from held))
      and one.delivery_id = ended.delivery_id and (
      (verdict = 'delivered' and state <> 'delivered')
      or (state = 'waiting' and attempt_count = attempt and one.round = ended.round))`;
}

function noteAnswers(ended: readonly EndedAttempt[]) {
  const rows = ended.map((one) => ({ ...one, durationMs: Math.round(one.durationMs) }));
  const types = {
    delivery_id: "uuid",
    attempt: "int",
    durationMs: "int",
    responseStatus: "int",
    responseHead: "text",
    failure: "text",
  };
  return sql`
    update webhook_attempts as one
    set duration_ms = ended.duration_ms, response_status = ended.response_status,
      response_head = ended.response_head, failure = ended.failure
    from ${unnest("ended", rows, types)}
    where one.delivery_id = any(${ended.map(({ delivery_id }) => delivery_id)}::uuid[])
      and one.delivery_id = ended.delivery_id and one.attempt = ended.attempt`;
}
