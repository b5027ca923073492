/**
 * The books for tests: merchants without a service around them, money to begin with, and the proof
 * that every test about money ends with.
 */

import assert from "node:assert/strict";
import { type Database, openDatabase } from "../src/infra/db/database.ts";
import { type Queryable, sql } from "../src/infra/db/query.ts";
import { createLog } from "../src/infra/log.ts";
import { newAccountNumber } from "../src/kit/ids.ts";
import { type Currency, parseMoney } from "../src/kit/money.ts";
import type { Environment } from "../src/kit/vocabulary.ts";
import { describeDifference } from "../src/modules/ledger/difference.ts";
import { post } from "../src/modules/ledger/post.ts";
import { fundsOpened } from "../src/modules/ledger/recipes.ts";
import { reconcile } from "../src/modules/ledger/reconcile.ts";
import { rowCheck } from "./check-rows.ts";
import { freshDatabase, type TestDatabase } from "./database.ts";

export interface Books {
  readonly db: Database;
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

export async function openBooks(options: { connectionsMax?: number } = {}): Promise<Books> {
  const database = await freshDatabase();
  const { connectionsMax = 10 } = options;
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: database.url, connectionsMax, log, check: rowCheck });
  return {
    db,
    database,
    async stop() {
      await db.close();
      await database.drop();
    },
  };
}

/** Accounts that nobody can sign in to, in one statement. */
export async function makeMerchants(db: Queryable, count: number): Promise<string[]> {
  const numbers = new Set<string>();
  while (numbers.size < count) numbers.add(newAccountNumber());
  await db.run(sql`
    insert into accounts (account_number, account_type, country_code, email, first_name,
      last_name, password_digest, pepper_id)
    select number, 'BUSINESS', 'TT', number || '@example.com', 'Test', 'merchant',
      '$argon2id$', 'none'
    from unnest(${[...numbers]}::text[]) as number`);
  return [...numbers];
}

let funded = 0;

/** Gives money out of nothing, as the development world does: `"100.00 JMD"`. */
export async function fund(
  db: Database,
  accountNumber: string,
  text: string,
  environment: Environment = "live",
): Promise<void> {
  const [units, currency] = text.split(" ");
  const amount = parseMoney(currency as Currency, units);
  assert(amount !== undefined, text);
  const postingId = `funds ${process.pid} ${++funded}`;
  await db.transaction((tx) =>
    post(tx, {
      postingId,
      environment,
      occasion: "funds_opened",
      reference: accountNumber,
      transfers: fundsOpened({ accountNumber, amount }),
    }),
  );
}

/** Re-adds everything: what a test about money ends with. */
export async function expectBooksToBalance(db: Database): Promise<void> {
  const { differences } = await reconcile(db);
  assert.deepEqual(differences.map(describeDifference), []);
}
