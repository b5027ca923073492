/** What the catalogs say of each table's keys: which carry the account, and which do not. */

import type pg from "pg";

export interface KeyFacts {
  readonly table: string;
  readonly hasColumn: boolean;
  readonly isInPrimaryKey: boolean;
  readonly hasPrimaryKey: boolean;
  /** Other unique constraints and indexes without the account, by their columns. */
  readonly uniqueWithoutIt: readonly string[];
  /** Tables that foreign keys lead to without the account. */
  readonly leadsToWithoutIt: readonly string[];
  readonly rowTriggerCount: number;
  readonly statementTriggerCount: number;
}

export async function readKeyFacts(client: pg.ClientBase): Promise<KeyFacts[]> {
  return (await client.query<KeyFacts>(KEY_FACTS)).rows;
}

const COLUMN = `(
  select attnum from pg_attribute
  where attrelid = ours.oid and attname = 'account_number' and not attisdropped)`;

const PRIMARY_KEY = (condition: string) => `exists (
  select from pg_constraint where conrelid = ours.oid and contype = 'p' and ${condition})`;

const UNIQUE = `(
  select json_agg((
    select string_agg(pg_get_indexdef(indexrelid, place, true), ', ' order by place)
    from generate_series(1, indnkeyatts) as place
  ) order by indexrelid::regclass::text)
  from pg_index
  where indrelid = ours.oid and indisunique and not indisprimary
    and not coalesce(${COLUMN} = any (indkey), false))`;

const LEADS_TO = `(
  select json_agg(distinct confrelid::regclass::text)
  from pg_constraint
  where conrelid = ours.oid and contype = 'f' and not coalesce(${COLUMN} = any (conkey), false))`;

/** Of 2^0 is the bit that says "for each row". */
const TRIGGERS = (ofRow: 0 | 1) => `(
  select count(*)::int from pg_trigger
  where tgrelid = ours.oid and not tgisinternal and tgtype & 1 = ${ofRow})`;

const KEY_FACTS = `
  select
    relname as table,
    ${COLUMN} is not null as "hasColumn",
    ${PRIMARY_KEY(`${COLUMN} = any (conkey)`)} as "isInPrimaryKey",
    ${PRIMARY_KEY("true")} as "hasPrimaryKey",
    coalesce(${UNIQUE}, '[]') as "uniqueWithoutIt",
    coalesce(${LEADS_TO}, '[]') as "leadsToWithoutIt",
    ${TRIGGERS(1)} as "rowTriggerCount",
    ${TRIGGERS(0)} as "statementTriggerCount"
  from pg_class as ours
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname <> 'schema_migrations'
  order by relname`;
