/**
 * Fills a database with two years of payments in the sandbox: of the demo merchant alone, or of
 * many merchants with as many each, whose payments alternate in time. Everything that a paid
 * checkout leaves behind is there, with all indexes, constraints and counts, and the books balance
 * (`payment-rows.ts`, `book-rows.ts`).
 *
 * Left out: refunds, disputes, withdrawals, saved cards, payment links, settlement lines, and keys
 * of merchants who have not asked since. None of them comes with every payment. The service must
 * not run meanwhile: its jobs would add up what is added up here.
 */

import type pg from "pg";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { makeMerchants } from "../../testkit/books.ts";
import { addRequestDays } from "../support/fill-console.ts";
import { type Clients, fillWith, SUMS, shareOut } from "../support/fill-history.ts";
import { BOOKS, OPEN_ACCOUNTS, POSITIONS, POST } from "./book-rows.ts";
import { type DiskUse, measureDisk } from "./measure-disk.ts";
import {
  DELIVERIES,
  EVENTS,
  HISTORY_DAYS,
  MAILS,
  PAYMENTS,
  paymentsFunction,
  REQUESTS,
  type Size,
} from "./payment-rows.ts";
import { withoutIndexes } from "./rebuild-indexes.ts";

export const DEMO_MERCHANT = "1234567890";
/** Payments in one statement. */
const SHARE = 50_000;
/** A statement has a time limit, and each brings people by a trigger. */
const MERCHANTS_AT_ONCE = 500;
/** How far back such rows reach: they are kept a day longer. */
const DELIVERY_DAYS = 29;
const REQUEST_DAYS = 6;
/** Of WAL, before a checkpoint: it is on the same disk. */
const WAL_GB = 3;
/** And what is sorted for indexes. */
export const DISK_WHILE_FILLING_GB = 2 * WAL_GB;
/** How many payments are read again and again. */
const READ_MAX = 1_000;

const LARGE_TABLES = [
  ...["transactions", "events", "checkout_sessions", "checkout_attempts", "simulator_sales"],
  ...["ledger_postings", "ledger_transfers"],
];
const SMALL_TABLES = [
  ...["webhook_deliveries", "webhook_attempts", "mails", "logged_requests", "ledger_balances"],
  ...["ledger_accounts", "transaction_counts", "statement_sums", "statement_positions"],
  ...["payment_failures", "event_feeds", "accounts", "persons", "members", "webhook_endpoints"],
];

export interface FilledSize extends Size, DiskUse {
  readonly seconds: number;
  /** Ids of some of the demo merchant's payments, from all of its history. */
  readonly transactionIds: readonly string[];
  /** Other merchants. */
  readonly others: readonly string[];
}

export async function fillSize(
  url: URL,
  size: Size,
  tell: (line: string) => void,
): Promise<FilledSize> {
  const beganAt = performance.now();
  const others = await makeOthers(url, size.merchants - 1);
  const rows = size.merchants * size.paymentsEach;
  const endsAt = new Date();
  let transactionIds: string[] = [];
  await fillWith(
    url,
    async (clients) => {
      const [client] = clients;
      await prepare(client, { size, others, endsAt });
      await withoutIndexes(clients, LARGE_TABLES, () => fillLarge(clients, rows, tell), tell);
      await fillSmall(clients, rows, endsAt);
      await shareOut(clients, [...LARGE_TABLES, ...SMALL_TABLES], (one, table) =>
        one.query(`vacuum analyze ${table}`),
      );
      transactionIds = await sampleIds(client, rows);
      await client.query(
        "drop function bench_payments; drop table bench_books; drop table bench_merchants",
      );
    },
    { walGb: WAL_GB },
  );
  const seconds = (performance.now() - beganAt) / 1_000;
  return {
    ...size,
    ...(await measureDisk(url, [...LARGE_TABLES, ...SMALL_TABLES])),
    seconds,
    transactionIds,
    others,
  };
}

/** With their people, as the service makes them. */
async function makeOthers(url: URL, count: number): Promise<string[]> {
  const db = openDatabase({
    url: url.href,
    connectionsMax: 1,
    log: createLog({ level: "warn" }),
  });
  const made: string[] = [];
  while (made.length < count)
    made.push(...(await makeMerchants(db, Math.min(MERCHANTS_AT_ONCE, count - made.length))));
  await db.close();
  return made;
}

async function prepare(
  client: pg.Client,
  { size, others, endsAt }: { size: Size; others: readonly string[]; endsAt: Date },
): Promise<void> {
  await client.query(
    "create table bench_merchants (number bigint primary key, account_number text not null)",
  );
  await client.query(
    "insert into bench_merchants select place - 1, account from unnest($1::text[]) " +
      "with ordinality as given (account, place)",
    [[DEMO_MERCHANT, ...others]],
  );
  await client.query(paymentsFunction(size, endsAt.getTime()));
  for (let first = 0; first < size.merchants; first += MERCHANTS_AT_ONCE)
    await client.query(OPEN_ACCOUNTS, [first, first + MERCHANTS_AT_ONCE - 1]);
  await client.query("analyze bench_merchants; analyze ledger_accounts");
  await client.query(BOOKS);
  await client.query("analyze bench_books");
  await client.query(ENDPOINTS);
}

/** The books by one client, because each share goes on from the one before it. */
async function fillLarge(
  clients: Clients,
  rows: number,
  tell: (line: string) => void,
): Promise<void> {
  const shares = sharesOf(1, rows);
  let done = 0;
  const write = async (client: pg.Client, text: string, share: Share) => {
    await client.query(text, share);
    done += 1;
    tell(`${Math.round((100 * done) / (3 * shares.length))} % of its rows`);
  };
  const post = async (client: pg.Client) => {
    for (const share of shares) await write(client, POST, share);
  };
  const others = [PAYMENTS, EVENTS].flatMap((text) =>
    shares.map((share) => (client: pg.Client) => write(client, text, share)),
  );
  await shareOut(clients, [post, ...others], (client, work) => work(client));
}

async function fillSmall(clients: Clients, rows: number, endsAt: Date): Promise<void> {
  const [client] = clients;
  // Where they have just been made, nothing is known of them.
  await client.query("analyze events, transactions");
  const lasting = (days: number) => rows - Math.ceil((rows * days) / HISTORY_DAYS) + 1;
  for (const share of sharesOf(lasting(DELIVERY_DAYS), rows))
    for (const text of [DELIVERIES, MAILS]) await client.query(text, share);
  await addRequestDays(client, endsAt.toISOString());
  for (const share of sharesOf(lasting(REQUEST_DAYS), rows)) await client.query(REQUESTS, share);
  await client.query(FEEDS);
  await shareOut(clients, [...SUMS, POSITIONS], (one, text) => one.query(text));
}

type Share = [first: number, last: number];

function sharesOf(first: number, last: number): Share[] {
  const count = Math.ceil((last - first + 1) / SHARE);
  return Array.from({ length: count }, (_, at) => {
    const from = first + at * SHARE;
    return [from, Math.min(last, from + SHARE - 1)];
  });
}

async function sampleIds(client: pg.Client, rows: number): Promise<string[]> {
  const { rows: found } = await client.query<{ id: string }>(SAMPLE, [rows, READ_MAX]);
  return found.map(({ id }) => id);
}

/** Switched off: nothing is sent there. */
const ENDPOINTS = `
  insert into webhook_endpoints (endpoint_id, account_number, environment, url, status,
    disabled_because, secret_key_id, secret_box)
  select md5(account_number)::uuid, account_number, 'sandbox', 'https://shop.example.com/webhooks',
    'disabled', 'asked', 'bench', ''
  from bench_merchants`;

const FEEDS = `
  insert into event_feeds
  select account_number, environment, max(sequence) from events group by 1, 2`;

/** Of the demo merchant, whose number is 0, evenly over its history. */
const SAMPLE = `
  with plan as (select count(*) as merchants, $1::bigint / count(*) as each from bench_merchants)
  select transaction_id as id
  from plan cross join lateral generate_series(1, each, greatest(1, each / $2)) as place
  cross join lateral (select 1 + (place - 1) * merchants as n) as at
  cross join lateral bench_payments(at.n, at.n)`;
