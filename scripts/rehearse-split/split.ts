/** Takes a database apart: each part is a Windward of its own, whose accounts are all it knows. */

import type pg from "pg";
import { isMoved, PLACES } from "../distribution/places.ts";
import { linkAnew, makeStaging, takeForPart } from "./chains.ts";
import { copyRows, drawFrom, drawnBy, type TableShape } from "./database.ts";
import { belongsTo, countMixedPostings, countOrphans } from "./owners.ts";

/** Complaints about rows that no part could have. */
export async function findOrphans(
  origin: pg.Client,
  shapes: readonly TableShape[],
): Promise<string[]> {
  const complaints: string[] = [];
  for (const { table } of shapes) {
    const count = await countOrphans(origin, table);
    if (count > 0) complaints.push(`${count} rows of ${table} lead to no account`);
  }
  const mixed = await countMixedPostings(origin);
  if (mixed > 0) complaints.push(`${mixed} postings are of two merchants`);
  return complaints;
}

export async function splitOff(
  { origin, parts, part }: { origin: pg.Client; parts: readonly pg.Client[]; part: number },
  shapes: readonly TableShape[],
): Promise<void> {
  const to = parts[part];
  if (to === undefined) throw new Error(`there is no part ${part}`);
  await emptyOwnRows(to, shapes);
  for (const { table, columns } of shapes) {
    const place = PLACES[table];
    if (place === undefined || table === "ledger_transfers") continue;
    const isMine = belongsTo(part, place);
    // What the house has in this part is known when its transfers are.
    const isCopied = table === "ledger_balances" ? `${isMine} and not t.may_go_below_zero` : isMine;
    const select = `select t::text as row from ${table} as t where ${isCopied}`;
    await copyRows({ from: origin, to, select, table, columns });
  }
  await makeStaging(to);
  const { ledger_transfers: transfers } = PLACES;
  if (transfers === undefined) throw new Error("transfers have no place");
  await takeForPart({ from: origin, to, part }, belongsTo(part, transfers));
  await linkAnew(to);
  const drawn = await drawnBy(origin, shapes);
  for (const shape of shapes) {
    const next = (drawn.get(shape.table) ?? 0n) + 1n + BigInt(part);
    await drawFrom(to, shape, { next, step: parts.length });
  }
}

/** What the migrations have put there, where the rows of another database take its place. */
export async function emptyOwnRows(to: pg.Client, shapes: readonly TableShape[]): Promise<void> {
  for (const { table } of shapes) if (isMoved(table)) await to.query(`delete from ${table}`);
}
