/**
 * Bank details: where an account's money goes when it leaves, one bank in its country and one
 * abroad (Interface §4.5, Decision 0019).
 *
 * The rule that matters: the account number is sealed, bound to its account and type, and only its
 * last four characters are ever shown. A `BankKind` says what is particular to a type; adding,
 * changing, removing and reading are the same for both.
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row, type Shape as RowShape } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Shape, Values } from "../../kit/fields/field.ts";
import { orNull, textSchema } from "../../kit/response-schema.ts";
import { type JsonSchema, Type } from "../../kit/schema.ts";
import { seal, unseal } from "../../kit/secrets.ts";
import type { Platform } from "../platforms/platform.ts";

const SHOWN_CHARACTERS = 4;
/** As many for every number, so that the mask does not tell its length. */
const MASK = "****";

export type BankType = "local" | "foreign";

export interface BankKind<Fields extends Shape> {
  readonly type: BankType;
  /** What callers send, in order; a column of the same name holds each but the number. */
  readonly fields: Fields;
  readonly numberField: string & keyof Fields;
  readonly table: Sql;
  readonly columns: RowShape;
  values(bank: Values<Fields>): Sql;
  /** A number and what else means nothing at another bank: sent anew when this field changes. */
  readonly bankField: string & keyof Fields;
  ofThatBank(platform: Platform): readonly (string & keyof Fields)[];
  /** The fields that count on this platform; the others are not looked at. */
  namesOn(platform: Platform): readonly string[];
  /** Judges the whole bank by what the platform knows; gives what is kept of it. */
  settle(bank: Values<Fields>, platform: Platform): Values<Fields>;
}

const SEALED = pick(tables.local_banks, "number_sealed", "number_last_four", "wrapping_key_id");

export type BankRow = Row<typeof SEALED> & { readonly [column: string]: unknown };

export class NoBankExists extends ServiceError {
  constructor(type: BankType) {
    const message = `No ${type} bank account exists.`;
    super({ status: 400, code: "no_bank_exists", message });
  }
}

export async function findBankRow<Fields extends Shape>(
  db: Queryable,
  kind: BankKind<Fields>,
  accountNumber: string,
  lock: "for update" | "no lock" = "no lock",
): Promise<BankRow | undefined> {
  const shape = { ...kind.columns, ...SEALED };
  return db.maybeOne(sqlOf(shape)`
    select ${columns(shape)} from ${kind.table} where account_number = ${accountNumber}
    ${lock === "for update" ? sql`for update` : sql``}`);
}

/** In the order of `sealedValues`. */
export const SEALED_COLUMNS = columns(SEALED);

export function sealedValues(
  { current }: Config["wrappingKeys"],
  owner: { accountNumber: string; type: BankType },
  number: string,
): Sql {
  const box = seal(current.bytes, Buffer.from(number), boundTo(owner));
  return sql`${box}, ${number.slice(-SHOWN_CHARACTERS)}, ${current.id}`;
}

export function openNumber(
  wrappingKeys: Config["wrappingKeys"],
  owner: { accountNumber: string; type: BankType },
  row: BankRow,
): string {
  const wrapping = wrappingKeys.byId(row.wrapping_key_id);
  if (wrapping === undefined)
    throw new Error(`wrapping key ${row.wrapping_key_id} is not configured`);
  return unseal(wrapping.bytes, row.number_sealed, boundTo(owner)).toString();
}

function boundTo({ accountNumber, type }: { accountNumber: string; type: BankType }): string {
  return `${type} bank of ${accountNumber}`;
}

/** What a read shows: every field, null where nothing is kept, of the number its end. */
export function viewBank<Fields extends Shape>(kind: BankKind<Fields>, row: BankRow) {
  const shown = Object.keys(kind.fields).map((name) => [
    name,
    name === kind.numberField ? MASK + row.number_last_four : row[name],
  ]);
  return Object.fromEntries(shown);
}

export function bankView<Fields extends Shape>(kind: BankKind<Fields>): JsonSchema {
  const shown = Object.entries(kind.fields).map(([name, { schema, required }]) => {
    const about = String(schema.description);
    const [example = ""] = (schema.examples as readonly string[] | undefined) ?? [];
    if (name === kind.numberField)
      return [name, textSchema("The end of the number.", MASK + example.slice(-SHOWN_CHARACTERS))];
    return [name, required ? textSchema(about, example) : orNull(textSchema(about, example), null)];
  });
  const title = kind.type === "local" ? "LocalBank" : "ForeignBank";
  return Type.Object(Object.fromEntries(shown), { title });
}
