/**
 * Large tables are filled without their indexes, which are made again when all rows are there: a
 * random key goes into a sorted file once instead of into a tree each time. Foreign keys and checks
 * are put back for new rows; old ones are as they must be, which a test holds the filler to.
 */

import type pg from "pg";
import { type Clients, shareOut } from "../support/fill-history.ts";

interface Index {
  readonly name: string;
  readonly definition: string;
  /** Of the constraint that it stands for: put back beside it. */
  readonly constraint: string | null;
}

export async function withoutIndexes(
  clients: Clients,
  tables: readonly string[],
  fill: () => Promise<void>,
  tell: (line: string) => void,
): Promise<void> {
  const [client] = clients;
  const rules = await readTexts(client, RULES, tables);
  const { rows: indexes } = await client.query<Index>(INDEXES, [tables]);
  for (const { drop } of rules) await client.query(drop);
  for (const { drop } of await readTexts(client, KEYS, tables)) await client.query(drop);
  for (const { name, constraint } of indexes)
    if (constraint === null) await client.query(`drop index ${name}`);
  await fill();
  let made = 0;
  await shareOut(clients, indexes, async (one, { definition }) => {
    await one.query(definition);
    made += 1;
    tell(`${made} of ${indexes.length} indexes`);
  });
  for (const { constraint } of indexes) if (constraint !== null) await client.query(constraint);
  for (const { add } of rules) await client.query(add);
}

/** A statement that drops a constraint, and one that adds it. */
interface Texts {
  readonly drop: string;
  readonly add: string;
}

async function readTexts(client: pg.Client, text: string, tables: readonly string[]) {
  return (await client.query<Texts>(text, [tables])).rows;
}

const DROP = `format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop`;

/** Foreign keys that lead to one of the tables or from it, and its checks. */
const RULES = `
  select ${DROP}, format('alter table %s add constraint %I %s not valid', conrelid::regclass,
    conname, pg_get_constraintdef(oid)) as add
  from pg_constraint
  where contype in ('f', 'c') and conparentid = 0
    and (conrelid = any ($1::text[]::regclass[]) or confrelid = any ($1::text[]::regclass[]))`;

const KEYS = `
  select ${DROP}, '' as add from pg_constraint
  where contype in ('p', 'u') and conrelid = any ($1::text[]::regclass[])`;

/** The widest first, so that both clients are done at the same time. */
const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition,
    (select format('alter table %s add constraint %I %s using index %s', conrelid::regclass,
        conname, case contype when 'p' then 'primary key' else 'unique' end,
        indexrelid::regclass)
      from pg_constraint where conindid = indexrelid and contype in ('p', 'u')) as constraint
  from pg_index where indrelid = any ($1::text[]::regclass[])
  order by length(pg_get_indexdef(indexrelid)) desc`;
