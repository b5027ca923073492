/**
 * Invitations to act for an account (Decision 0084): a link by mail, for seven days, once. Inviting
 * an e-mail again replaces its open invitation. Nobody invites a role above what they may manage.
 */

import { recordAudit } from "../../infra/audit.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, pick, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { FieldRefused, Forbidden, fixedRefusal, NotFound } from "../../kit/errors.ts";
import { holdsLink } from "../../kit/fields/link-inside.ts";
import { mayManage, type Role } from "../../kit/roles.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { accountName } from "./account-name.ts";
import type { PeopleContext } from "./context.ts";
import { countMails } from "./count-mails.ts";
import { holdManager } from "./hold-manager.ts";
import { isToken, newToken, tokenDigest } from "./random-token.ts";

const INVITATION_DAYS = 7;
/** More than any account needs. */
const OPEN_MAX = 50;
class AlreadyMember extends fixedRefusal("already_a_member") {}

interface Inviter {
  readonly personId: string;
  readonly name: string;
}

const NAMED = { name: accountName() };

export async function inviteMember(
  { config }: Pick<PeopleContext, "config">,
  tx: Tx,
  by: { readonly caller: Caller; readonly inviter: Inviter },
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<void> {
  const { caller, inviter } = by;
  const { accountNumber } = caller;
  // One invitation of the account after the other: the limit and the replacing need it.
  const inviterRole = await holdManager(tx, caller);
  if (!mayManage(inviterRole, role)) throw new Forbidden(`${inviterRole} invites no ${role}`);
  const { name } = await tx.one(sqlOf(NAMED)`
    select ${columns(NAMED)} from accounts where account_number = ${accountNumber}`);
  const member = await tx.maybeOne(sqlOf({})`
    select from members join persons using (person_id)
    where account_number = ${accountNumber} and email = ${email}`);
  if (member !== undefined) throw new AlreadyMember();
  await tx.run(sql`
    update invitations set withdrawn_at = real_now()
    where account_number = ${accountNumber} and email = ${email}
      and accepted_at is null and withdrawn_at is null`);
  if ((await openInvitations(tx, accountNumber)).length >= OPEN_MAX)
    throw new FieldRefused("There are too many open invitations. Withdraw one first.", {
      field: "email",
    });
  await countMails(tx, "invitations", { accountNumber, email });
  const token = newToken();
  await tx.run(sql`
    insert into invitations (account_number, email, role, token_digest, invited_by, expires_at)
    values (${accountNumber}, ${email}, ${role}, ${tokenDigest(token)}, ${inviter.personId},
      real_now() + make_interval(days => ${INVITATION_DAYS}))`);
  // Names are typed in many places, some before links were refused there.
  const who = holdsLink(inviter.name) ? "A member" : inviter.name;
  const what = holdsLink(name) ? `account ${accountNumber}` : name;
  await queueMail(config, tx, {
    reason: `invitation ${tokenDigest(token).toString("hex")}`,
    to: email,
    subject: `${who} invites you to ${what}`,
    content: {
      heading: `Join ${what}`,
      parts: [
        `${who} invites you to act for ${what} on Windward, as ${role}.`,
        { link: `${config.http.publicUrl}/invite/${token}`, text: "Accept the invitation" },
        `The link works once, within ${INVITATION_DAYS} days.`,
      ],
    },
  });
  await recordAudit(tx, caller, "member_invited", { detail: { email, role } });
}

const INVITATION = {
  ...pick(tables.invitations, "invitation_id", "role", "expires_at"),
  account_number: computed(tables.invitations.account_number, sql`invitations.account_number`),
  email: computed(tables.invitations.email, sql`invitations.email`),
  account_name: accountName(),
  invited_by_name: computed(
    text,
    sql`coalesce(persons.full_name, holding.first_name || ' ' || holding.last_name)`,
  ),
};

const IS_OPEN = sql`accepted_at is null and withdrawn_at is null
  and expires_at > real_now() and accounts.status = 'active'`;

function invitationsWhere(condition: Sql) {
  return sqlOf(INVITATION)`
    select ${columns(INVITATION)}
    from invitations join accounts using (account_number)
      join persons on persons.person_id = invited_by
      left join accounts as holding on holding.account_number = holder_of
    where ${condition} and ${IS_OPEN}
    order by invitations.created_at desc`;
}

export function openInvitations(db: Queryable, accountNumber: string) {
  return db.rows(invitationsWhere(sql`invitations.account_number = ${accountNumber}`));
}

export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** Undefined for a link that is unknown, used, withdrawn or too old. */
export async function findInvitation(db: Queryable, token: string) {
  if (!isToken(token)) return undefined;
  return db.maybeOne(invitationsWhere(sql`token_digest = ${tokenDigest(token)}`));
}

export async function withdrawInvitation(
  tx: Tx,
  caller: Caller,
  invitationId: string,
): Promise<void> {
  const role = await holdManager(tx, caller);
  const row = await tx.maybeOne(sqlOf(pick(tables.invitations, "email", "role"))`
    update invitations set withdrawn_at = real_now()
    where invitation_id = ${invitationId} and account_number = ${caller.accountNumber}
      and accepted_at is null and withdrawn_at is null
    returning email, role`);
  if (row === undefined || !mayManage(role, row.role))
    throw new NotFound("no such invitation, or beyond the role");
  await recordAudit(tx, caller, "invitation_withdrawn", { detail: { email: row.email } });
}

/** Those that a member sent for the account and nobody has accepted. */
export async function withdrawInvitationsBy(
  tx: Tx,
  { accountNumber, personId }: { readonly accountNumber: string; readonly personId: string },
): Promise<void> {
  await tx.run(sql`
    update invitations set withdrawn_at = real_now()
    where account_number = ${accountNumber} and invited_by = ${personId}
      and accepted_at is null and withdrawn_at is null`);
}
