/**
 * Accepts an invitation (Decision 0084). The link proves the e-mail. Somebody new chooses a name
 * and a password; somebody who is known signs in first, so that a stolen link alone opens nothing
 * of theirs, unless the sign-in leads nowhere (`accept-again.ts`). The link is used up in the tx
 * that makes the member. Whose password another company may know, chooses one first: that company
 * must not act for this account (Decision 0142).
 */

import { insertAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import type { PasswordDigest } from "../accounts/passwords.ts";
import { addMember, addPerson } from "./add-member.ts";
import type { PeopleContext } from "./context.ts";
import type { OpenInvitation } from "./invite-member.ts";
import type { Person } from "./person.ts";
import { tellOwners } from "./tell-owners.ts";

export class InvitationInvalid extends fixedRefusal("invitation_invalid") {}

export interface SentFrom {
  readonly address: string;
  readonly browser: string;
}

/** Gives the id of the new person. */
export async function acceptAsNewPerson(
  ctx: PeopleContext,
  invitation: OpenInvitation,
  given: SentFrom & { readonly name: string; readonly password: PasswordDigest },
): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    await useUp(tx, invitation);
    // Somebody of this e-mail since the page was opened: they sign in first.
    const personId = await onConstraint(
      { email_belongs_to_one_person: (cause: unknown) => new InvitationInvalid(cause) },
      addPerson(tx, { ...given, email: invitation.email }),
    );
    await join(ctx, tx, invitation, { ...given, personId });
    return personId;
  });
}

export async function acceptAsKnownPerson(
  ctx: PeopleContext,
  invitation: OpenInvitation,
  given: SentFrom & { readonly name: string; readonly personId: string },
): Promise<void> {
  await ctx.db.transaction((tx) => joinAsKnown(ctx, tx, invitation, given));
}

export async function joinAsKnown(
  ctx: PeopleContext,
  tx: Tx,
  invitation: OpenInvitation,
  given: SentFrom & { readonly name: string; readonly personId: string },
): Promise<void> {
  await useUp(tx, invitation);
  // The maker of the account that they hold may move their e-mail until they are a member.
  const invited = await tx.maybeOne(sqlOf({})`
    select from persons
    where person_id = ${given.personId} and email = ${invitation.email} for no key update`);
  if (invited === undefined) throw new InvitationInvalid("the e-mail is another person's by now");
  await join(ctx, tx, invitation, given);
}

/**
 * Whether the main merchant that made the account they hold may know their password. It knows the
 * first one, and with that it could set the next; an operator who ends credentials changes none. So
 * the credential epoch says nothing, a mailed link does (Decision 0147).
 */
export async function hasPasswordOfMaker(
  db: Queryable,
  { holderOf }: Pick<Person, "holderOf">,
): Promise<boolean> {
  if (holderOf === undefined) return false;
  const found = await db.maybeOne(sqlOf({})`
    select from accounts
    where account_number = ${holderOf} and made_by is not null and password_chosen_at is null`);
  return found !== undefined;
}

async function useUp(tx: Tx, { invitation_id }: OpenInvitation): Promise<void> {
  const used = await tx.run(sql`
    update invitations set accepted_at = real_now()
    where invitation_id = ${invitation_id} and accepted_at is null and withdrawn_at is null
      and expires_at > real_now()`);
  if (used === 0) throw new InvitationInvalid("used, withdrawn or over in between");
}

async function join(
  { config }: PeopleContext,
  tx: Tx,
  { account_number: accountNumber, role, email }: OpenInvitation,
  { personId, name, address, browser }: SentFrom & { personId: string; name: string },
): Promise<void> {
  await addMember(tx, { accountNumber, personId, role });
  await insertAudit(tx, {
    action: "member_joined",
    accountNumber,
    actor: `person ${personId}`,
    detail: { role, address, browser },
  });
  await tellOwners(config, tx, {
    accountNumber,
    subject: "A new member of your account",
    what: `${name} (${email}) has joined as ${role}.`,
    by: { name, address, browser },
  });
}
