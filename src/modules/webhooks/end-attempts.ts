/**
 * The end of attempts, for all endpoints of a process in one tx: what came back, what becomes of
 * the delivery, and how the endpoint is doing (Decision 0034).
 *
 * The rule that matters: an attempt speaks for its delivery only while it is the last one begun,
 * because a process that slept may come back late, and only for its own round, because somebody may
 * have asked for another meanwhile. Only success always counts: it has arrived. And it speaks for
 * its endpoint only in the life that it began in, not for another address.
 */

import type { Database } from "../../infra/db/database.ts";
import { prepared, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, float, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { WITHOUT_FLUSH } from "./without-flush.ts";

export type Verdict =
  | { readonly state: "delivered" }
  /** Again after so long. */
  | { readonly state: "waiting"; readonly afterSeconds: number }
  /** Given up. */
  | { readonly state: "failed" }
  /** Ended by us, not by the receiver: it counts for nothing and is due as before. */
  | { readonly state: "interrupted" };

export interface EndedAttempt {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly attempt: number;
  readonly round: number;
  /** Of the endpoint, when the attempt began. */
  readonly life: number;
  readonly verdict: Verdict;
  readonly durationMs: number;
  readonly responseStatus?: number;
  readonly responseHead?: string;
  readonly failure?: string;
}

/** How an endpoint is doing after an attempt. */
export interface Health {
  /** Undefined: it is well. */
  readonly failingSeconds: number | undefined;
  readonly isWarned: boolean;
}

/** Does not wait for the disk: `endDeliveries` says so for the whole tx. */
export async function endAttempts(db: Database, ended: readonly EndedAttempt[]): Promise<Health[]> {
  const healths = await db.transaction(async (tx) => {
    const healths = await noteHealth(tx, ended);
    await tx.run(prepared("end-webhook-deliveries", endDeliveries(ended)));
    await tx.run(prepared("end-webhook-attempts", noteAnswers(ended)));
    return healths;
  });
  return ended.map(
    ({ endpointId }) => healths.get(endpointId) ?? { failingSeconds: undefined, isWarned: false },
  );
}

/** Before the deliveries, as everywhere, so that nobody waits in a circle. */
async function noteHealth(tx: Tx, ended: readonly EndedAttempt[]): Promise<Map<string, Health>> {
  const well = livesOf(ended, ["delivered"]);
  const failed = livesOf(ended, ["waiting", "failed"]).filter(
    (one) => !well.some((other) => other.endpointId === one.endpointId && other.life === one.life),
  );
  const failedIds = failed.map(({ endpointId }) => endpointId);
  await tx.run(
    prepared(
      "note-webhook-health",
      sql`
        with told as materialized (
          select * from unnest(
            ${[...well, ...failed].map(({ endpointId }) => endpointId)}::uuid[],
            ${[...well, ...failed].map(({ life }) => life)}::int[],
            ${[...well.map(() => false), ...failed.map(() => true)]}::boolean[]
          ) as t (endpoint_id, life, is_failing)
        ), changed as materialized (
          select one.endpoint_id, is_failing
          from told join webhook_endpoints as one using (endpoint_id, life)
          where is_failing = (one.failing_since is null)
          order by one.endpoint_id for no key update of one
        )
        update webhook_endpoints as one
        set failing_since = case when is_failing then (select app_now()) end, warned_at = null
        from changed where one.endpoint_id = changed.endpoint_id`,
    ),
  );
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

type Life = Pick<EndedAttempt, "endpointId" | "life">;

/** Each once. */
function livesOf(ended: readonly EndedAttempt[], states: readonly Verdict["state"][]): Life[] {
  const those = ended.filter(({ verdict }) => states.includes(verdict.state));
  return [...new Map(those.map((one) => [`${one.endpointId} ${one.life}`, one])).values()];
}

function endDeliveries(ended: readonly EndedAttempt[]) {
  return sql`
    with ended as materialized (
      select t.* from ${WITHOUT_FLUSH}, unnest(
        ${ended.map(({ deliveryId }) => deliveryId)}::uuid[],
        ${ended.map(({ attempt }) => attempt)}::int[],
        ${ended.map(({ round }) => round)}::int[],
        ${ended.map(({ verdict }) => verdict.state)}::text[],
        ${ended.map(({ verdict }) => (verdict.state === "waiting" ? verdict.afterSeconds : null))}
          ::float8[]
      ) as t (delivery_id, attempt, round, verdict, after_seconds)
    ), held as materialized (
      -- By an array, here and below: a plan may be older than most of the table (Decision 0061).
      -- In the order that whoever takes several of one endpoint takes them in.
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
  return sql`
    update webhook_attempts as one
    set duration_ms = ended.duration_ms, response_status = ended.response_status,
      response_head = ended.response_head, failure = ended.failure
    from unnest(
      ${ended.map(({ deliveryId }) => deliveryId)}::uuid[],
      ${ended.map(({ attempt }) => attempt)}::int[],
      ${ended.map(({ durationMs }) => Math.round(durationMs))}::int[],
      ${ended.map(({ responseStatus }) => responseStatus ?? null)}::int[],
      ${ended.map(({ responseHead }) => responseHead ?? null)}::text[],
      ${ended.map(({ failure }) => failure ?? null)}::text[]
    ) as ended (delivery_id, attempt, duration_ms, response_status, response_head, failure)
    where one.delivery_id = any(${ended.map(({ deliveryId }) => deliveryId)}::uuid[])
      and one.delivery_id = ended.delivery_id and one.attempt = ended.attempt`;
}
