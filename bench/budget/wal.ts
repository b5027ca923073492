/**
 * What was written, by table and index, counted in the write-ahead log itself: rows, entries of
 * indexes and bytes. Whole pages, which the first change after a checkpoint brings, stand apart.
 * A table that is not logged is not in it.
 */

import type { Rig } from "./rig.ts";

export async function walPosition({ db }: Rig): Promise<string> {
  const { rows } = await db.query("select pg_current_wal_flush_lsn()::text as lsn");
  return rows[0].lsn;
}

export interface WrittenPlace {
  /** A table, or an index of it. */
  readonly place: string;
  readonly isIndex: boolean;
  readonly inserted: number;
  readonly updated: number;
  /** Of those: no index had to be told. */
  readonly hot: number;
  readonly deleted: number;
  readonly locked: number;
  /** Entries of an index; leaves of it that were split. */
  readonly entries: number;
  readonly splits: number;
  /** Old versions cleared away. */
  readonly pruned: number;
  readonly bytes: number;
  readonly pageBytes: number;
}

export interface Written {
  readonly bytes: number;
  readonly pageBytes: number;
  readonly commits: number;
  readonly commitBytes: number;
  readonly places: readonly WrittenPlace[];
}

const COUNT = (condition: string) =>
  `count(*) filter (where block_id = 0 and ${condition})::float8`;

/** What is too long for a row (TOAST) is counted for its table. */
const PLACES = `
  with blocks as (
    select relfilenode, block_id, resource_manager || '/' || record_type as kind, record_length,
      block_fpi_length, sum(block_fpi_length) over (partition by start_lsn) as all_fpi
    from pg_get_wal_block_info($1, $2, false)
    where reldatabase = (select oid from pg_database where datname = current_database())
  ), places as (
    select pg_relation_filenode(one.oid) as relfilenode, one.relkind = 'i' as is_index,
      coalesce(main.relname, owner.relname, one.relname)
        || case when one.relkind = 'i' then ': ' || one.relname else '' end as place
    from pg_class as one
    left join pg_index on indexrelid = one.oid left join pg_class as owner on owner.oid = indrelid
    left join pg_class as main on main.reltoastrelid = coalesce(owner.oid, one.oid)
    where one.relkind in ('r', 'i', 't', 'S', 'm')
  )
  select coalesce(place, 'others') as place, coalesce(is_index, false) as "isIndex",
    ${COUNT("kind like 'Heap/INSERT%'")} as inserted,
    ${COUNT("kind like 'Heap/%UPDATE%'")} as updated,
    ${COUNT("kind like 'Heap/HOT_UPDATE%'")} as hot,
    ${COUNT("kind like 'Heap/DELETE%'")} as deleted,
    ${COUNT("kind in ('Heap/LOCK', 'Heap2/LOCK_UPDATED')")} as locked,
    ${COUNT("kind in ('Btree/INSERT_LEAF', 'Btree/INSERT_POST', 'Btree/SPLIT_L', 'Btree/SPLIT_R')")}
      as entries,
    ${COUNT("kind in ('Btree/SPLIT_L', 'Btree/SPLIT_R')")} as splits,
    ${COUNT("kind like 'Heap2/PRUNE%'")} as pruned,
    coalesce(sum(record_length - all_fpi) filter (where block_id = 0), 0)::float8 as bytes,
    sum(block_fpi_length)::float8 as "pageBytes"
  from blocks left join places using (relfilenode)
  group by 1, 2 order by bytes desc`;

const KINDS = `
  select "resource_manager/record_type" as kind, count::float8, record_size::float8 as bytes,
    fpi_size::float8 as "pageBytes" from pg_get_wal_stats($1, $2, true)`;

export async function readWal({ db }: Rig, from: string, to: string): Promise<Written> {
  await db.query("set work_mem = '256MB'");
  const { rows: places } = await db.query(PLACES, [from, to]);
  const { rows: kinds } = await db.query(KINDS, [from, to]);
  const sum = (of: (row: (typeof kinds)[number]) => number) =>
    kinds.reduce((all, row) => all + of(row), 0);
  const isCommit = ({ kind }: { kind: string }) => kind.startsWith("Transaction/COMMIT");
  return {
    bytes: sum(({ bytes }) => bytes),
    pageBytes: sum(({ pageBytes }) => pageBytes),
    commits: sum((row) => (isCommit(row) ? row.count : 0)),
    commitBytes: sum((row) => (isCommit(row) ? row.bytes : 0)),
    places,
  };
}
