/** Sends one event again to the clients that follow the feed; endpoints have their deliveries. */

import { sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, reachOf } from "../../infra/http/caller.ts";
import { NotFound } from "../../kit/errors.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { recordResends } from "./record-resends.ts";

const FOUND = pick(tables.events, "event_id", "environment");

/** Another account's is not found, and neither is one that the credential does not reach. */
export async function resendEvent(
  tx: Tx,
  caller: Caller,
  wanted: { readonly eventId: string; readonly environment: Environment | undefined },
): Promise<{ id: string }> {
  const { accountNumber } = caller;
  const environment = reachOf(caller.credential, wanted.environment) ?? null;
  await holdCredential(tx, caller, "read");
  const row = await tx.maybeOne(sqlOf(FOUND)`
    select event_id, environment from events
    where event_id = ${wanted.eventId} and account_number = ${accountNumber}
      and environment = coalesce(${environment}, environment) and sequence is not null`);
  if (row === undefined) throw new NotFound("no such event, or not within reach");
  await recordResends(tx, { accountNumber, environment: row.environment }, [row.event_id]);
  return { id: row.event_id };
}
