/**
 * Changes what a member may do, or ends it (Decision 0084). Their sessions for the account end with
 * it, and so do invitations that they sent: a member who leaves invites nobody. The holder stays
 * an owner: a trigger holds it, whatever a page allows.
 */

import { recordAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal, NotFound } from "../../kit/errors.ts";
import type { Money } from "../../kit/money.ts";
import { mayDo, mayManage, type Role } from "../../kit/roles.ts";
import { endSessionsOf } from "./console-session.ts";
import { holdManager } from "./hold-manager.ts";
import { withdrawInvitationsBy } from "./invite-member.ts";

class HolderStaysOwner extends fixedRefusal("holder_stays_owner") {}

export async function changeRole(
  tx: Tx,
  caller: Caller,
  { personId, role }: { readonly personId: string; readonly role: Role },
): Promise<void> {
  const managerRole = await holdManager(tx, caller);
  const before = await lockMember(tx, { caller, managerRole }, personId);
  if (!mayManage(managerRole, role)) throw new NotFound(`${managerRole} makes no ${role}`);
  if (before === role) return;
  await keepingHolder(
    tx.run(sql`
      update members set role = ${role}
      where account_number = ${caller.accountNumber} and person_id = ${personId}`),
  );
  await endWhatTheyHad(tx, caller, personId);
  const detail = { person: personId, from: before, to: role };
  await recordAudit(tx, caller, "member_role_changed", { detail });
}

export async function removeMember(tx: Tx, caller: Caller, personId: string): Promise<void> {
  const managerRole = await holdManager(tx, caller);
  const role = await lockMember(tx, { caller, managerRole }, personId);
  await keepingHolder(
    tx.run(sql`
      delete from members
      where account_number = ${caller.accountNumber} and person_id = ${personId}`),
  );
  await endWhatTheyHad(tx, caller, personId);
  await recordAudit(tx, caller, "member_removed", { detail: { person: personId, role } });
}

/** How much of one payment the member may refund in all; without an amount nothing. By owners. */
export async function setRefundLimits(
  tx: Tx,
  caller: Caller,
  { personId, limits }: { readonly personId: string; readonly limits: readonly Money[] },
): Promise<void> {
  const managerRole = await holdManager(tx, caller);
  if (!mayDo(managerRole, "refund_limits")) throw new NotFound(`${managerRole} sets no limits`);
  await lockMember(tx, { caller, managerRole }, personId);
  await tx.run(sql`
    delete from member_refund_limits
    where account_number = ${caller.accountNumber} and person_id = ${personId}`);
  for (const { currency, minor } of limits)
    await tx.run(sql`
      insert into member_refund_limits (account_number, person_id, currency, limit_minor)
      values (${caller.accountNumber}, ${personId}, ${currency}, ${minor})`);
  await recordAudit(tx, caller, "member_refund_limits_changed", { detail: { person: personId } });
}

async function endWhatTheyHad(tx: Tx, { accountNumber }: Caller, personId: string): Promise<void> {
  await endSessionsOf(tx, { personId, accountNumber });
  await withdrawInvitationsBy(tx, { personId, accountNumber });
}

async function lockMember(
  tx: Tx,
  { caller, managerRole }: { readonly caller: Caller; readonly managerRole: Role },
  personId: string,
): Promise<Role> {
  const row = await tx.maybeOne(sqlOf(pick(tables.members, "role"))`
    select role from members
    where account_number = ${caller.accountNumber} and person_id = ${personId} for update`);
  if (row === undefined || !mayManage(managerRole, row.role))
    throw new NotFound("no such member, or beyond the role");
  return row.role;
}

function keepingHolder<T>(work: Promise<T>): Promise<T> {
  return onConstraint({ the_holder_stays_an_owner: (cause) => new HolderStaysOwner(cause) }, work);
}
