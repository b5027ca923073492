/**
 * Accepts an invitation for somebody who has a sign-in and nothing to sign in to: removed from
 * every account, or the holder of a closed one. The link proves the e-mail as a reset link does, so
 * they choose a password by it; a second factor that they have is still asked for (Decision 0146).
 */

import { insertAudit } from "../../infra/audit.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type NewPassword, SAME_AS_OLD } from "../accounts/new-password.ts";
import type { PasswordDigest } from "../accounts/passwords.ts";
import { acceptAsKnownIn, type From, InvitationInvalid } from "./accept-invitation.ts";
import type { PeopleContext } from "./context.ts";
import type { OpenInvitation } from "./invite-member.ts";
import { membershipsOf } from "./member.ts";
import { lockPerson, type Person, type SigningPerson, setPersonPassword } from "./person.ts";
import { type PasswordProblem, passwordProblem } from "./reset-password.ts";

/** A frozen account stops its holder everywhere. */
export async function actsForNobody(db: Queryable, person: Person): Promise<boolean> {
  if ((await membershipsOf(db, person.personId)).length > 0) return false;
  const frozen = await db.maybeOne(sqlOf({})`
    select from accounts
    where account_number = ${person.holderOf ?? null} and status = 'frozen'`);
  return frozen === undefined;
}

/** What is wrong with the passwords; undefined once the person has joined. */
export async function acceptAgain(
  ctx: PeopleContext,
  invitation: OpenInvitation,
  person: SigningPerson,
  given: From & { readonly passwords: NewPassword },
): Promise<PasswordProblem | undefined> {
  const problem = passwordProblem(ctx, invitation, given.passwords);
  if (problem !== undefined) return problem;
  // Who made the account that they held may know the old one (Decision 0147).
  if (await ctx.passwords.matches(given.passwords.new_password, person.password))
    return { field: "new_password", sentence: SAME_AS_OLD };
  const password = await ctx.passwords.digest(given.passwords.new_password);
  await ctx.db.transaction(async (tx) => {
    await choose(tx, person, { ...given, password });
    await acceptAsKnownIn(ctx, tx, invitation, { ...given, ...person });
  });
  return undefined;
}

async function choose(
  tx: Tx,
  person: SigningPerson,
  { address, password }: From & { readonly password: PasswordDigest },
): Promise<void> {
  const epoch = await lockPerson(tx, person);
  if (epoch === undefined || !(await actsForNobody(tx, person)))
    throw new InvitationInvalid("they have something to sign in to by now");
  await tx.run(sql`delete from reset_links where person_id = ${person.personId}`);
  await setPersonPassword(tx, person, {
    credentialEpoch: epoch + 1,
    password,
    isByMailedLink: true,
  });
  await insertAudit(tx, {
    action: "password_reset",
    ...(person.holderOf === undefined ? {} : { accountNumber: person.holderOf }),
    actor: address,
    detail: { person_id: person.personId },
  });
}
