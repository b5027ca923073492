/**
 * Signs a person in to the console (Decision 0085): e-mail and password, then a second factor where
 * they have one. An unknown e-mail, a wrong password and a person without an open account get the
 * same answer after the same work.
 */

import { insertAudit } from "../../infra/audit.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { startSession } from "./console-session.ts";
import type { PeopleContext } from "./context.ts";
import { countedGuess } from "./guesses.ts";
import { noteBrowser } from "./known-browser.ts";
import { membershipsOf } from "./member.ts";
import { findPersonByEmail, lockPerson, NOBODY, type SigningPerson } from "./person.ts";
import { hasSecondFactor, secondFactorsOf } from "./second-factors.ts";

export class SignInRefused extends fixedRefusal("invalid_credentials") {}

export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly browser: string;
  /** The cookie by which the browser is known again. */
  readonly browserToken: string;
}

export interface SignedIn {
  readonly person: SigningPerson;
  /** The cookie's value. */
  readonly token: string;
  readonly accountNumber: string;
  readonly needsSecondFactor: boolean;
}

export async function signIn(ctx: PeopleContext, given: SignIn): Promise<SignedIn> {
  ctx.passwords.demandRoom();
  const found = await findPersonByEmail(ctx.db, given.email);
  // Looked for in every case, and the failure noted without waiting: the time tells nothing.
  const [membership] = await membershipsOf(ctx.db, found?.personId ?? NOBODY);
  const person = membership === undefined ? undefined : found;
  const isRight = await countedGuess(ctx.db, given, async () =>
    ctx.passwords.matches(given.password, person?.password),
  );
  if (!isRight || person === undefined || membership === undefined) {
    if (found !== undefined) void recordFailure(ctx, found, given);
    throw new SignInRefused("unknown or wrong");
  }
  const needsSecondFactor = hasSecondFactor(await secondFactorsOf(ctx.db, person.personId));
  const { token, accountNumber } = await ctx.db.transaction(async (tx) => {
    // A password that was changed since it was compared lets nobody in.
    if ((await lockPerson(tx, person)) !== person.credentialEpoch)
      throw new SignInRefused("changed while signing in");
    // Again: the account that they hold may have been closed meanwhile (Decision 0146).
    const [first] = await membershipsOf(tx, person.personId);
    if (first === undefined) throw new SignInRefused("closed while signing in");
    const { account_number: accountNumber } = first;
    const token = await startSession(tx, {
      person,
      accountNumber,
      environment: firstEnvironment(ctx),
      stage: needsSecondFactor ? "second_factor" : "signed_in",
      address: given.address,
      browser: given.browser,
    });
    const action = needsSecondFactor ? "console_password_taken" : "console_signed_in";
    await recordOf(tx, person, { action, accountNumber, ...given });
    if (!needsSecondFactor) await noteBrowser(ctx.config, tx, person, { ...given, accountNumber });
    return { token, accountNumber };
  });
  return { person, token, accountNumber, needsSecondFactor };
}

/** Where a laptop begins is the sandbox; in production merchants come for live. */
function firstEnvironment({ config }: PeopleContext): Environment {
  return config.demoWorld ? "sandbox" : "live";
}

type SignInEntry = Pick<SignIn, "address" | "browser"> & { action: string; accountNumber: string };

async function recordOf(
  db: Parameters<typeof insertAudit>[0],
  { personId }: SigningPerson,
  { action, accountNumber, address, browser }: SignInEntry,
): Promise<void> {
  await insertAudit(db, {
    action,
    accountNumber,
    actor: `person ${personId}`,
    detail: { address, browser },
  });
}

/** Never rejects: the answer does not depend on it. */
async function recordFailure(
  ctx: PeopleContext,
  { personId, holderOf }: SigningPerson,
  { address, browser }: SignIn,
): Promise<void> {
  try {
    await insertAudit(ctx.db, {
      action: "console_sign_in_failed",
      ...(holderOf === undefined ? {} : { accountNumber: holderOf }),
      actor: `person ${personId}`,
      detail: { address, browser },
    });
  } catch (error) {
    ctx.log.warn({ err: error }, "a failed sign-in could not be recorded");
  }
}
