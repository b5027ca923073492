/**
 * Changes some fields of a bank. The bank as it would be is judged whole, and another bank comes
 * with its own number and branch: those of the old one mean nothing there, even where two banks
 * call a branch alike (Decision 0019).
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import { columns } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { FieldRefused, NothingToChange } from "../../kit/errors.ts";
import { labelOf, readFields, type Shape } from "../../kit/fields/field.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { platformOf } from "../platforms/platform.ts";
import {
  type BankKind,
  findBankRow,
  NoBankExists,
  openNumber,
  SEALED_COLUMNS,
  sealedValues,
} from "./bank.ts";
import type { UserContext } from "./context.ts";

export async function changeBank<Fields extends Shape>(
  ctx: UserContext,
  tx: Tx,
  caller: Caller,
  kind: BankKind<Fields>,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { accountNumber } = caller;
  const { wrappingKeys } = ctx.config;
  const owner = { accountNumber, type: kind.type };
  const platform = platformOf(caller.countryCode);
  await holdCredential(tx, caller, "read");
  const row = await findBankRow(tx, kind, accountNumber, "for update");
  if (row === undefined) throw new NoBankExists(kind.type);
  const names = kind.namesOn(platform);
  const changed = names.filter((name) => given[name] !== undefined);
  if (changed.length === 0) throw nothingToChange(names);
  const isOtherBank =
    changed.includes(kind.bankField) && given[kind.bankField] !== row[kind.bankField];
  const missing = kind.ofThatBank(platform).find((name) => !changed.includes(name));
  if (isOtherBank && missing !== undefined) throw requiredWithAnother(missing);
  const changes = Object.fromEntries(changed.map((name) => [name, given[name]]));
  const kept = { ...row, [kind.numberField]: openNumber(wrappingKeys, owner, row) };
  const bank = kind.settle(readFields(kind.fields, { ...kept, ...changes }), platform);
  const sealed = sealedValues(wrappingKeys, owner, String(bank[kind.numberField]));
  await tx.run(sql`
    update ${kind.table}
    set (${columns(kind.columns)}, ${SEALED_COLUMNS}, updated_at)
      = (${kind.values(bank)}, ${sealed}, app_now())
    where account_number = ${accountNumber}`);
  await recordAudit(tx, caller, "bank_changed", { detail: { type: kind.type, fields: changed } });
}

export function nothingToChange(names: readonly string[]): FieldRefused {
  return new NothingToChange(`Give at least one of ${listOf(names)}.`);
}

export function requiredWithAnother(missing: string): FieldRefused {
  return new FieldRefused(`The ${labelOf(missing)} field is required with another bank.`, {
    code: "field_required",
    field: missing,
  });
}

function listOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
