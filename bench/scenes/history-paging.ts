/**
 * Pages of the history of an account with ten million transactions beside those of one with ten
 * thousand: what a page costs must not grow with the table (Decision 0027).
 *
 * Each has a database and a service of its own, and the two are asked in turns, so that a slow
 * minute of the machine slows both. The rows are the real table's, made by SQL around its triggers.
 */

import http from "node:http";
import pg from "pg";
import { say } from "../../scripts/tool/say.ts";
import { demoSignIn } from "../../test/support/ask.ts";
import { type Running, start } from "../../test/support/processes.ts";
import { openPageExplainer, type PageExplainer } from "../support/explain-pages.ts";
import { median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const ROWS_FEW = 10_000;
const ROWS_MANY = 10_000_000;
/**
 * So many that the whole quick run takes two minutes, and not fewer: below half a million
 * PostgreSQL chooses another plan for filters by total.
 */
const ROWS_MANY_QUICK = 700_000;
const ROUNDS = 60;
const ROUNDS_QUICK = 15;
const WARM_UP_ROUNDS = 10;
/** As many as the machine has cores that can be spared. */
const FILLERS = 2;

interface PageTimes {
  readonly what: string;
  readonly fewMs: number;
  readonly manyMs: number;
  /** The median of many beside the median of few. */
  readonly times: number;
  /** What PostgreSQL reads for it among many. */
  readonly scans: readonly string[];
}

const PAGES: readonly (readonly [
  what: string,
  query: string,
  where: "first" | "middle" | "last",
])[] = [
  ["first page", "", "first"],
  ["last page", "", "last"],
  ["middle page", "", "middle"],
  ["status, first page", "status=error", "first"],
  ["status, last page", "status=failed", "last"],
  ["status, middle page", "status=failed", "middle"],
  ["currency, first page", "currency=USD", "first"],
  ["currency, middle page", "currency=USD", "middle"],
  ["currency, last page", "currency=USD", "last"],
  ["status and currency", "status=failed&currency=USD", "first"],
  ["three months, first page", "start_date=2026-03-10&end_date=2026-06-05", "first"],
  ["three months, last page", "start_date=2026-03-10&end_date=2026-06-05", "last"],
  ["one order", "order_id=order-5000", "first"],
  ["one total", "total_min=123.45&total_max=123.45", "first"],
  ["totals of one in a thousand", "total_min=123.00&total_max=123.99", "first"],
  ["totals of every other one", "total_min=505", "first"],
  ["totals and status", "total_min=505&status=failed", "first"],
];

export const history: Scene = { name: "history", play };

async function play(stage: Stage, { isQuick }: Pace): Promise<Outcome> {
  const few = await openHistory(stage, "history_few", ROWS_FEW);
  const many = await openHistory(stage, "history_many", isQuick ? ROWS_MANY_QUICK : ROWS_MANY);
  try {
    const results: PageTimes[] = [];
    for (const page of PAGES) {
      const result = await measure(page, { few, many, rounds: isQuick ? ROUNDS_QUICK : ROUNDS });
      results.push(result);
      const { what, fewMs, manyMs, times } = result;
      say(`history, ${what}: ${round(fewMs)} ms, ${round(manyMs)} ms, × ${round(times)}`);
    }
    const goals = results.map(({ what, times: measured }) => {
      const goal = { below: 2 };
      return { number: "P6", what: `history, ${what}`, measured, unit: "× few", goal } as const;
    });
    return { figures: results, goals };
  } finally {
    for (const { service, explainer } of [few, many]) {
      await explainer.close();
      await service.stop();
    }
  }
}

interface History {
  readonly explainer: PageExplainer;
  readonly service: Running;
  readonly token: string;
  readonly agent: http.Agent;
}

async function measure(
  [what, query, where]: (typeof PAGES)[number],
  { few, many, rounds }: { few: History; many: History; rounds: number },
): Promise<PageTimes> {
  const sides = [few, many].map((history) => ({ history, path: "", ms: [] as number[] }));
  for (const side of sides) side.path = await pathOf(side.history, query, where);
  for (let turn = 0; turn < WARM_UP_ROUNDS + rounds; turn++)
    for (const { history, path, ms } of sides) {
      const beganAt = performance.now();
      await read(history, path);
      if (turn >= WARM_UP_ROUNDS) ms.push(performance.now() - beganAt);
    }
  const [fewMs = Number.NaN, manyMs = Number.NaN] = sides.map(({ ms }) => median(ms));
  const scans = await many.explainer.explain(sides[1]?.path ?? "");
  return { what, fewMs, manyMs, times: manyMs / fewMs, scans };
}

async function pathOf(history: History, query: string, where: string): Promise<string> {
  const first = await read(history, `/transactions/?${query}`);
  if (where === "first") return `/transactions/?${query}`;
  const last = first.meta.last_page;
  const page = where === "last" ? last : Math.ceil(last / 2);
  return `/transactions/?${query}&page=${page}`;
}

async function read({ service, token, agent }: History, path: string) {
  const { status, body, text } = await service.ask(path, { token, agent });
  if (status !== 200 || body.data.length === 0) throw new Error(`${path} answered ${text}`);
  return body;
}

async function openHistory(stage: Stage, name: string, rows: number): Promise<History> {
  const url = new URL(stage.settings.DATABASE_URL ?? "");
  const admin = await connect(url);
  await admin.query(`create database ${name}`);
  await admin.end();
  url.pathname = `/${name}`;
  // Starting it makes the tables and the demo world.
  const service = await start({ settings: { ...stage.settings, DATABASE_URL: url.href } });
  const beganAt = performance.now();
  await fill(url, rows);
  say(`${rows} transactions in ${round((performance.now() - beganAt) / 1000)} s`);
  const signIn = demoSignIn("merchant@example.com", "svc-transactions-all");
  const { access_token: token } = (await service.ask("/auth/tokens", signIn)).body;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return { service, token, agent, explainer: await openPageExplainer(url) };
}

/** Without indexes and checks; the indexes are made again when all rows are there. */
async function fill(url: URL, rows: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: FILLERS }, () => connect(url)));
  const [client = await connect(url)] = clients;
  // One checkpoint instead of one for every gigabyte; what comes later has the usual ones.
  await client.query("alter system set max_wal_size = '32GB'");
  await client.query("select pg_reload_conf()");
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'transactions'::regclass and not indisprimary`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(LIGHTEN);
  const share = Math.ceil(rows / FILLERS);
  await Promise.all(
    clients.map((one, at) => insert(one, { rows, first: at * share + 1, last: (at + 1) * share })),
  );
  const left = [...indexes.map(({ definition }) => definition), COUNT];
  await Promise.all(
    clients.map(async (one) => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await one.query(next);
    }),
  );
  await client.query("vacuum analyze transactions, transaction_counts");
  await client.query("alter system reset max_wal_size");
  await client.query("select pg_reload_conf()");
  await client.query("checkpoint");
  await Promise.all(clients.map((one) => one.end()));
}

async function insert(
  client: pg.Client,
  { rows, first, last }: { rows: number; first: number; last: number },
): Promise<void> {
  await client.query(INSERT, [rows, first, Math.min(last, rows)]);
}

/**
 * Rows that need not outlive a crash are not written twice; what refers to them would have to. The
 * checks cost time and say nothing about reading. It is vacuumed when it is full.
 */
const LIGHTEN = `
  do $$
  declare
    one record;
  begin
    for one in
      select conname, conrelid::regclass as holder from pg_constraint
      where confrelid = 'transactions'::regclass
        or conrelid = 'transactions'::regclass and contype = 'c'
    loop
      execute format('alter table %s drop constraint %I', one.holder, one.conname);
    end loop;
    alter table transactions set unlogged;
    alter table transactions set (autovacuum_enabled = false);
  end $$`;

/** Spread over two years, two currencies, three results and a hundred thousand totals. */
const INSERT = `
  insert into transactions (transaction_id, account_number, environment, country_code, currency,
    order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor, fee_structure,
    method, origin, status, message, card_brand, card_last_four, customer, created_at,
    finalised_at)
  select 'TT-' || lpad(upper(to_hex(i)), 26, '0'), '1234567890', 'live', 'TT',
    case when i % 5 = 0 then 'USD' else 'TTD' end, 'order-' || i, total, total + fee, fee, 0,
    total, 'customer_pay', 'credit_card_co', 'shop',
    case when i % 1000 = 0 then 'error' when i % 20 = 0 then 'failed' else 'success' end,
    '[1-R00]: Transaction is approved.', 'visa', '1111',
    '{"email": "anika@example.com", "fname": "Anika", "lname": "Mohammed"}', at, at
  from generate_series($2::bigint, $3::bigint) as i
  cross join lateral (select 500 + (i * 7919) % 100000 as total) as priced
  cross join lateral (select total * 35 / 1000 + 170 as fee,
    timestamptz '2026-11-15Z' - interval '2 years' * (($1::bigint - i)::float8 / $1) as at
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
