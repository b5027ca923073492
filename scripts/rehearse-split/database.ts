/**
 * The databases of the rehearsal as its own connection sees them, and how rows go from one to
 * another: as text, which is what COPY would write, and without the triggers that guard what is
 * written by the service. They would refuse history; what they guard is checked afterwards.
 */

import pg from "pg";

/** Every text of a row says the same on every connection. */
const SETTINGS = "set timezone = 'UTC'; set session_replication_role = replica";
const ROWS_AT_ONCE = 1_000;

export interface TableShape {
  readonly table: string;
  /** Without those that the table computes. */
  readonly columns: readonly string[];
  /** Which of them is drawn from a sequence. */
  readonly identity: string | null;
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(SETTINGS);
  return client;
}

/** All tables, but for the list of migrations and partitions, which come with their table. */
export async function readShapes(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select relname as table,
      (select json_agg(quote_ident(attname) order by attnum) from pg_attribute
        where attrelid = ours.oid and attnum > 0 and not attisdropped and attgenerated = '')
        as columns,
      (select attname from pg_attribute where attrelid = ours.oid and attidentity <> '') as identity
    from pg_class as ours
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'schema_migrations'
    order by relname`);
  return rows;
}

export interface Copying {
  readonly from: pg.Client;
  readonly to: pg.Client;
  /** Gives one column, `row`, with the text of a row of the table. */
  readonly select: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** What is there already stays as it is. */
  readonly keepsOwn?: boolean;
}

export async function copyRows(copying: Copying): Promise<number> {
  const { from, to, select, table, keepsOwn } = copying;
  const columns = copying.columns.join(", ");
  const { rows } = await from.query<{ row: string }>(select);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await to.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from unnest($1::${table}[]) as t
       ${keepsOwn ? "on conflict do nothing" : ""}`,
      [rows.slice(at, at + ROWS_AT_ONCE).map(({ row }) => row)],
    );
  return rows.length;
}

/** The last number that each sequence has drawn, by table. */
export async function drawnBy(
  client: pg.Client,
  shapes: readonly TableShape[],
): Promise<Map<string, bigint>> {
  const drawn = new Map<string, bigint>();
  for (const { table, identity } of shapes) {
    if (identity === null) continue;
    const { rows } = await client.query<{ last: string }>(
      `select coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)), 0) as last`,
      [table, identity],
    );
    drawn.set(table, BigInt(rows[0]?.last ?? 0));
  }
  return drawn;
}

/** From here on it draws these numbers: no two parts draw the same one. */
export async function drawFrom(
  client: pg.Client,
  { table, identity }: TableShape,
  { next, step }: { readonly next: bigint; readonly step: number },
): Promise<void> {
  if (identity === null) return;
  await client.query(
    `alter table ${table} alter column ${identity} set increment by ${step} restart with ${next}`,
  );
}
