/** Verifies the password again, as a fresh proof. A wrong one counts as a guess and is audited. */

import { markProven, type Session } from "./console-session.ts";
import type { PeopleContext } from "./context.ts";
import { countedGuess } from "./guesses.ts";
import { findPerson } from "./person.ts";
import { guessedName } from "./sessions-of.ts";
import { auditProof, type ProofOrigin } from "./verify-second-factor.ts";

export async function verifyPassword(
  ctx: PeopleContext,
  session: Session,
  password: string,
  from: ProofOrigin,
): Promise<boolean> {
  ctx.passwords.demandRoom();
  const { person } = session;
  const isRight = await countedGuess(ctx.db, { ...from, email: guessedName(person) }, async () => {
    const known = await findPerson(ctx.db, person.personId);
    return ctx.passwords.matches(password, known?.password);
  });
  const action = isRight ? "console_proven" : "console_proof_failed";
  if (isRight) await markProven(ctx.db, session);
  await auditProof(ctx.db, session, from, { action, kind: "password" });
  return isRight;
}
