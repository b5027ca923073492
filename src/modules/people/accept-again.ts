/**
 * Accepts an invitation for somebody whose sign-in leads nowhere: removed from every account, or
 * the holder of a closed one. The link proves the e-mail as a reset link does, so they choose a
 * password by it; a second factor that they have is still asked for (Decision 0146).
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import type { NewPassword } from "../accounts/new-password.ts";
import { InvitationInvalid, joinAsKnown, type SentFrom } from "./accept-invitation.ts";
import type { PeopleContext } from "./context.ts";
import type { OpenInvitation } from "./invite-member.ts";
import { hasPersonPassword, lockPerson, type Person, type SigningPerson } from "./person.ts";
import { type PasswordProblem, problemOfAnother, setByLink } from "./reset-password.ts";

/** A frozen account counts: it may be unfrozen, and its people sign in again. */
export async function actsForNobody(
  db: Queryable,
  { personId }: Pick<Person, "personId">,
): Promise<boolean> {
  const account = await db.maybeOne(sqlOf({})`
    select from members join accounts using (account_number)
    where members.person_id = ${personId} and accounts.status <> 'closed' limit 1`);
  return account === undefined;
}

/** What is wrong with the passwords; undefined once the person has joined. */
export async function acceptAgain(
  ctx: PeopleContext,
  invitation: OpenInvitation,
  person: SigningPerson,
  { passwords, ...from }: SentFrom & { readonly passwords: NewPassword },
): Promise<PasswordProblem | undefined> {
  const problem = await problemOfAnother(ctx, person, passwords);
  if (problem !== undefined) return problem;
  const password = await ctx.passwords.digest(passwords.new_password);
  await ctx.db.transaction(
    async (tx) => {
      const epoch = await lockPerson(tx, person);
      if (epoch === undefined || !(await actsForNobody(tx, person)))
        throw new InvitationInvalid("their sign-in leads somewhere by now");
      await setByLink(tx, person, { ...from, credentialEpoch: epoch + 1, password });
      await joinAsKnown(ctx, tx, invitation, { ...from, ...person });
      return true as const;
    },
    { confirm: () => hasPersonPassword(ctx.db, person, password) },
  );
  return undefined;
}
