/**
 * Addresses that a mail server refused for good. A mark stops no mail: the next one may be
 * accepted, and removes it. Pages show it to the people who can correct the address.
 */

import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { normalEmail } from "../../kit/fields/text.ts";

export async function isBouncing(db: Queryable, address: string): Promise<boolean> {
  const found = await db.maybeOne(sqlOf(pick(tables.mail_bounces, "address"))`
    select address from mail_bounces where address = ${normalEmail(address) ?? address}`);
  return found !== undefined;
}

export async function markBouncing(
  tx: Tx,
  { address, code }: { address: string; code: number },
): Promise<void> {
  await tx.run(sql`
    insert into mail_bounces (address, code) values (${address}, ${code})
    on conflict (address) do update
    set code = excluded.code, bounced_at = excluded.bounced_at`);
}

export async function clearBouncing(tx: Tx, address: string): Promise<void> {
  const forgetting = sql`delete from mail_bounces where address = ${address}`;
  await tx.run(prepared("clear-bouncing", forgetting));
}
