/**
 * Items as a table of a statement, sent as one array per column: the statement's text is the same
 * for any number of items. An item's property `deliveryId` becomes the column `delivery_id`.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";

interface Options {
  /** Adds a column with the number of the item, from 1. */
  readonly ordinal?: string;
  /** Keeps PostgreSQL from planning for the number of items (Decision 0061). */
  readonly anyLength?: true;
}

export function unnest<Item extends object>(
  table: string,
  items: readonly Item[],
  types: { readonly [Name in keyof Item]?: string },
  { ordinal, anyLength }: Options = {},
): Sql {
  const entries = Object.entries(types) as [keyof Item & string, string][];
  const arrays = entries.map(([name, type]) => {
    const array = sql`${items.map((item) => item[name] ?? null)}::${raw(type)}[]`;
    return anyLength ? sql`(select ${array})` : array;
  });
  const names = entries.map(([name]) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  if (ordinal !== undefined) names.push(ordinal);
  return sql`unnest(${join(arrays)}) ${raw(ordinal === undefined ? "" : "with ordinality")}
    as ${raw(table)} (${raw(names.join(", "))})`;
}
