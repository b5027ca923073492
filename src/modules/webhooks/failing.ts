/**
 * What becomes of an endpoint that keeps failing (Interface §6, Decision 0034): its owner is told
 * after a day, it is disabled after five, and at once when it answers 410. Each is an event in the
 * feed, which the owner's other endpoints are sent.
 *
 * Judged after a failure only, so an endpoint that nothing was sent to is not disabled by time.
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

/** Looks again: by now its owner may have changed it, or it may have recovered. */
async function disable(
  tx: Tx,
  endpointId: string,
  because: "gone" | "failing",
  still: Sql,
): Promise<void> {
  const isSo = await tx.maybeOne(sqlOf({})`
    select from webhook_endpoints
    where endpoint_id = ${endpointId} and status = 'active' and ${still}
    for update`);
  if (isSo === undefined) return;
  const disabled = await stopEndpoint(tx, endpointId, { status: "disabled", because });
  if (disabled !== undefined) await tell(tx, disabled, "webhook.disabled");
}

async function warn(tx: Tx, endpointId: string): Promise<void> {
  const warned = await tx.maybeOne(sqlOf(ENDPOINT)`
    update webhook_endpoints set warned_at = app_now()
    where endpoint_id = ${endpointId} and status = 'active' and warned_at is null
      and failing_since <= app_now() - make_interval(secs => ${WARNED_AFTER_SECONDS})
    returning ${ENDPOINT_COLUMNS}`);
  if (warned !== undefined) await tell(tx, warned, "webhook.failing");
}

async function tell(tx: Tx, row: EndpointRow, event: EventName): Promise<void> {
  await recordEvent(tx, {
    accountNumber: row.account_number,
    environment: row.environment,
    event,
    resource: row.endpoint_id,
    record: viewEndpoint(row),
  });
}
