/**
 * The tables of the schema `public` with everything that hangs on them, from the catalogs.
 *
 * Not-null is read from the columns and not from the constraints, because only PostgreSQL 18 has
 * constraints for it. Left out are the list of migrations, which says how the schema was made, and
 * partitions: they come and go with the days, and have what their table has. One for all that fits
 * no other stays, and is named with its table.
 */

import type pg from "pg";

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly notNull: boolean;
  /** The default, or what a generated column is computed from. */
  readonly expression: string | null;
  readonly generated: "" | "s" | "v";
  readonly identity: "" | "a" | "d";
  readonly identityOptions: string | null;
  /** How long values are stored, where it is not the habit of the type. */
  readonly storage: string | null;
  readonly comment: string | null;
}

/** A constraint, an index or a trigger. */
interface TablePart {
  readonly name: string;
  readonly definition: string;
  readonly comment: string | null;
}

export interface Table {
  readonly name: string;
  readonly unlogged: boolean;
  readonly options: readonly string[] | null;
  /** How its rows are divided; null where they are not. */
  readonly partitionedBy: string | null;
  /** The partition of what fits no other. */
  readonly defaultPartition: { readonly name: string; readonly comment: string | null } | null;
  readonly comment: string | null;
  readonly columns: readonly Column[];
  readonly constraints: readonly TablePart[];
  readonly indexes: readonly TablePart[];
  readonly triggers: readonly (TablePart & { readonly firing: string })[];
}

export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  return (await client.query<Table>(TABLES)).rows;
}

/** Only what differs from a sequence that counts 1, 2, 3 as far as its type goes. */
export const SEQUENCE_OPTIONS = `
  nullif(concat_ws(' ',
    'start ' || nullif(seqstart, 1),
    'increment ' || nullif(seqincrement, 1),
    'minvalue ' || nullif(seqmin, 1),
    'maxvalue ' || nullif(seqmax, case seqtypid
      when 'bigint'::regtype then 9223372036854775807
      when 'integer'::regtype then 2147483647
      else 32767 end),
    'cache ' || nullif(seqcache, 1),
    case when seqcycle then 'cycle' end
  ), '')`;

const COLUMNS = `
  select json_agg(json_build_object(
    'name', quote_ident(attname),
    'type', format_type(atttypid, atttypmod),
    'collation', case when attcollation <> typcollation then attcollation::regcollation::text end,
    'notNull', attnotnull,
    'expression', pg_get_expr(adbin, adrelid, true),
    'generated', attgenerated,
    'identity', attidentity,
    'identityOptions', (
      select ${SEQUENCE_OPTIONS} from pg_depend join pg_sequence on seqrelid = objid
      where classid = 'pg_class'::regclass and deptype = 'i'
        and refobjid = attrelid and refobjsubid = attnum
    ),
    'storage', case when attstorage <> typstorage then attstorage end,
    'comment', col_description(attrelid, attnum)
  ) order by attnum)
  from pg_attribute
  join pg_type on pg_type.oid = atttypid
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = tables.oid and attnum > 0 and not attisdropped`;

const CONSTRAINTS = `
  select json_agg(json_build_object(
    'name', quote_ident(conname),
    'definition', pg_get_constraintdef(oid, true),
    'comment', obj_description(oid, 'pg_constraint')
  ) order by position(contype in 'puxcf'), conname)
  from pg_constraint
  where conrelid = tables.oid and contype in ('p', 'u', 'x', 'c', 'f')`;

const INDEXES = `
  select json_agg(json_build_object(
    'name', quote_ident(indexes.relname),
    'definition', pg_get_indexdef(indexes.oid, 0, true),
    'comment', obj_description(indexes.oid, 'pg_class')
  ) order by indexes.relname)
  from pg_index
  join pg_class as indexes on indexes.oid = indexrelid
  where indrelid = tables.oid
    and not exists (
      select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x')
    )`;

const TRIGGERS = `
  select json_agg(json_build_object(
    'name', quote_ident(tgname),
    'definition', pg_get_triggerdef(oid, true),
    'firing', tgenabled,
    'comment', obj_description(oid, 'pg_trigger')
  ) order by tgname)
  from pg_trigger
  where tgrelid = tables.oid and not tgisinternal`;

const DEFAULT_PARTITION = `
  select json_build_object(
    'name', quote_ident(relname),
    'comment', obj_description(partdefid, 'pg_class')
  )
  from pg_partitioned_table
  join pg_class on pg_class.oid = partdefid
  where partrelid = tables.oid`;

const TABLES = `
  select
    quote_ident(relname) as name,
    relpersistence = 'u' as unlogged,
    reloptions as options,
    pg_get_partkeydef(oid) as "partitionedBy",
    (${DEFAULT_PARTITION}) as "defaultPartition",
    obj_description(oid, 'pg_class') as comment,
    coalesce((${COLUMNS}), '[]') as columns,
    coalesce((${CONSTRAINTS}), '[]') as constraints,
    coalesce((${INDEXES}), '[]') as indexes,
    coalesce((${TRIGGERS}), '[]') as triggers
  from pg_class as tables
  where relnamespace = 'public'::regnamespace
    and relkind in ('r', 'p')
    and not relispartition
    and relname <> 'schema_migrations'
    and not exists (select from pg_depend where objid = tables.oid and deptype = 'e')
  order by relname`;
