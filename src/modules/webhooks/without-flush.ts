/**
 * Lets a statement of the messenger commit without waiting for the disk (Decision 0034).
 *
 * What it writes is about the sending, not about what happened: events and deliveries are written
 * elsewhere and do wait. A database that crashes forgets at most the last moments of sending, in
 * the order they were written; then something is sent once more, under the same id.
 */

import { sql } from "../../infra/db/query.ts";

/** Stands first in a `from`; it holds until the end of the tx, mostly that of the statement. */
export const WITHOUT_FLUSH = sql`
  (select set_config('synchronous_commit', 'off', true)) as without_flush`;
