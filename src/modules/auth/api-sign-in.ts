/**
 * What `POST /auth/tokens` asks of an account's holder (Decision 0090): the password, the password
 * and a code, or nothing that would do. Tokens that exist and API keys stay as they are.
 */

import { recordAudit } from "../../infra/audit.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { fixedRefusal } from "../../kit/errors.ts";
import { findHolder, NOBODY } from "../people/person.ts";
import { secondFactorsOf } from "../people/second-factors.ts";
import { lockFactors } from "../people/self.ts";
import { tellOwnersOfCall } from "../people/tell-owners.ts";
import type { AuthContext } from "./context.ts";
import { holdCredential } from "./hold-credential.ts";

export type ApiSignIn = Row<typeof tables.accounts>["api_sign_in"];

export const API_SIGN_INS = ["password", "password_and_code", "off"] as const;

export async function apiSignInOf(db: Queryable, accountNumber: string): Promise<ApiSignIn> {
  const row = await db.one(sqlOf(pick(tables.accounts, "api_sign_in"))`
    select api_sign_in from accounts where account_number = ${accountNumber}`);
  return row.api_sign_in;
}

export class ApiCodesNeedAuthenticator extends fixedRefusal("api_codes_need_authenticator") {}

const WHAT: Readonly<Record<ApiSignIn, string>> = {
  password: "Sign-ins to the API now need the holder's password only.",
  password_and_code: "Sign-ins to the API now need the holder's password and a code.",
  off: "Sign-ins to the API with a password are switched off.",
};

export async function setApiSignIn(
  { config }: Pick<AuthContext, "config">,
  tx: Tx,
  caller: Caller,
  value: ApiSignIn,
): Promise<void> {
  await holdCredential(tx, caller, "write");
  const { accountNumber } = caller;
  if (value === "password_and_code") {
    const personId = (await findHolder(tx, accountNumber))?.personId ?? NOBODY;
    // An app that is being removed meanwhile is gone, or stays for this.
    await lockFactors(tx, personId);
    if (!(await secondFactorsOf(tx, personId)).totp) throw new ApiCodesNeedAuthenticator();
  }
  const changed = await tx.run(sql`
    update accounts set api_sign_in = ${value}
    where account_number = ${accountNumber} and api_sign_in <> ${value}`);
  if (changed === 0) return;
  await recordAudit(tx, caller, "api_sign_in_changed", { detail: { to: value } });
  await tellOwnersOfCall(config, tx, caller, {
    subject: "The sign-in to the API was changed",
    what: WHAT[value],
  });
}
