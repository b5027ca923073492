/**
 * Verifies a second factor (Decision 0090): to finish signing in, or as a fresh proof. A wrong one
 * counts as a guess and is audited with person, address and browser; a right one is used up in the
 * tx that marks the session.
 */

import { insertAudit } from "../../infra/audit.ts";
import type { Queryable } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { finishSignIn, markProven, type Session } from "./console-session.ts";
import type { PeopleContext } from "./context.ts";
import { countedGuess } from "./guesses.ts";
import { noteBrowser } from "./known-browser.ts";
import { findCode, type OneTimeCode, useCode } from "./one-time-code.ts";
import type { OperatorStage } from "./operators/operator-session.ts";
import { findPasskeyUsed, type PasskeyAnswer, type UsedPasskey, usePasskey } from "./passkeys.ts";
import type { Person } from "./person.ts";
import { guessedName } from "./sessions-of.ts";

export type FactorProof =
  | { readonly kind: "code"; readonly code: string }
  | ({ readonly kind: "passkey" } & PasskeyAnswer);

/** From where it was sent. */
export interface ProofOrigin {
  readonly address: string;
  readonly browser: string;
  /** The cookie by which the browser is known again, at a sign-in. */
  readonly browserToken?: string | undefined;
}

/** `token`: the cookie's new value, where this finished signing in. */
export interface VerifiedFactor {
  readonly token: string | undefined;
}

interface ProvingSession extends Pick<Session, "sessionId" | "person"> {
  readonly stage: Session["stage"] | OperatorStage;
  /** Absent: somebody of the operator. */
  readonly account?: Pick<Session["account"], "accountNumber">;
}

/** False when it was wrong or used before. */
export async function verifySecondFactor(
  ctx: PeopleContext,
  session: ProvingSession,
  shown: FactorProof,
  from: ProofOrigin,
): Promise<VerifiedFactor | false> {
  const email = guessedName(session.person);
  const taken = await countedGuess(ctx.db, { email, address: from.address }, async () => {
    const found = await findFactor(ctx, session, shown);
    if (found === undefined) return false;
    return ctx.db.transaction((tx) => useFactor(ctx, tx, { session, found, from }));
  });
  if (taken === false)
    await auditProof(ctx.db, session, from, { action: "second_factor_failed", kind: shown.kind });
  return taken;
}

type FoundFactor = OneTimeCode | UsedPasskey;

async function findFactor(
  ctx: PeopleContext,
  session: ProvingSession,
  shown: FactorProof,
): Promise<FoundFactor | undefined> {
  if (shown.kind === "passkey") return findPasskeyUsed(ctx, session, shown);
  return findCode(ctx, ctx.db, session.person.personId, shown.code);
}

interface Using {
  readonly session: ProvingSession;
  readonly found: FoundFactor;
  readonly from: ProofOrigin;
}

async function useFactor(
  { config }: PeopleContext,
  tx: Tx,
  { session, found, from }: Using,
): Promise<VerifiedFactor | false> {
  const { person, stage, account } = session;
  const { kind } = found;
  const isFirst =
    found.kind === "passkey"
      ? await usePasskey(tx, found)
      : await useCode(tx, person.personId, found);
  if (!isFirst) return false;
  if (stage === "signed_in") {
    await markProven(tx, session, kind);
    await auditProof(tx, session, from, { action: "console_proven", kind });
    return { token: undefined };
  }
  const token = await finishSignIn(tx, session, kind);
  if (token === undefined) return false;
  await auditProof(tx, session, from, { action: "console_signed_in", kind });
  if (account === undefined) return { token };
  const { accountNumber } = account;
  const { browserToken = "", address, browser } = from;
  await noteBrowser(config, tx, person, { accountNumber, browserToken, address, browser });
  return { token };
}

export async function auditProof(
  db: Queryable,
  { person, account, sessionId }: ProvingSession,
  { address, browser }: ProofOrigin,
  { action, kind }: { readonly action: string; readonly kind: string },
): Promise<void> {
  await insertAudit(db, {
    action,
    ...(account === undefined ? {} : { accountNumber: account.accountNumber }),
    actor: `person ${person.personId}`,
    detail: { ...operatorIn(person), kind, session_id: sessionId, address, browser },
  });
}

/** Named, because no account stands beside the entry. */
function operatorIn({ isOperator, email }: Pick<Person, "isOperator" | "email">) {
  return isOperator ? { operator: email } : {};
}
