/**
 * Signs somebody in to `/operator` (Decision 0118): e-mail and password, then a second factor,
 * always. Guesses, answers and work are those of the merchants' sign-in.
 */

import { insertAudit } from "../../../infra/audit.ts";
import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { pick } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { PeopleContext } from "../context.ts";
import { countedGuess } from "../guesses.ts";
import { findOperatorPerson, lockPerson, NOBODY, type SigningPerson } from "../person.ts";
import { hasSecondFactor, secondFactorsOf } from "../second-factors.ts";
import { SignInRefused } from "../sign-in.ts";
import { startOperatorSession } from "./operator-session.ts";

export interface OperatorSignIn {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly browser: string;
}

export async function signInOperator(
  ctx: PeopleContext,
  given: OperatorSignIn,
): Promise<{ readonly token: string; readonly hasFactor: boolean }> {
  ctx.passwords.demandRoom();
  const found = await findOperatorPerson(ctx.db, given.email);
  // Looked for in every case: the time tells nothing.
  const isOperator = await mayCome(ctx.db, found?.personId ?? NOBODY);
  const person = isOperator ? found : undefined;
  const guess = { email: `operator ${given.email}`, address: given.address };
  const isRight = await countedGuess(ctx.db, guess, async () =>
    ctx.passwords.matches(given.password, person?.password),
  );
  if (!isRight || person === undefined) {
    if (found !== undefined) void recordFailure(ctx, found, given);
    throw new SignInRefused("unknown or wrong");
  }
  const hasFactor = hasSecondFactor(await secondFactorsOf(ctx.db, person.personId));
  const token = await ctx.db.transaction(async (tx) => {
    if ((await lockPerson(tx, person)) !== person.credentialEpoch)
      throw new SignInRefused("changed while signing in");
    const { address, browser } = given;
    const stage = hasFactor ? "second_factor" : "set_up";
    await insertAudit(tx, entryOf(person, "console_password_taken", given));
    return startOperatorSession(tx, { person, stage, address, browser });
  });
  return { token, hasFactor };
}

async function mayCome(db: Queryable, personId: string): Promise<boolean> {
  const row = await db.maybeOne(sqlOf(pick(tables.operators, "person_id"))`
    select person_id from operators where person_id = ${personId} and removed_at is null`);
  return row !== undefined;
}

function entryOf({ personId, email }: SigningPerson, action: string, from: OperatorSignIn) {
  const { address, browser } = from;
  return { action, actor: `person ${personId}`, detail: { operator: email, address, browser } };
}

/** Never rejects: the answer does not depend on it. */
async function recordFailure(
  ctx: PeopleContext,
  person: SigningPerson,
  given: OperatorSignIn,
): Promise<void> {
  try {
    await insertAudit(ctx.db, entryOf(person, "console_sign_in_failed", given));
  } catch (error) {
    ctx.log.warn({ err: error }, "a failed sign-in could not be recorded");
  }
}
