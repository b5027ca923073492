/**
 * What the schema `public` holds beside tables: extensions, types, sequences, functions.
 *
 * Kinds that the dump cannot write are looked for as well, so that a migration which begins to
 * use one is told, instead of the schema file leaving it out in silence.
 */

import type pg from "pg";
import { SEQUENCE_OPTIONS } from "./read-tables.ts";

export interface Definition {
  /** As `comment on` wants it, such as "type mood" or "function app_now()". */
  readonly subject: string;
  readonly definition: string;
  readonly comment: string | null;
}

export interface Definitions {
  readonly types: readonly Definition[];
  readonly functions: readonly Definition[];
}

export async function readDefinitions(client: pg.ClientBase): Promise<Definitions> {
  const { rows: unwritable } = await client.query<{ what: string }>(UNWRITABLE);
  if (unwritable.length > 0) {
    const names = unwritable.map(({ what }) => what).join(", ");
    throw new Error(`The schema dump cannot write these yet, teach it first: ${names}`);
  }
  const read = async (sql: string) => (await client.query<Definition>(sql)).rows;
  return {
    types: [
      ...(await read(EXTENSIONS)),
      ...(await read(ENUMS)),
      ...(await read(DOMAINS)),
      ...(await read(SEQUENCES)),
    ],
    functions: await read(FUNCTIONS),
  };
}

const IS_OURS = `not exists (
    select from pg_depend
    where classid = ours.tableoid and objid = ours.oid and deptype = 'e'
  )`;

// plpgsql is in every database.
const EXTENSIONS = `
  select 'extension ' || quote_ident(extname) as subject,
    'create extension ' || quote_ident(extname) as definition,
    null as comment
  from pg_extension
  where extname <> 'plpgsql'
  order by extname`;

const ENUMS = `
  select 'type ' || quote_ident(typname) as subject,
    format('create type %I as enum (%s)', typname, (
      select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)
      from pg_enum where enumtypid = ours.oid
    )) as definition,
    obj_description(oid, 'pg_type') as comment
  from pg_type as ours
  where typnamespace = 'public'::regnamespace and typtype = 'e' and ${IS_OURS}
  order by typname`;

const DOMAINS = `
  select 'domain ' || quote_ident(typname) as subject,
    format('create domain %I as %s', typname, format_type(typbasetype, typtypmod))
      || case when typnotnull then ' not null' else '' end
      || coalesce(' default ' || typdefault, '')
      || coalesce((
        select string_agg(
          format(E'\\n  constraint %I %s', conname, pg_get_constraintdef(oid, true)), ''
          order by conname
        )
        from pg_constraint where contypid = ours.oid and contype = 'c'
      ), '') as definition,
    obj_description(oid, 'pg_type') as comment
  from pg_type as ours
  where typnamespace = 'public'::regnamespace and typtype = 'd' and ${IS_OURS}
  order by typname`;

// The sequence behind an identity column is part of the column: its dependency is internal ("i").
const SEQUENCES = `
  select 'sequence ' || quote_ident(relname) as subject,
    concat_ws(' ',
      'create sequence', quote_ident(relname), 'as', format_type(seqtypid, null),
      ${SEQUENCE_OPTIONS},
      'owned by ' || refobjid::regclass || '.' || quote_ident(attname)
    ) as definition,
    obj_description(ours.oid, 'pg_class') as comment
  from pg_class as ours
  join pg_sequence on seqrelid = ours.oid
  left join pg_depend on classid = ours.tableoid and objid = ours.oid and deptype in ('a', 'i')
  left join pg_attribute on attrelid = refobjid and attnum = refobjsubid
  where relnamespace = 'public'::regnamespace
    and ${IS_OURS}
    and deptype is distinct from 'i'
    and coalesce(refobjid <> to_regclass('public.schema_migrations'), true)
  order by relname`;

const FUNCTIONS = `
  select case prokind when 'p' then 'procedure ' else 'function ' end
      || oid::regprocedure::text as subject,
    pg_get_functiondef(oid) as definition,
    obj_description(oid, 'pg_proc') as comment
  from pg_proc as ours
  where pronamespace = 'public'::regnamespace and prokind in ('f', 'p') and ${IS_OURS}
  order by proname, oid::regprocedure::text collate "C"`;

const UNWRITABLE = `
  select case relkind
      when 'v' then 'view ' when 'm' then 'materialized view ' when 'c' then 'composite type '
      when 'f' then 'foreign table '
    end || relname as what
  from pg_class as ours
  where relnamespace = 'public'::regnamespace and relkind = any ('{v,m,c,f}') and ${IS_OURS}
  union all
  select traits.trait || relname
  from pg_class as ours
  cross join lateral (values
    ('row security of ', relrowsecurity),
    ('replica identity of ', relreplident not in ('d', 'n')),
    ('privileges on ', relacl is not null),
    ('rules of ', relhasrules),
    ('inheritance of ',
      not relispartition and exists (select from pg_inherits where inhrelid = ours.oid))
  ) as traits (trait, is_used)
  where relnamespace = 'public'::regnamespace and relkind = any ('{r,p}') and is_used
    and ${IS_OURS}
  union all
  select 'range type ' || typname from pg_type as ours
  where typnamespace = 'public'::regnamespace and typtype = 'r' and ${IS_OURS}
  union all
  select 'aggregate ' || proname from pg_proc as ours
  where pronamespace = 'public'::regnamespace and prokind not in ('f', 'p') and ${IS_OURS}
  union all
  select 'privileges on ' || proname from pg_proc as ours
  where pronamespace = 'public'::regnamespace and proacl is not null and ${IS_OURS}
  union all
  select 'extended statistics ' || stxname from pg_statistic_ext
  where stxnamespace = 'public'::regnamespace
  order by what`;
