/**
 * Endpoints that keep failing (Interface §6, Decision 0034): a warning after a day, disabled after
 * five, and at once after a 410. Both are events, which the owner's other endpoints receive.
 * Checked only after a failure, so an endpoint without deliveries is never disabled.
 */

import type { Database } from "../../infra/db/database.ts";
import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { HOUR_SECONDS } from "../../kit/clock.ts";
import type { EventName } from "../events/catalogue.ts";
import { recordEvent } from "../events/record-event.ts";
import type { Health } from "./end-attempts.ts";
import { ENDPOINT, ENDPOINT_COLUMNS, type EndpointRow, viewEndpoint } from "./endpoint.ts";
import { stopEndpoint } from "./stop-endpoint.ts";

const WARNED_AFTER_SECONDS = 24 * HOUR_SECONDS;
const DISABLED_AFTER_SECONDS = 120 * HOUR_SECONDS;
const FAILS_TOO_LONG = sql`
  failing_since <= app_now() - make_interval(secs => ${DISABLED_AFTER_SECONDS})`;

export async function judgeEndpoint(
  db: Database,
  endpointId: string,
  {
    failingSeconds = 0,
    isWarned,
    goneLife,
  }: Health & {
    /** The life in which it answered 410; by now it may have another address. */
    goneLife: number | undefined;
  },
): Promise<void> {
  if (goneLife !== undefined)
    return db.transaction((tx) => disable(tx, endpointId, "gone", sql`life = ${goneLife}`));
  if (failingSeconds >= DISABLED_AFTER_SECONDS)
    return db.transaction((tx) => disable(tx, endpointId, "failing", FAILS_TOO_LONG));
  if (failingSeconds >= WARNED_AFTER_SECONDS && !isWarned)
    return db.transaction((tx) => warn(tx, endpointId));
}

/** Checks again under the lock: it may have been changed or have recovered meanwhile. */
async function disable(
  tx: Tx,
  endpointId: string,
  because: "gone" | "failing",
  condition: Sql,
): Promise<void> {
  const found = await tx.maybeOne(sqlOf({})`
    select from webhook_endpoints
    where endpoint_id = ${endpointId} and status = 'active' and ${condition}
    for update`);
  if (found === undefined) return;
  const disabled = await stopEndpoint(tx, endpointId, { status: "disabled", because });
  if (disabled !== undefined) await recordEndpointEvent(tx, disabled, "webhook.disabled");
}

async function warn(tx: Tx, endpointId: string): Promise<void> {
  const warned = await tx.maybeOne(sqlOf(ENDPOINT)`
    update webhook_endpoints set warned_at = app_now()
    where endpoint_id = ${endpointId} and status = 'active' and warned_at is null
      and failing_since <= app_now() - make_interval(secs => ${WARNED_AFTER_SECONDS})
    returning ${ENDPOINT_COLUMNS}`);
  if (warned !== undefined) await recordEndpointEvent(tx, warned, "webhook.failing");
}

export function recordEndpointEvent(
  tx: Tx,
  row: EndpointRow,
  event: EventName,
  only: { onlyEndpointId?: string } = {},
): Promise<string> {
  return recordEvent(tx, {
    accountNumber: row.account_number,
    environment: row.environment,
    event,
    resource: row.endpoint_id,
    record: viewEndpoint(row),
    ...only,
  });
}
