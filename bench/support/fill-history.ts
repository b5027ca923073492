/**
 * Fills a database of its own with the history of the demo merchant: rows of the real table, made
 * by SQL around its triggers, by two clients at once because the machine has two cores.
 */

import pg from "pg";

/** Rows in one statement: few enough that both clients are done at the same time. */
const SHARE = 250_000;
/** Fixed, so that filters can name days. */
const ENDS_AT = "2026-11-15Z";

export interface Filled {
  readonly rows: number;
  /** When the last of them was made; the first was two years before. */
  readonly endsAt?: string;
}

export type Clients = readonly [pg.Client, pg.Client];

/** Without indexes and checks; the indexes are made again when all rows are there. */
export async function fillHistory(url: URL, { rows, endsAt = ENDS_AT }: Filled): Promise<void> {
  await fillWith(url, async (clients) => {
    await fillTransactions(clients, { rows, endsAt });
  });
}

/** With two clients that write around all triggers. */
export async function fillWith(
  url: URL,
  fill: (clients: Clients) => Promise<void>,
  { walGb = 32 } = {},
): Promise<void> {
  const client = await connect(url);
  const clients = [client, await connect(url)] as const;
  try {
    // One checkpoint instead of one for every gigabyte; what comes later has the usual ones.
    await client.query(`alter system set max_wal_size = '${walGb}GB'`);
    await client.query("select pg_reload_conf()");
    await fill(clients);
    await client.query("checkpoint");
  } finally {
    await client.query("alter system reset max_wal_size");
    await client.query("select pg_reload_conf()");
    await Promise.all(clients.map((one) => one.end()));
  }
}

async function fillTransactions(
  clients: Clients,
  { rows, endsAt }: Required<Filled>,
): Promise<void> {
  const [client] = clients;
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'transactions'::regclass and not indisprimary`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await lighten(client, "transactions");
  await insertInShares(clients, INSERT, { rows, endsAt });
  // The widest first, so that both are done at the same time.
  const definitions = indexes.map(({ definition }) => definition);
  const statements = [...definitions.toSorted((a, b) => b.length - a.length), ...SUMS];
  await shareOut(clients, statements, (one, statement) => one.query(statement));
  await client.query(
    "vacuum analyze transactions, transaction_counts, statement_sums, payment_failures",
  );
}

/** A statement that takes the number of all rows, its first and its last one, and when they end. */
export async function insertInShares(
  clients: Clients,
  statement: string,
  { rows, endsAt }: Required<Filled>,
): Promise<void> {
  const shares = Array.from({ length: Math.ceil(rows / SHARE) }, (_, at) => at * SHARE + 1);
  await shareOut(clients, shares, (one, first) =>
    one.query(statement, [rows, first, Math.min(first + SHARE - 1, rows), endsAt]),
  );
}

/** Each takes the next as soon as it is done with one. */
export async function shareOut<T>(
  clients: readonly pg.Client[],
  all: readonly T[],
  work: (client: pg.Client, one: T) => Promise<unknown>,
): Promise<void> {
  const left = all.values();
  await Promise.all(
    clients.map(async (client) => {
      for (const one of left) await work(client, one);
    }),
  );
}

/**
 * Rows that need not outlive a crash are not written twice; what refers to them would have to. The
 * checks cost time and say nothing about reading. It is vacuumed when it is full.
 */
export async function lighten(client: pg.Client, table: "transactions" | "events"): Promise<void> {
  await client.query(`
    do $$
    declare
      one record;
    begin
      for one in
        select conname, conrelid::regclass as holder from pg_constraint
        where confrelid = '${table}'::regclass
          or conrelid = '${table}'::regclass and contype = 'c'
      loop
        execute format('alter table %s drop constraint %I', one.holder, one.conname);
      end loop;
      alter table ${table} set unlogged;
      alter table ${table} set (autovacuum_enabled = false);
    end $$`);
}

/**
 * Spread over two years, two currencies, three results, a hundred thousand totals, a thousand cards
 * and fifty thousand customers; some went back.
 */
const INSERT = `
  insert into transactions (transaction_id, account_number, environment, country_code, currency,
    order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor, fee_structure,
    method, origin, status, status_desc, message, card_brand, card_last_four, customer,
    created_at, finalised_at)
  select 'TT-' || lpad(upper(to_hex(i)), 26, '0'), '1234567890', 'live', 'TT',
    case when i % 5 = 0 then 'USD' else 'TTD' end, 'order-' || i, total, total + fee, fee, 0,
    total, 'customer_pay', 'credit_card_co', 'shop',
    case when i % 1000 = 0 then 'error' when i % 20 = 0 then 'failed' else 'success' end,
    case when i % 300 = 1 then 'Chargeback Pending' when i % 300 = 2 then 'Refunded'
      else 'Normal' end,
    case when i % 1000 = 0 then '[3-R98]: Transaction timed out.'
      when i % 20 = 0 then '[2-R' || i % 9 || ']: Transaction is declined.'
      else '[1-R00]: Transaction is approved.' end,
    'visa', lpad((i % 1000)::text, 4, '1'),
    jsonb_build_object('email', 'anika' || i % 50000 || '@example.com', 'fname', 'Anika',
      'lname', 'Mohammed'), at, at
  from generate_series($2::bigint, $3::bigint) as i
  cross join lateral (select 500 + (i * 7919) % 100000 as total) as priced
  cross join lateral (select total * 35 / 1000 + 170 as fee,
    $4::timestamptz - interval '2 years' * (($1::bigint - i)::float8 / $1) as at
  ) as made`;

/** What the triggers and the job would have counted. */
const COUNT = `
  with hours as materialized (
    select account_number, environment, status, currency, count(*) as n,
      date_trunc('hour', created_at, 'UTC') as hour
    from transactions group by 1, 2, 3, 4, 6
  )
  insert into transaction_counts
  select account_number, environment, span, date_trunc(span, hour, 'UTC'), status, currency, sum(n)
  from hours cross join unnest(array['hour', 'day', 'month']) as span
  group by 1, 2, 3, 4, 5, 6`;

/** What the job would have added up, had the ledger a posting for each of them. */
const ADD_UP = `
  insert into statement_sums
  select account_number, environment, span, span_start(span, finalised_at), currency,
    'payment_approved', count(*), sum(net_minor), sum(fee_minor)
  from transactions cross join unnest(array['quarter', 'hour', 'day', 'month']) as span
  where status = 'success' group by 1, 2, 3, 4, 5`;

const COUNT_FAILURES = `
  insert into payment_failures
  select account_number, environment, span, span_start(span, finalised_at), currency,
    result_code(message), count(*), max(message)
  from transactions cross join unnest(array['quarter', 'hour', 'day', 'month']) as span
  where status in ('failed', 'error') group by 1, 2, 3, 4, 5, 6`;

export const SUMS = [ADD_UP, COUNT, COUNT_FAILURES];

async function connect(url: URL): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  // Around the triggers, which know of new payments only; and a crash may cost the fill.
  await client.query("set session_replication_role = replica");
  await client.query("set synchronous_commit = off");
  // An index is sorted in memory, by the one who makes it: there are as many of those as cores.
  await client.query("set maintenance_work_mem = '3GB'");
  await client.query("set max_parallel_maintenance_workers = 0");
  return client;
}
