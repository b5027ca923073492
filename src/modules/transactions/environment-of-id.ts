/** What `environmentOfTransaction` says, in SQL, of the column `transaction_id`. */

import { sql } from "../../infra/db/query.ts";

/** In the words of the index of cards that were tried. */
export const IS_SANDBOX_ID = sql`starts_with(transaction_id, 'SB-')`;

export const ENVIRONMENT_OF_ID = sql`case when ${IS_SANDBOX_ID} then 'sandbox' else 'live' end`;
