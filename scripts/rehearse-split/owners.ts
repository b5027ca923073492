/**
 * Which part each row of a database belongs to, by `places.ts`: a table of accounts and their parts
 * and one that leads from the names of rows to accounts. Both are temporary: the database that is
 * split is only read.
 */

import type pg from "pg";
import { type Place, TARGETS, type Way } from "../distribution/place.ts";
import { PLACES } from "../distribution/places.ts";

/** Account numbers, for each part: their families live there. */
export type Heads = readonly (readonly string[])[];

/**
 * A main merchant and the accounts it made are one family and stay together. Families that nobody
 * named are dealt in turn.
 */
export async function nameOwners(client: pg.Client, heads: Heads): Promise<void> {
  const named = heads.flatMap((numbers, part) => numbers.map((number) => ({ number, part })));
  await client.query(
    `create temp table account_part as
     with recursive family as (
       select account_number, account_number as head from accounts where made_by is null
       union all
       select made.account_number, head
       from accounts as made join family on made.made_by = family.account_number
     ), named as (
       select * from unnest($1::text[], $2::int[]) as given (head, part)
     ), dealt as (
       select head, (row_number() over (order by head) % $3)::int as part
       from (select distinct head from family) as heads
       where head not in (select head from named)
     )
     select account_number, part from family
     join (select * from named union all select * from dealt) as parts using (head)`,
    [named.map(({ number }) => number), named.map(({ part }) => part), heads.length],
  );
  await client.query("create unique index on account_part (account_number)");
  await client.query("create temp table owner (target text, id text, account_number text)");
  await client.query("create index on owner (id)");
  for (const { table, key } of TARGETS) {
    const place = PLACES[table];
    if (place === undefined || !("way" in place)) throw new Error(`${table} leads to no account`);
    await client.query(
      `insert into owner select '${nameOf({ table, key })}', (${key})::text, ${accountOf(place.way)}
       from ${table} as t`,
    );
    await client.query("analyze owner");
  }
}

function nameOf({ table, key }: { table: string; key: string }): string {
  return `${table} ${key}`.replaceAll("'", "''");
}

function accountOf(way: Way): string {
  if ("column" in way) return "t.account_number";
  const names = way.of.map((target) => `'${nameOf(target)}'`).join(", ");
  return `(select account_number from owner where id = (${way.by})::text and target in (${names}))`;
}

function partOf(way: Way): string {
  const part = `(select part from account_part where account_number = ${accountOf(way)})`;
  return "column" in way && way.isOptional ? `coalesce(${part}, 0)` : part;
}

const MEMBERS = `
  select person_id, part from members join account_part using (account_number)`;

/** The rows of a table, called `t`, that this part gets. */
export function belongsTo(part: number, place: Place): string {
  switch (place.lives) {
    case "account":
      return `${partOf(place.way)} = ${part}`;
    case "account and house":
      return `coalesce((select part from account_part
        where account_number = ${accountOf(place.way)}), ${part}) = ${part}`;
    case "person":
      return `(t.person_id in (select person_id from (${MEMBERS}) as m where part = ${part})
        or t.person_id in (select person_id from persons where is_operator)
        or (${part} = 0 and t.person_id not in (select person_id from members)))`;
    case "everywhere":
      return "true";
    case "first part":
      return `${part} = 0`;
    case "each part's own":
      return "false";
  }
}

/** Rows that no part would get. */
export async function countOrphans(client: pg.Client, table: string): Promise<number> {
  const place = PLACES[table];
  if (place?.lives !== "account") return 0;
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from ${table} as t where ${partOf(place.way)} is null`,
  );
  return rows[0]?.count ?? 0;
}

/** Postings with money of another merchant than the one they are for: no part could take one. */
export async function countMixedPostings(client: pg.Client): Promise<number> {
  const place = PLACES.ledger_transfers;
  if (place === undefined || !("way" in place)) throw new Error("transfers lead to no account");
  const { rows } = await client.query<{ count: number }>(
    `select count(distinct (t.environment, posting_id))::int as count
     from (select t.*, ${accountOf(place.way)} as merchant from ledger_transfers as t) as t
     join ledger_accounts on ledger_account_id in (debit_account_id, credit_account_id)
     where account_number <> merchant`,
  );
  return rows[0]?.count ?? 0;
}
