/** What a filled database takes of the disk, in all and by table. */

import { withClient } from "./with-client.ts";

const GB = 1e9;

export interface DiskUse {
  readonly diskGb: number;
  /** With indexes, of the tables that payments fill. */
  readonly tableBytes: Readonly<Record<string, number>>;
}

export function measureDisk(url: URL, tables: readonly string[]): Promise<DiskUse> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ table: string; bytes: number }>(BY_TABLE, [tables]);
    const { rows: all } = await client.query(
      "select pg_database_size(current_database())::float8 as bytes",
    );
    const tableBytes = Object.fromEntries(rows.map(({ table, bytes }) => [table, bytes]));
    return { diskGb: all[0].bytes / GB, tableBytes };
  });
}

/** With partitions, of which the table itself has nothing. */
const BY_TABLE = `
  select name as table, sum(pg_total_relation_size(relid))::float8 as bytes
  from unnest($1::text[]) as name
  cross join lateral (
    select relid from pg_partition_tree(name::regclass) union select name::regclass
  ) as part
  group by 1`;
