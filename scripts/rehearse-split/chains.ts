/**
 * The books of a part (Decision 0135). A posting deals with one merchant and the house, so it goes
 * with the merchant and the part's books sum to zero by themselves. A merchant's chain goes whole.
 * Those of the house have links of many merchants: in each part they are linked anew, in the order
 * they had, and where parts come together again, in the places that they had before.
 */

import type pg from "pg";
import { copyRows } from "./database.ts";

/** Transfers as they came, with the place that each side had in the chain it comes from. */
const STAGING = `
  create schema split;
  create table split.transfers (like ledger_transfers);
  alter table split.transfers
    add column debit_place bigint, add column credit_place bigint,
    add column posted_at timestamptz, add column part integer;
  create table split.house (part integer, id bigint, name text)`;

const STAGED = [
  ...["environment", "posting_id", "leg", "currency", "amount_minor"],
  ...["debit_account_id", "debit_entry", "debit_balance_minor"],
  ...["credit_account_id", "credit_entry", "credit_balance_minor"],
  ...["debit_place", "credit_place", "posted_at", "part"],
];

interface Taking {
  readonly from: pg.Client;
  readonly to: pg.Client;
  readonly part: number;
}

export async function makeStaging(to: pg.Client): Promise<void> {
  await to.query(STAGING);
}

/** A part keeps it: when it is brought back, its links find their places by it. */
export async function dropStaging(to: pg.Client): Promise<void> {
  await to.query("drop schema split cascade");
}

const ROW = (places: string, part: number) => `
  row(t.environment, t.posting_id, t.leg, t.currency, t.amount_minor,
    t.debit_account_id, t.debit_entry, t.debit_balance_minor,
    t.credit_account_id, t.credit_entry, t.credit_balance_minor,
    ${places}, posting.posted_at, ${part})::text as row`;

const POSTINGS = "join ledger_postings as posting using (environment, posting_id)";

/** From the database that is split: these rows, called `t`, in the order that they have there. */
export function takeForPart({ from, to, part }: Taking, condition: string): Promise<number> {
  const select = `select ${ROW("t.debit_entry, t.credit_entry", part)}
    from ledger_transfers as t ${POSTINGS} where ${condition}`;
  return copyRows({ from, to, select, table: "split.transfers", columns: STAGED });
}

/** From a part: what came with it has the place that it had; what was posted there has none. */
export async function takeFromPart({ from, to, part }: Taking): Promise<void> {
  const select = `select ${ROW("came.debit_place, came.credit_place", part)}
    from ledger_transfers as t ${POSTINGS}
    left join split.transfers as came using (environment, posting_id, leg)`;
  await copyRows({ from, to, select, table: "split.transfers", columns: STAGED });
  const house = `select row(${part}, ledger_account_id, name)::text as row
    from ledger_accounts where is_of_the_house`;
  const columns = ["part", "id", "name"];
  await copyRows({ from, to, select: house, table: "split.house", columns });
}

/** An account of the house that several parts have opened is one account: its name says so. */
export async function giveHouseOneNumber(client: pg.Client): Promise<void> {
  for (const side of ["debit", "credit"])
    await client.query(`
      update split.transfers as t set ${side}_account_id = ledger_account_id
      from split.house join ledger_accounts using (name)
      where house.part = t.part and house.id = t.${side}_account_id
        and ledger_account_id <> t.${side}_account_id`);
}

const SIDES = `
  select environment, posting_id, leg, true as is_debit, debit_account_id as id,
    debit_place as place, debit_entry as entry, -amount_minor as amount, posted_at, part
  from split.transfers
  union all
  select environment, posting_id, leg, false, credit_account_id, credit_place, credit_entry,
    amount_minor, posted_at, part
  from split.transfers`;

/** Places first that were there before; then by time, and each part's in its own order. */
const RELINK = `
  with linked as (
    select sides.*, row_number() over chain as number, sum(amount) over chain as balance
    from (${SIDES}) as sides
    join ledger_accounts on ledger_account_id = id and is_of_the_house
    window chain as (partition by id order by place nulls last, posted_at, part, entry)
  )
  insert into ledger_transfers
  select t.environment, t.posting_id, t.leg, t.currency, t.amount_minor,
    t.debit_account_id, coalesce(debit.number, t.debit_entry),
    coalesce(debit.balance, t.debit_balance_minor),
    t.credit_account_id, coalesce(credit.number, t.credit_entry),
    coalesce(credit.balance, t.credit_balance_minor)
  from split.transfers as t
  left join linked as debit on debit.is_debit
    and (debit.environment, debit.posting_id, debit.leg) = (t.environment, t.posting_id, t.leg)
  left join linked as credit on not credit.is_debit
    and (credit.environment, credit.posting_id, credit.leg) = (t.environment, t.posting_id, t.leg)`;

const HOUSE_BALANCES = `
  insert into ledger_balances (ledger_account_id, may_go_below_zero, balance_minor, entry_count)
  select ledger_account_id, true, coalesce(sum(amount), 0), count(amount)
  from ledger_accounts left join (${SIDES}) as sides on id = ledger_account_id
  where is_of_the_house
  group by ledger_account_id`;

/** Out of what was taken: the transfers, and what the house has by them. */
export async function linkAnew(client: pg.Client): Promise<void> {
  await client.query("analyze split.transfers");
  await client.query(RELINK);
  await client.query(HOUSE_BALANCES);
}

/** In how many chains of the house a part has links from among those of others. */
export async function countShared(parts: readonly pg.Client[]): Promise<number> {
  const seen = new Map<string, number>();
  for (const client of parts) {
    const { rows } = await client.query<{ name: string }>(
      `select name from ledger_accounts join ledger_balances using (ledger_account_id)
       where is_of_the_house and entry_count > 0`,
    );
    for (const { name } of rows) seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  return [...seen.values()].filter((count) => count > 1).length;
}
