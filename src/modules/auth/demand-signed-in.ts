/**
 * Whether the caller's sign-in is still good, asked inside the tx that makes something which would
 * outlive it. A request may have begun long before: its body can be slow to arrive.
 */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { Unauthorized } from "./unauthorized.ts";

export async function demandSignedIn(tx: Tx, { credential }: Caller): Promise<void> {
  const grantId = credential.kind === "bearer" ? credential.grantId : null;
  const alive = await tx.maybeOne(sql`
    select 1 from grants join accounts using (account_number)
    where grant_id = ${grantId} and revoked_at is null and status = 'active'
      and grants.credential_epoch = accounts.credential_epoch
    for share of grants`);
  if (alive === undefined) throw new Unauthorized("signed out while the request was under way");
}
