/**
 * Adds a bank where there is none. Which of several at once is first, the primary key decides; the
 * look before it only lets the state speak before the bank's own rules (Decision 0019).
 */

import { recordAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql } from "../../infra/db/query.ts";
import { columns } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Shape, Values } from "../../kit/fields/field.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { platformOf } from "../platforms/platform.ts";
import { type BankKind, type BankType, findBankRow, SEALED_COLUMNS, sealedValues } from "./bank.ts";
import type { UserContext } from "./context.ts";

export class BankAlreadyExists extends ServiceError {
  constructor(type: BankType, cause?: unknown) {
    const message = `A ${type} bank account already exists.`;
    super({ status: 409, code: "bank_exists", message, cause });
  }
}

export async function addBank<Fields extends Shape>(
  ctx: UserContext,
  tx: Tx,
  caller: Caller,
  kind: BankKind<Fields>,
  given: Values<Fields>,
): Promise<void> {
  await holdCredential(tx, caller, "read");
  if ((await findBankRow(tx, kind, caller.accountNumber)) !== undefined)
    throw new BankAlreadyExists(kind.type);
  await keepBank(ctx, tx, caller, kind, given);
  await recordAudit(tx, caller, "bank_added", { detail: { type: kind.type } });
}

/** Alone it is for the demo world, where nobody is calling. */
export async function keepBank<Fields extends Shape>(
  { config }: Pick<UserContext, "config">,
  tx: Tx,
  owner: Pick<Caller, "accountNumber" | "countryCode">,
  kind: BankKind<Fields>,
  given: Values<Fields>,
): Promise<void> {
  const { accountNumber, countryCode } = owner;
  const { type } = kind;
  const bank = kind.settle(given, platformOf(countryCode));
  const number = String(bank[kind.numberField]);
  const sealed = sealedValues(config.wrappingKeys, { accountNumber, type }, number);
  await onConstraint(
    { [`an_account_has_one_${type}_bank`]: (cause) => new BankAlreadyExists(type, cause) },
    tx.run(sql`
      insert into ${kind.table} (account_number, ${columns(kind.columns)}, ${SEALED_COLUMNS})
      values (${accountNumber}, ${kind.values(bank)}, ${sealed})`),
  );
}
