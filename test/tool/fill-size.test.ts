/**
 * The bench fills a database as the service would have: with books that balance, counts that fit,
 * and every constraint and index in its place. What is measured on it is else not the service.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { DEMO_MERCHANT, type FilledSize, fillSize } from "../../bench/size/fill-size.ts";
import { sql } from "../../src/infra/db/query.ts";
import { addUpStatements } from "../../src/modules/statements/add-up-statements.ts";
import { type Books, expectBooksToBalance, openBooks } from "../../testkit/books.ts";

const SIZE = { merchants: 4, paymentsEach: 600 };

let books: Books;
let client: pg.Client;
let filled: FilledSize;
let definitionsBefore: string[];

before(async () => {
  books = await openBooks();
  client = new pg.Client({ connectionString: books.database.url });
  await client.connect();
  await books.db.run(sql`
    insert into accounts (account_number, account_type, country_code, email, first_name,
      last_name, password_digest, pepper_id)
    values (${DEMO_MERCHANT}, 'BUSINESS', 'TT', 'merchant@example.com', 'Test', 'merchant',
      '$argon2id$', 'none')`);
  definitionsBefore = await definitions();
  filled = await fillSize(new URL(books.database.url), SIZE, () => {});
});
after(async () => {
  await client.end();
  await books.stop();
});

async function read<Row extends object>(text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows;
}

/** Of all indexes and constraints. */
async function definitions(): Promise<string[]> {
  const rows = await read<{ line: string }>(`
    select conrelid::regclass || ' ' || conname || ' ' || replace(pg_get_constraintdef(oid),
      ' NOT VALID', '') as line from pg_constraint where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
      and tablename not like 'logged\\_requests\\_2%' order by 1`);
  return rows.map(({ line }) => line).filter((line) => !/logged_requests_\d/.test(line));
}

test("the books balance, and no chain has a gap", () => expectBooksToBalance(books.db));

test("every reference leads to a row, and every row passes its checks", async () => {
  const open = await read<{ text: string }>(`
    select format('alter table %s validate constraint %I', conrelid::regclass, conname) as text
    from pg_constraint where not convalidated`);
  assert(open.length > 20);
  for (const { text } of open) await client.query(text);
});

test("indexes and constraints are those of the schema", async () => {
  assert.deepEqual(await definitions(), definitionsBefore);
});

test("each payment has its events, session, attempt and sale, and each success its posting", async () => {
  const [counts] = await read<Record<string, number>>(`
    select (select count(*) from transactions)::int as payments,
      (select count(*) from events)::int as events,
      (select count(*) from checkout_sessions)::int as sessions,
      (select count(*) from checkout_attempts)::int as attempts,
      (select count(*) from simulator_sales)::int as sales,
      (select count(*) from transactions where status = 'success')::int
        - (select count(*) from ledger_postings)::int as unposted`);
  const payments = SIZE.merchants * SIZE.paymentsEach;
  assert.deepEqual(counts, {
    ...{ payments, events: 2 * payments, sessions: payments, attempts: payments, sales: payments },
    unposted: 0,
  });
});

test("counts are those of the rows, and nothing is left to add up", async () => {
  const [wrong] = await read<{ count: number }>(`
    select count(*)::int as count from (
      select account_number, status, currency, count(*) from transactions group by 1, 2, 3
      except
      select account_number, status, currency, sum(transaction_count) from transaction_counts
      where span = 'month' group by 1, 2, 3) as difference`);
  assert.equal(wrong?.count, 0);
  assert.equal(await addUpStatements(books.db), 0);
});

test("sums of statements are those that their job would have added up", async () => {
  const sums = () =>
    read(
      "select * from statement_sums order by account_number, span, starts_at, currency, occasion",
    );
  const before = await sums();
  await client.query("truncate statement_sums, statement_positions");
  await addUpStatements(books.db);
  assert.deepEqual(await sums(), before);
});

test("what is read again and again are the demo merchant's own payments", async () => {
  const [found] = await read<{ count: number }>(`
    select count(*)::int as count from transactions where account_number = '${DEMO_MERCHANT}'`);
  assert.equal(filled.transactionIds.length, found?.count);
  assert.equal(filled.others.length, SIZE.merchants - 1);
  const { rows } = await client.query(
    "select distinct account_number from transactions where transaction_id = any ($1)",
    [filled.transactionIds],
  );
  assert.deepEqual(rows, [{ account_number: DEMO_MERCHANT }]);
});
