/** Brings parts together again, into a database that has nothing but the schema. */

import type pg from "pg";
import { isCopied, isMoved } from "../distribution/places.ts";
import { dropStaging, giveHouseOneNumber, linkAnew, makeStaging, takeFromPart } from "./chains.ts";
import { copyRows, drawFrom, drawnBy, type TableShape } from "./database.ts";
import { emptyOwnRows } from "./split.ts";

/** Of what several parts have a copy of, the first part's stands. */
export async function joinParts(
  parts: readonly pg.Client[],
  to: pg.Client,
  shapes: readonly TableShape[],
): Promise<void> {
  await emptyOwnRows(to, shapes);
  await makeStaging(to);
  for (const [part, from] of parts.entries()) {
    for (const { table, columns } of shapes) {
      if (!isMoved(table) || table === "ledger_transfers") continue;
      const which = table === "ledger_balances" ? "where not t.may_go_below_zero" : "";
      const select = `select t::text as row from ${table} as t ${which}`;
      await copyRows({ from, to, select, table, columns, keepsOwn: isCopied(table) });
    }
    await takeFromPart({ from, to, part });
  }
  await giveHouseOneNumber(to);
  await linkAnew(to);
  await dropStaging(to);
  const drawn = await Promise.all(parts.map((client) => drawnBy(client, shapes)));
  for (const shape of shapes) {
    const highest = drawn
      .map((one) => one.get(shape.table) ?? 0n)
      .toSorted((a, b) => compare(b, a));
    await drawFrom(to, shape, { next: (highest[0] ?? 0n) + 1n, step: 1 });
  }
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
