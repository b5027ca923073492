/**
 * Sets the password of the person that a reset link was made for (Decision 0070).
 *
 * The link is used up in the tx that sets the password, under the lock of what holds it, so of two
 * posts with one link exactly one takes effect. As with a changed password, the credential epoch
 * goes up: every sign-in and session ends on every process; API keys stay. Hashing happens before
 * the tx.
 */

import { insertAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { FieldRefused, fixedRefusal } from "../../kit/errors.ts";
import { demandNewPassword, type NewPassword, SAME_AS_OLD } from "../accounts/new-password.ts";
import { newPasswordField, type PasswordDigest } from "../accounts/passwords.ts";
import type { PeopleContext } from "./context.ts";
import {
  findPerson,
  hasPersonPassword,
  lockPerson,
  type SigningPerson,
  setPersonPassword,
} from "./person.ts";
import { personOfResetLink } from "./reset-link.ts";
import { tellOfPassword } from "./tell-owners.ts";

/** Unknown, used, replaced, expired, of somebody who may not sign in: all the same to a caller. */
export class ResetLinkInvalid extends fixedRefusal("reset_link_invalid") {}

interface PasswordReset extends NewPassword {
  readonly token: string;
  readonly address: string;
}

/** A sentence for the field it belongs to. */
export interface PasswordProblem {
  readonly field: "new_password" | "confirm_password";
  readonly sentence: string;
}

/** The person whose password the link sets. */
export async function demandResetLink(
  { db }: PeopleContext,
  token: string,
  { isOperator = false }: { readonly isOperator?: boolean } = {},
): Promise<SigningPerson> {
  const personId = await personOfResetLink(db, token, { isOperator });
  if (personId === undefined) throw new ResetLinkInvalid("no such link, or it has expired");
  const person = await findPerson(db, personId);
  if (person === undefined) throw new ResetLinkInvalid("the person is gone");
  return person;
}

/** What is wrong with the passwords; undefined once the new one is set. */
export async function resetPassword(
  ctx: PeopleContext,
  person: SigningPerson,
  reset: PasswordReset,
): Promise<PasswordProblem | undefined> {
  const problem = await problemOfAnother(ctx, person, reset);
  if (problem !== undefined) return problem;
  const fresh = await ctx.passwords.digest(reset.new_password);
  await ctx.db.transaction((tx) => replacePassword(ctx, tx, person, { ...reset, fresh }), {
    confirm: () => hasPersonPassword(ctx.db, person, fresh),
  });
  return undefined;
}

/** Of a password in place of the one there is, which may have leaked. */
export async function problemOfAnother(
  ctx: PeopleContext,
  person: SigningPerson,
  sent: NewPassword,
): Promise<PasswordProblem | undefined> {
  const problem = passwordProblem(ctx, person, sent);
  if (problem !== undefined) return problem;
  // Last, because it costs a hash.
  const isSame = await ctx.passwords.matches(sent.new_password, person.password);
  return isSame ? { field: "new_password", sentence: SAME_AS_OLD } : undefined;
}

/** In the words of a page, which says "password" where the interface says "new password". */
export function passwordProblem(
  { config }: Pick<PeopleContext, "config">,
  person: { readonly email: string },
  sent: NewPassword,
): PasswordProblem | undefined {
  try {
    newPasswordField(config.passwords).read(sent.new_password, "new_password");
    demandNewPassword(person, sent);
    return undefined;
  } catch (error) {
    if (!(error instanceof FieldRefused)) throw error;
    if (error.field === "confirm_password")
      return { field: error.field, sentence: "The passwords do not match." };
    return { field: "new_password", sentence: error.message };
  }
}

async function replacePassword(
  { config }: PeopleContext,
  tx: Tx,
  person: SigningPerson,
  { token, address, fresh }: PasswordReset & { readonly fresh: PasswordDigest },
): Promise<true> {
  const epoch = await lockPerson(tx, person);
  // A post that waited for the lock reads the link only afterwards.
  const stillGood = await personOfResetLink(tx, token, {
    isOperator: person.isOperator,
    lock: sql`for update of link`,
  });
  if (epoch === undefined || stillGood !== person.personId)
    throw new ResetLinkInvalid("used or replaced in between");
  await setByLink(tx, person, { credentialEpoch: epoch + 1, password: fresh, address });
  const by = { name: "Somebody with the link of a mail", address };
  await tellOfPassword(config, tx, person, { how: "by a reset link", by });
  return true;
}

/** A link that was mailed to the person, whichever it was, proves that it is theirs to choose. */
export async function setByLink(
  tx: Tx,
  person: SigningPerson,
  given: Pick<SigningPerson, "credentialEpoch" | "password"> & { readonly address: string },
): Promise<void> {
  await tx.run(sql`delete from reset_links where person_id = ${person.personId}`);
  await setPersonPassword(tx, person, { ...given, isByMailedLink: true });
  await insertAudit(tx, {
    action: "password_reset",
    ...(person.holderOf === undefined ? {} : { accountNumber: person.holderOf }),
    actor: given.address,
    detail: { person_id: person.personId },
  });
}
