/** Removes the picture; its address leads nowhere from then on. */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { NoPictureExists } from "./picture.ts";

export async function removePicture(tx: Tx, caller: Caller): Promise<void> {
  await holdCredential(tx, caller, "read");
  const removed = await tx.run(
    sql`delete from pictures where account_number = ${caller.accountNumber}`,
  );
  if (removed === 0) throw new NoPictureExists();
  await recordAudit(tx, caller, "picture_removed");
}
