/**
 * Adds, changes and removes a bank (Decision 0019). Of several added at once the primary key
 * decides which is first; the read before it only makes the state count before the bank's own
 * rules. A change is checked as the whole bank it would make, and another bank comes with its own
 * number and branch: those of the old one mean nothing there.
 */

import { recordAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { FieldRefused, NothingToChange, ServiceError } from "../../kit/errors.ts";
import { labelOf, readFields, type Shape, type Values } from "../../kit/fields/field.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { tellOwnersOfCall } from "../people/tell-owners.ts";
import { platformOf } from "../platforms/platform.ts";
import {
  type BankKind,
  type BankType,
  findBankRow,
  NoBankExists,
  openNumber,
  storedBank,
} from "./bank.ts";
import type { UserContext } from "./context.ts";

export class BankAlreadyExists extends ServiceError {
  constructor(type: BankType, cause?: unknown) {
    super("bank_exists", { message: `A ${type} bank account already exists.`, cause });
  }
}

type WriterContext = Pick<UserContext, "config">;

export async function addBank(
  ctx: WriterContext,
  tx: Tx,
  caller: Caller,
  kind: BankKind,
  bank: Values<Shape>,
): Promise<void> {
  await holdCredential(tx, caller, "read");
  if ((await findBankRow(tx, kind, caller.accountNumber)) !== undefined)
    throw new BankAlreadyExists(kind.type);
  await insertBank(ctx, tx, caller, kind, bank);
  await recordAudit(tx, caller, "bank_added", { detail: { type: kind.type } });
  await tellOfBank(ctx, tx, caller, kind, "added");
}

/** On its own for the demo world, where there is no caller. */
export async function insertBank(
  { config }: WriterContext,
  tx: Tx,
  { accountNumber, countryCode }: Pick<Caller, "accountNumber" | "countryCode">,
  kind: BankKind,
  bank: Values<Shape>,
): Promise<void> {
  const { type } = kind;
  const settled = kind.settle(bank, platformOf(countryCode));
  const { columns, values } = storedBank(config.wrappingKeys, kind, accountNumber, settled);
  await onConstraint(
    { [`an_account_has_one_${type}_bank`]: (cause) => new BankAlreadyExists(type, cause) },
    tx.run(sql`
      insert into ${kind.table} (account_number, ${columns})
      values (${accountNumber}, ${values})`),
  );
}

export async function changeBank(
  ctx: WriterContext,
  tx: Tx,
  caller: Caller,
  kind: BankKind,
  sent: Values<Shape>,
): Promise<void> {
  const { accountNumber } = caller;
  const { wrappingKeys } = ctx.config;
  const { type, bankField, numberField } = kind;
  const platform = platformOf(caller.countryCode);
  await holdCredential(tx, caller, "read");
  const row = await findBankRow(tx, kind, accountNumber, "for update");
  if (row === undefined) throw new NoBankExists(type);
  const names = kind.namesOn(platform);
  const fields = names.filter((name) => sent[name] !== undefined);
  if (fields.length === 0) throw nothingToChange(names);
  const isOtherBank = fields.includes(bankField) && sent[bankField] !== row[bankField];
  const missing = kind.ofThatBank(platform).find((name) => !fields.includes(name));
  if (isOtherBank && missing !== undefined) throw requiredWithAnother(missing);
  const changes = Object.fromEntries(fields.map((name) => [name, sent[name]]));
  const current = { ...row, [numberField]: openNumber(wrappingKeys, { accountNumber, type }, row) };
  const bank = kind.settle(readFields(kind.fields, { ...current, ...changes }), platform);
  const { columns, values } = storedBank(wrappingKeys, kind, accountNumber, bank);
  await tx.run(sql`
    update ${kind.table} set (${columns}, updated_at) = (${values}, app_now())
    where account_number = ${accountNumber}`);
  await recordAudit(tx, caller, "bank_changed", { detail: { type, fields } });
  await tellOfBank(ctx, tx, caller, kind, "changed");
}

export async function removeBank(
  ctx: WriterContext,
  tx: Tx,
  caller: Caller,
  kind: BankKind,
): Promise<void> {
  const { table, type } = kind;
  await holdCredential(tx, caller, "read");
  const removed = await tx.run(
    sql`delete from ${table} where account_number = ${caller.accountNumber}`,
  );
  if (removed === 0) throw new NoBankExists(type);
  await recordAudit(tx, caller, "bank_removed", { detail: { type } });
  await tellOfBank(ctx, tx, caller, kind, "removed");
}

/** A thief of an account begins here, so its owners are told at once. */
function tellOfBank(
  { config }: WriterContext,
  tx: Tx,
  caller: Caller,
  { type }: BankKind,
  what: "added" | "changed" | "removed",
): Promise<void> {
  return tellOwnersOfCall(config, tx, caller, {
    subject: `Your ${type} bank details were ${what}`,
    what: `The ${type} bank account that withdrawals of this account go to was ${what}.`,
  });
}

export function nothingToChange(names: readonly string[]): FieldRefused {
  const list = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return new NothingToChange(`Give at least one of ${list}.`);
}

export function requiredWithAnother(missing: string): FieldRefused {
  return new FieldRefused(`The ${labelOf(missing)} field is required with another bank.`, {
    code: "field_required",
    field: missing,
  });
}
