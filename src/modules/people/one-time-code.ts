/**
 * What a person types as a code: of their authenticator app, or a recovery code. Looking it up and
 * using it up are two steps, so that it can be judged beside a password and is spent only in the tx
 * of what it allows.
 */

import type { Queryable } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { PeopleContext } from "./context.ts";
import { findRecoveryCode, useRecoveryCode } from "./recovery-codes.ts";
import { findTotpStep, useTotpStep } from "./totp.ts";

export type OneTimeCode =
  | { readonly kind: "totp"; readonly step: bigint }
  | { readonly kind: "recovery_code"; readonly digest: Buffer };

/** Undefined after the same work, whether the code is wrong or the person has none. */
export async function findCode(
  ctx: Pick<PeopleContext, "config" | "log">,
  db: Queryable,
  personId: string,
  code: string,
): Promise<OneTimeCode | undefined> {
  const step = await findTotpStep(ctx, db, personId, code);
  const digest = await findRecoveryCode(ctx.config, db, personId, code);
  if (step !== undefined) return { kind: "totp", step };
  return digest === undefined ? undefined : { kind: "recovery_code", digest };
}

/** False when another request was first. */
export function useCode(tx: Tx, personId: string, code: OneTimeCode): Promise<boolean> {
  if (code.kind === "totp") return useTotpStep(tx, personId, code.step);
  return useRecoveryCode(tx, personId, code.digest);
}
