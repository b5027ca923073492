/** Which large tables were read from end to end while something ran: what grows with them shows. */

import { withClient } from "./with-client.ts";

/** A smaller table may well be read as a whole. */
const ROWS_MIN = 5_000;

export interface WholeRead {
  readonly table: string;
  readonly times: number;
  readonly rowsRead: number;
}

export async function noteWholeReads(database: URL): Promise<() => Promise<WholeRead[]>> {
  const before = await readScans(database);
  return async () =>
    [...(await readScans(database))]
      .map(([table, { times, rowsRead }]) => ({
        table,
        times: times - (before.get(table)?.times ?? 0),
        rowsRead: rowsRead - (before.get(table)?.rowsRead ?? 0),
      }))
      .filter(({ times, rowsRead }) => rowsRead > ROWS_MIN * times)
      .toSorted((a, b) => b.rowsRead - a.rowsRead);
}

function readScans(database: URL): Promise<Map<string, Omit<WholeRead, "table">>> {
  return withClient(database, async (client) => {
    const { rows } = await client.query(
      "select relname, seq_scan::float8 as times, seq_tup_read::float8 as rows " +
        "from pg_stat_user_tables",
    );
    return new Map(rows.map((one) => [one.relname, { times: one.times, rowsRead: one.rows }]));
  });
}
