/**
 * Begins attempts, for all endpoints of a process in one statement (Decision 0034).
 *
 * An attempt is counted before it is made, under a shared lock of the endpoint's key, and only
 * while the endpoint is active and the claim is valid. Deleting and disabling lock the row
 * exclusively, so none begins after they were answered. (The retry schedule counts an attempt when
 * it has ended: a process that dies uses up none of the ten.) Secrets and time are of one snapshot.
 * Locked rows are skipped; the drain tries them again.
 */

import type { Infra } from "../../infra/context.ts";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import { columns, int, pick, type Row, text, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { type Claim, WITHOUT_FLUSH } from "./claim-endpoint.ts";
import { SIMULATED_RECEIVER } from "./endpoint.ts";
import { secretsOf } from "./endpoint-secret.ts";

export interface Wanted {
  readonly claim: Claim;
  readonly deliveryId: string;
}

const HELD = pick(
  tables.webhook_endpoints,
  "endpoint_id",
  "claim_count",
  "life",
  "url",
  "secret_key_id",
  "secret_box",
  "previous_secret_key_id",
  "previous_secret_box",
  "previous_secret_until",
);

const SIMULATED = { simulated: SIMULATED_RECEIVER };

const BEGUN = {
  ...HELD,
  ...SIMULATED,
  ...pick(tables.webhook_deliveries, "delivery_id", "round"),
  ...pick(tables.webhook_attempts, "attempt", "began_at"),
  ...pick(tables.events, "event_id", "event", "occurred_at"),
  round_attempt: int,
  /** As the receiver's clock shows it (Decision 0104). */
  signed_at: timestamp,
  body: text,
};

export interface BegunAttempt extends Row<typeof BEGUN> {
  /** Those that sign now, newest first. */
  readonly secrets: readonly string[];
}

/** Undefined for one that must not begin, or not now; an Error if its secrets cannot be opened. */
export async function beginAttempts(
  { db, config }: Pick<Infra, "db" | "config">,
  wanted: readonly Wanted[],
): Promise<(BegunAttempt | undefined | Error)[]> {
  const rows = await db.rows(prepared("begin-webhook-attempts", beginStatement(wanted)));
  const begun = new Map(rows.map((row) => [row.delivery_id, row]));
  return wanted.map(({ deliveryId }) => {
    const row = begun.get(deliveryId);
    try {
      return row && { ...row, secrets: secretsOf(config.wrappingKeys, row, row.signed_at) };
    } catch (cause) {
      return new Error(`the secrets of endpoint ${row?.endpoint_id} cannot be opened`, { cause });
    }
  });
}

function beginStatement(wanted: readonly Wanted[]) {
  const rows = wanted.map(({ claim, deliveryId }) => ({ ...claim, deliveryId }));
  const types = { deliveryId: "uuid", endpointId: "uuid", claimCount: "bigint" };
  return sqlOf(BEGUN)`
    with wanted as materialized (
      select * from ${unnest("wanted", rows, types)}
    ), held as materialized (
      select ${columns({ ...HELD, ...SIMULATED })} from webhook_endpoints
      -- By an array, for plans that are older than most of the table (Decision 0061).
      where endpoint_id = any(array(select endpoint_id from wanted)) and status = 'active'
      order by endpoint_id for key share skip locked
    ), free as materialized (
      select one.delivery_id
      from wanted join held using (endpoint_id, claim_count)
        join webhook_deliveries as one using (delivery_id)
      -- As an expression, which no index has: an old plan would read all waiting rows.
      where one.state || '' = 'waiting'
      for no key update of one skip locked
    ), begun as (
      update webhook_deliveries as one
      set attempt_count = attempt_count + 1
      from free where one.delivery_id = free.delivery_id
      returning one.delivery_id, one.endpoint_id, one.event_id, one.attempt_count as attempt,
        one.round, one.round_attempt_count + 1 as round_attempt
    ), noted as (
      insert into webhook_attempts (delivery_id, attempt, began_at)
      select delivery_id, attempt, (select app_now()) from begun
      returning delivery_id, began_at
    )
    select begun.delivery_id, attempt, round, round_attempt, began_at, held.*, events.event_id,
      event, occurred_at, body, (select real_now()) as signed_at
    from ${WITHOUT_FLUSH}, begun join noted using (delivery_id) join held using (endpoint_id)
      join events on events.event_id = begun.event_id`;
}
