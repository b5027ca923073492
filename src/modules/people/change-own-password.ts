/**
 * Changes one's own password in the console. It does what `PATCH /user/password` does (Decision
 * 0020): the credential epoch goes up in the tx that sets the password, so every session ends,
 * this one among them, and for a holder every sign-in to the API; API keys stay. Hashing happens
 * outside the tx; a change in between makes this one fail.
 */

import type { Tx } from "../../infra/db/transaction.ts";
import { SAME_AS_OLD } from "../accounts/new-password.ts";
import type { PasswordDigest } from "../accounts/passwords.ts";
import { endSessionsOf, holdSession } from "./console-session.ts";
import type { PeopleContext } from "./context.ts";
import { countedGuess } from "./guesses.ts";
import { holdOperatorSession } from "./operators/operator-session.ts";
import {
  findPerson,
  hasPersonPassword,
  lockPerson,
  type SigningPerson,
  setPersonPassword,
} from "./person.ts";
import { type PasswordProblem, passwordProblem } from "./reset-password.ts";
import { auditSelf, type Self, SessionOver } from "./self.ts";
import { guessedName } from "./sessions-of.ts";
import { tellOfPassword } from "./tell-owners.ts";
import type { ProofOrigin } from "./verify-second-factor.ts";

export interface OwnPasswordChange extends ProofOrigin {
  readonly old_password: string;
  readonly new_password: string;
  readonly confirm_password: string;
}

export interface OwnPasswordProblem {
  readonly field: PasswordProblem["field"] | "old_password";
  readonly sentence: string;
}

const OLD_IS_WRONG: OwnPasswordProblem = {
  field: "old_password",
  sentence: "That is not your password.",
};

/** What is wrong with it; undefined once the password is changed. */
export async function changeOwnPassword(
  ctx: PeopleContext,
  self: Self,
  change: OwnPasswordChange,
): Promise<OwnPasswordProblem | undefined> {
  ctx.passwords.demandRoom();
  const person = await findPerson(ctx.db, self.person.personId);
  if (person === undefined) throw new SessionOver("the person is gone");
  // These need no hash, so they come before the old password: their answers reveal nothing of it.
  if (change.new_password === change.old_password)
    return { field: "new_password", sentence: SAME_AS_OLD };
  const problem = passwordProblem(ctx, person, change);
  if (problem !== undefined) return problem;
  const guess = { email: guessedName(person), address: change.address };
  const isRight = await countedGuess(ctx.db, guess, () =>
    ctx.passwords.matches(change.old_password, person.password),
  );
  if (!isRight) return OLD_IS_WRONG;
  const fresh = await ctx.passwords.digest(change.new_password);
  await ctx.db.transaction((tx) => replacePassword(ctx, tx, { self, person, fresh, change }), {
    confirm: () => hasPersonPassword(ctx.db, person, fresh),
  });
  return undefined;
}

interface Replacing {
  readonly self: Self;
  readonly person: SigningPerson;
  readonly fresh: PasswordDigest;
  readonly change: ProofOrigin;
}

async function replacePassword(
  { config }: PeopleContext,
  tx: Tx,
  { self, person, fresh, change }: Replacing,
): Promise<true> {
  const epoch = await lockPerson(tx, person);
  const hold = person.isOperator ? holdOperatorSession : holdSession;
  const isAlive = await hold(tx, self.sessionId);
  if (epoch !== person.credentialEpoch || !isAlive) throw new SessionOver("changed in between");
  await setPersonPassword(tx, person, {
    credentialEpoch: epoch + 1,
    password: fresh,
    isByMailedLink: false,
  });
  await endSessionsOf(tx, person);
  const to = person.holderOf;
  await auditSelf(tx, self, "password_changed", to === undefined ? {} : { to });
  const { address, browser } = change;
  const by = { name: person.name, address, browser };
  await tellOfPassword(config, tx, person, { how: "on their profile", by });
  return true;
}
