/**
 * A list of payees between its upload and its payment: sealed in the database, bound to the person
 * who uploaded it, kept for an hour and paid once (Decision 0091). A person has one at a time; a
 * new one takes its place.
 */

import { randomUUID } from "node:crypto";
import type { Config } from "../../../infra/config.ts";
import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NotFound } from "../../../kit/errors.ts";
import { UUID } from "../../../kit/ids.ts";
import { seal, unseal } from "../../../kit/secrets.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { wrappingKey } from "../payee-numbers.ts";
import type { PayeeLine } from "./read-list.ts";

export interface ListOwner {
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly personId: string;
}

export interface WantedList extends ListOwner {
  readonly listId: string;
}

export interface PayeeList {
  readonly isPaid: boolean;
  /** None once they are paid. */
  readonly lines: readonly PayeeLine[];
}

const LIST = pick(tables.payee_lists, "lines_box", "wrapping_key_id", "paid_at");

type Keys = Pick<Config, "wrappingKeys">;

/** Gives its id. */
export async function keepList(
  { wrappingKeys: { current } }: Keys,
  tx: Tx,
  owner: ListOwner,
  lines: readonly PayeeLine[],
): Promise<string> {
  const { accountNumber, environment, personId } = owner;
  const listId = randomUUID();
  const text = Buffer.from(JSON.stringify(lines));
  const box = seal(current.bytes, text, boundTo({ ...owner, listId }));
  // In one statement: of two at the same moment each would remove what is not there yet.
  await tx.run(sql`
    insert into payee_lists
      (list_id, account_number, environment, person_id, line_count, lines_box, wrapping_key_id)
    values (${listId}, ${accountNumber}, ${environment}, ${personId}, ${lines.length}, ${box},
      ${current.id})
    on conflict (account_number, environment, person_id) where paid_at is null
    do update set list_id = excluded.list_id, line_count = excluded.line_count,
      lines_box = excluded.lines_box, wrapping_key_id = excluded.wrapping_key_id,
      created_at = excluded.created_at`);
  return listId;
}

/** Unknown, somebody else's and too old are one 404. */
export async function findList(
  { wrappingKeys }: Keys,
  db: Queryable,
  wanted: WantedList,
): Promise<PayeeList> {
  return open(wrappingKeys, wanted, await find(db, wanted, "no lock"));
}

/** To pay it: of two at the same moment the second finds it paid. */
export async function lockList(
  { wrappingKeys }: Keys,
  tx: Tx,
  wanted: WantedList,
): Promise<PayeeList> {
  return open(wrappingKeys, wanted, await find(tx, wanted, "for update"));
}

export async function markPaid(tx: Tx, { listId }: WantedList): Promise<void> {
  await tx.run(sql`
    update payee_lists set paid_at = app_now(), lines_box = null, wrapping_key_id = null
    where list_id = ${listId}`);
}

async function find(
  db: Queryable,
  { listId, accountNumber, environment, personId }: WantedList,
  lock: "for update" | "no lock",
): Promise<Row<typeof LIST>> {
  if (!UUID.test(listId)) throw new NotFound("not the shape of an id");
  const row = await db.maybeOne(sqlOf(LIST)`
    select ${columns(LIST)} from payee_lists
    where list_id = ${listId} and account_number = ${accountNumber}
      and environment = ${environment} and person_id = ${personId}
      and (paid_at is not null or created_at > app_now() - interval '1 hour')
    ${lock === "for update" ? sql`for update` : sql``}`);
  if (row === undefined) throw new NotFound("no such list, not this person's, or too old");
  return row;
}

function open(keys: Keys["wrappingKeys"], wanted: WantedList, row: Row<typeof LIST>): PayeeList {
  const { lines_box: box, wrapping_key_id: keyId } = row;
  if (box === null || keyId === null) return { isPaid: true, lines: [] };
  const { bytes } = wrappingKey(keys, keyId, "The lines of a payee list");
  const lines: readonly PayeeLine[] = JSON.parse(unseal(bytes, box, boundTo(wanted)).toString());
  return { isPaid: false, lines };
}

function boundTo({ listId, accountNumber, environment, personId }: WantedList): string {
  return `payee list ${listId} of ${accountNumber} ${environment} ${personId}`;
}
