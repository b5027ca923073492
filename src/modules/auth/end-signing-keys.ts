/**
 * Ends the retired signing keys before the tokens they signed have ended by themselves: as if they
 * had been retired so long ago that nothing they signed can be good (Decision 0008). A trigger
 * renews the version of all credentials, so no process goes on with what it remembers.
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { ACCESS_TOKEN_SECONDS } from "./lifetimes.ts";

/** Beyond a token's life, and beyond the minute for which a retired key is still published. */
const LONG_AGO_SECONDS = 2 * ACCESS_TOKEN_SECONDS;

/** The names of those that were still worth something. */
export async function endRetiredKeys(tx: Tx): Promise<string[]> {
  const longAgo = sql`app_now() - make_interval(secs => ${LONG_AGO_SECONDS})`;
  const ended = await tx.rows(sqlOf(pick(tables.signing_keys, "kid"))`
    update signing_keys set retired_at = ${longAgo}
    where state = 'retired' and retired_at > ${longAgo}
    returning kid`);
  return ended.map(({ kid }) => kid);
}
