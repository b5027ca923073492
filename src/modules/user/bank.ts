/**
 * Bank details: where an account's money goes when it leaves, one bank in its country and one
 * abroad (Interface §4.5, Decision 0019).
 *
 * The account number is sealed, bound to its account and type, and only its last four characters
 * are ever shown. A `BankKind` holds what differs between the types; adding, changing, removing and
 * reading are the same for both.
 */

import { join } from "sql-template-tag";
import type { Config } from "../../infra/config.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, omit, pick, type Row, type Shape as RowShape } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Shape, Values } from "../../kit/fields/field.ts";
import { orNull, textSchema } from "../../kit/response-schema.ts";
import { type JsonSchema, Type } from "../../kit/schema.ts";
import { seal, unseal } from "../../kit/secrets.ts";
import type { Platform } from "../platforms/platform.ts";

const SHOWN_CHARACTERS = 4;
/** The same for every number, so that the mask does not reveal its length. */
const MASK = "****";

export type BankType = "local" | "foreign";

export interface BankKind {
  readonly type: BankType;
  /** What callers send, in order; a column of the same name holds each but the number. */
  readonly fields: Shape;
  readonly numberField: string;
  readonly table: Sql;
  readonly columns: RowShape;
  /** When this field changes, those that only have meaning at the old bank must be sent too. */
  readonly bankField: string;
  ofThatBank(platform: Platform): readonly string[];
  /** The fields that count on this platform; the others are ignored. */
  namesOn(platform: Platform): readonly string[];
  /** Checks the whole bank against what the platform knows; gives what is stored. */
  settle(bank: Values<Shape>, platform: Platform): Values<Shape>;
}

const SEALED = pick(tables.local_banks, "number_sealed", "number_last_four", "wrapping_key_id");

/** The columns of a bank's table that hold its fields. */
export function fieldColumns(table: typeof tables.local_banks | typeof tables.foreign_banks) {
  return omit(
    table as RowShape,
    "account_number",
    "created_at",
    "updated_at",
    ...Object.keys(SEALED),
  );
}

export type BankRow = Row<typeof SEALED> & { readonly [column: string]: unknown };

export class NoBankExists extends ServiceError {
  constructor(type: BankType) {
    super("no_bank_exists", { message: `No ${type} bank account exists.` });
  }
}

export async function findBankRow(
  db: Queryable,
  kind: BankKind,
  accountNumber: string,
  lock: "for update" | "no lock" = "no lock",
): Promise<BankRow | undefined> {
  const shape = { ...kind.columns, ...SEALED };
  return db.maybeOne(sqlOf(shape)`
    select ${columns(shape)} from ${kind.table} where account_number = ${accountNumber}
    ${lock === "for update" ? sql`for update` : sql``}`);
}

/** The columns of a bank, and what it stores in them. */
export function storedBank(
  { current }: Config["wrappingKeys"],
  kind: BankKind,
  accountNumber: string,
  bank: Values<Shape>,
): { columns: Sql; values: Sql } {
  const number = String(bank[kind.numberField]);
  const sealed: Row<typeof SEALED> = {
    number_sealed: seal(current.bytes, Buffer.from(number), boundTo(accountNumber, kind.type)),
    number_last_four: number.slice(-SHOWN_CHARACTERS),
    wrapping_key_id: current.id,
  };
  const stored: Readonly<Record<string, unknown>> = { ...bank, ...sealed };
  const shape = { ...kind.columns, ...SEALED };
  return { columns: columns(shape), values: join(Object.keys(shape).map((name) => stored[name])) };
}

export function openNumber(
  wrappingKeys: Config["wrappingKeys"],
  { accountNumber, type }: { accountNumber: string; type: BankType },
  row: BankRow,
): string {
  const wrapping = wrappingKeys.byId(row.wrapping_key_id);
  if (wrapping === undefined)
    throw new Error(`wrapping key ${row.wrapping_key_id} is not configured`);
  return unseal(wrapping.bytes, row.number_sealed, boundTo(accountNumber, type)).toString();
}

function boundTo(accountNumber: string, type: BankType): string {
  return `${type} bank of ${accountNumber}`;
}

/** What a read shows: every field, null where nothing is stored, of the number its end. */
export function viewBank(kind: BankKind, row: BankRow) {
  const shown = Object.keys(kind.fields).map((name) => [
    name,
    name === kind.numberField ? MASK + row.number_last_four : row[name],
  ]);
  return Object.fromEntries(shown);
}

export function bankView(kind: BankKind): JsonSchema {
  const shown = Object.entries(kind.fields).map(([name, { schema, required }]) => {
    const about = String(schema.description);
    const [example = ""] = (schema.examples as readonly string[] | undefined) ?? [];
    if (name === kind.numberField)
      return [name, textSchema("The end of the number.", MASK + example.slice(-SHOWN_CHARACTERS))];
    return [name, required ? textSchema(about, example) : orNull(textSchema(about, example), null)];
  });
  const title = kind.type === "local" ? "LocalBank" : "ForeignBank";
  return orNull(Type.Object(Object.fromEntries(shown), { title }));
}
