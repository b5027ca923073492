/**
 * Items as a table of a statement, sent as one array per column: the statement's text is the same
 * for any number of items. An item's property `deliveryId` becomes the column `delivery_id`.
 */

import { Sql } from "sql-template-tag";

interface Options {
  /** Adds a column with the number of the item, from 1. */
  readonly ordinal?: string;
  /** Keeps PostgreSQL from planning for the number of items (Decision 0061). */
  readonly anyLength?: true;
}

type Types<Item> = { readonly [Name in keyof Item]?: string };

export function unnest<Item extends object>(
  table: string,
  items: readonly Item[],
  types: Types<Item>,
  options: Options = {},
): Sql {
  const names = Object.keys(types) as (keyof Item)[];
  const arrays = names.map((name) => items.map((item) => cellOf(item[name])));
  return new Sql(textOf(table, types, options), arrays);
}

/** The driver takes a list among others for one more dimension; here it is JSON. */
function cellOf(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : (value ?? null);
}

/** By the types, which are constants: putting a text together takes longer than all the rest. */
const texts = new WeakMap<object, Map<string, readonly string[]>>();

/** The text before, between and after the arrays. */
function textOf(table: string, types: Types<object>, { ordinal, anyLength }: Options) {
  const key = `${table} ${ordinal} ${anyLength}`;
  const known = texts.get(types)?.get(key);
  if (known !== undefined) return known;
  const [open, close] = anyLength ? ["(select ", ")"] : ["", ""];
  const names = Object.keys(types).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  const columns = ordinal === undefined ? names : [...names, ordinal];
  const numbered = ordinal === undefined ? "" : "with ordinality ";
  const end = `${numbered}as ${table} (${columns.join(", ")})`;
  const casts = Object.values(types).map((type) => `::${type}[]${close}`);
  const last = casts.pop();
  const text = [`unnest(${open}`, ...casts.map((cast) => `${cast}, ${open}`), `${last}) ${end}`];
  texts.set(types, (texts.get(types) ?? new Map()).set(key, text));
  return text;
}
