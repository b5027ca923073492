/** What the catalogs say of tables, for a sketch that writes their rows. */

import type pg from "pg";

export interface Column {
  readonly name: string;
  readonly type: string;
  /** In its key, in an index's columns, or in an expression or condition of one. */
  readonly isIndexed: boolean;
  readonly isInKey: boolean;
}

/** By table, without columns that are worked out from others. */
export async function readColumns(db: pg.Client): Promise<ReadonlyMap<string, readonly Column[]>> {
  const { rows } = await db.query(`
    select relname as table, attname as name, format_type(atttypid, atttypmod) as type,
      exists (select from pg_index where indrelid = attrelid
        and pg_get_indexdef(indexrelid) ~ ('\\m' || attname || '\\M')) as "isIndexed",
      exists (select from pg_index where indrelid = attrelid and indisprimary
        and attnum = any(indkey)) as "isInKey"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0
      and not attisdropped and attgenerated = ''
    order by relname, attnum`);
  return Map.groupBy(rows, (row) => row.table);
}

/** Foreign keys, checks and triggers go; every index stays, and with it what is unique. */
export async function removeRules(db: pg.Client): Promise<void> {
  await db.query(`
    do $$
    declare statement text;
    begin
      for statement in
        select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger
        where not tgisinternal and tgparentid = 0
        union all
        select format('alter table %s drop constraint %I', conrelid::regclass, conname)
        from pg_constraint join pg_class on pg_class.oid = conrelid
        where relnamespace = 'public'::regnamespace and contype in ('f', 'c')
          and conparentid = 0 and coninhcount = 0
      loop
        execute statement;
      end loop;
    end $$`);
}
