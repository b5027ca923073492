/**
 * Who manages members does so with the role and session they have in the tx of the change: an admin
 * who is removed at that moment promotes and invites nobody any more (Decision 0084).
 */

import assert from "node:assert/strict";
import { sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Role } from "../../kit/roles.ts";
import { holdSession } from "./console-session.ts";
import { SessionOver } from "./self.ts";

/** Gives the role, which holds until the tx ends, as the session does. */
export async function holdManager(tx: Tx, { accountNumber, credential }: Caller): Promise<Role> {
  assert(credential.kind === "session", "only people manage members");
  // One change of an account's members after the other: two who change each other would deadlock.
  await tx.maybeOne(sqlOf({})`
    select from accounts where account_number = ${accountNumber} for no key update`);
  const isAlive = await holdSession(tx, credential.sessionId);
  const manager = await tx.maybeOne(sqlOf(pick(tables.members, "role"))`
    select role from members
    where account_number = ${accountNumber} and person_id = ${credential.personId} for share`);
  if (!isAlive || manager === undefined) throw new SessionOver("ended in between");
  return manager.role;
}
