/** Deletes mails whatever their state, and the mark of an address that was refused. */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";

/** One that is being sent at this moment may still arrive. */
export async function deleteMails(tx: Tx, mailIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from mails where mail_id = any (${mailIds})`);
}

/** The next mail to it finds out again. A person's own stays, who can correct it. */
export async function forgetBounce(tx: Tx, address: string): Promise<void> {
  await tx.run(sql`
    delete from mail_bounces where address = ${address}
      and not exists (select from persons where email = ${address})`);
}
