/** How long a process holds an endpoint without saying so again (Decision 0034). */

import { leaseEnd } from "../../infra/db/clock.ts";
import { sql } from "../../infra/db/query.ts";

/** A process that died is succeeded after this; a live one renews it well before. */
export const LEASE_SECONDS = 10;

/** No lease reaches further: the clock was set back. Whoever holds it says so within seconds. */
const LEASE_SECONDS_MAX = 2 * LEASE_SECONDS;

/** Of a row of `webhook_endpoints`; never null. */
export const IS_CLAIMED = sql`(claimed_until is not null and claimed_until > (select app_now())
  and claimed_until <= ${leaseEnd(LEASE_SECONDS_MAX)})`;
