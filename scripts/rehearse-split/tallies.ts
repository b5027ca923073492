/**
 * What tables hold, as numbers that add up: how many rows, and the sum of a hash of what each says.
 * The sum does not depend on an order, and that of two parts is that of both together, so a row
 * that is lost, doubled or changed shows.
 */

import type pg from "pg";
import { isCopied, isMoved } from "../distribution/places.ts";
import type { TableShape } from "./database.ts";

interface Tally {
  readonly rows: number;
  readonly sum: bigint;
}

export type Tallies = ReadonlyMap<string, Tally>;

/**
 * In these tables parts differ from the whole by design: an account of the house has another chain
 * in each, and one that two parts have opened is one again afterwards.
 */
const SAID_BETWEEN_PARTS: Readonly<Record<string, string>> = {
  ledger_accounts: "case when t.is_of_the_house then t.name else t::text end",
  ledger_balances: "case when t.may_go_below_zero then null else t::text end",
  ledger_transfers: `concat_ws(' ', t.environment, t.posting_id, t.leg, t.currency, t.amount_minor,
    debit.name, credit.name,
    case when not debit.is_of_the_house then (t.debit_entry, t.debit_balance_minor)::text end,
    case when not credit.is_of_the_house then (t.credit_entry, t.credit_balance_minor)::text end)`,
};

const SIDES = `
  join ledger_accounts as debit on debit.ledger_account_id = t.debit_account_id
  join ledger_accounts as credit on credit.ledger_account_id = t.credit_account_id`;

/** All tables that are moved, to the last byte of each row. */
export async function tallyOf(client: pg.Client, shapes: readonly TableShape[]): Promise<Tallies> {
  const tallies = new Map<string, Tally>();
  for (const table of moved(shapes))
    tallies.set(table, addUp(await hashes(client, table, "t::text")));
  return tallies;
}

/**
 * Of several databases together, where a row that stands in several counts once; that of a single
 * one is comparable with that of its parts.
 */
export async function tallyTogether(
  clients: readonly pg.Client[],
  shapes: readonly TableShape[],
): Promise<Tallies> {
  const tallies = new Map<string, Tally>();
  for (const table of moved(shapes)) {
    const said = SAID_BETWEEN_PARTS[table] ?? "t::text";
    const lists = await Promise.all(clients.map((client) => hashes(client, table, said)));
    tallies.set(table, addUp(isCopied(table) ? [...new Set(lists.flat())] : lists.flat()));
  }
  return tallies;
}

function moved(shapes: readonly TableShape[]): string[] {
  return shapes.map(({ table }) => table).filter(isMoved);
}

async function hashes(client: pg.Client, table: string, said: string): Promise<string[]> {
  const joined = table === "ledger_transfers" ? SIDES : "";
  const { rows } = await client.query<{ hash: string }>(
    `select hash::text
     from (select hashtextextended(${said}, 0) as hash from ${table} as t ${joined}) as told
     where hash is not null`,
  );
  return rows.map(({ hash }) => hash);
}

function addUp(list: readonly string[]): Tally {
  return { rows: list.length, sum: list.reduce((sum, hash) => sum + BigInt(hash), 0n) };
}

/** In words, table by table. */
export function differences(what: string, found: Tallies, expected: Tallies): string[] {
  return [...expected].flatMap(([table, { rows, sum }]) => {
    const one = found.get(table);
    if (one?.rows === rows && one.sum === sum) return [];
    const how = one?.rows === rows ? "say something else" : `instead of ${rows}`;
    return [`${what}: ${one?.rows ?? 0} rows of ${table} ${how}`];
  });
}

/** Balances and links of the house, by account, of several databases together. */
export async function houseOf(clients: readonly pg.Client[]): Promise<Tallies> {
  const house = new Map<string, Tally>();
  for (const client of clients) {
    const { rows } = await client.query<{ name: string; links: string; balance: string }>(
      `select name, entry_count as links, balance_minor as balance
       from ledger_accounts join ledger_balances using (ledger_account_id)
       where is_of_the_house and entry_count > 0`,
    );
    for (const { name, links, balance } of rows) {
      const before = house.get(name) ?? { rows: 0, sum: 0n };
      house.set(name, { rows: before.rows + Number(links), sum: before.sum + BigInt(balance) });
    }
  }
  return house;
}

/** How many transfers stand in another database in the very same places, and how many there are. */
export async function countKept(before: pg.Client, now: pg.Client): Promise<[number, number]> {
  const kept = new Set(await hashes(now, "ledger_transfers", "t::text"));
  const were = await hashes(before, "ledger_transfers", "t::text");
  return [were.filter((hash) => kept.has(hash)).length, were.length];
}
