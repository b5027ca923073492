/**
 * A checkout costs the same however many came before it: what many of them ask together is planned
 * while the tables are small, and reads no more of them when they are large (Decisions 0061, 0078).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Database, openDatabase } from "../../../src/infra/db/database.ts";
import { type Queryable, type Statement, sql } from "../../../src/infra/db/query.ts";
import type { Tx } from "../../../src/infra/db/transaction.ts";
import { createLog } from "../../../src/infra/log.ts";
import { readFields } from "../../../src/kit/fields/field.ts";
import { openCheckouts } from "../../../src/modules/checkout/request/open-checkouts.ts";
import { paymentRequestOf } from "../../../src/modules/checkout/request/payment-request.ts";
import { requestFields, rulesOf } from "../../../src/modules/checkout/request/request-fields.ts";
import { findPaymentsToSign } from "../../../src/modules/checkout/result/result-address.ts";
import { beginAttempts } from "../../../src/modules/checkout/session/begin-attempts.ts";
import {
  giveBackCardWindows,
  takeCardWindows,
} from "../../../src/modules/checkout/session/card-windows.ts";
import { findSessions } from "../../../src/modules/checkout/session/find-sessions.ts";
import { takeAnswers } from "../../../src/modules/checkout/session/take-answers.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { newAttempt } from "../../../testkit/checkout-sessions.ts";
import { minimal } from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";

const FEW = 10;
const MANY = 1_500;
/** PostgreSQL plans anew five times before it keeps a plan. */
const TIMES_UNTIL_KEPT = 7;
const APPROVED = { outcome: "approved", code: "00", message: "Transaction is approved." } as const;

const service = await startService();
const { config } = service.ctx;
// One connection: plans are kept by each for itself.
const db = openDatabase({
  url: service.database.url,
  connectionsMax: 1,
  log: createLog({ level: "silent" }),
});
after(async () => {
  await expectBooksToBalance(db);
  await db.close();
  await service.stop();
});

const { accountNumber } = await service.world.merchant();
const fields = requestFields(rulesOf(config));

async function open(count: number): Promise<{ id: string; token: string }[]> {
  const asked = Array.from({ length: count }, () => ({
    request: paymentRequestOf(readFields(fields, minimal(accountNumber))),
    at: new Date(),
  }));
  const opened = await db.transaction((tx) => openCheckouts(config, tx, asked));
  return opened.map((one) => {
    assert(one !== undefined);
    return { id: one.transactionId, token: one.url.split("/").at(-1) ?? "" };
  });
}

/** What would be a tx of its own is part of this one, which counts what it reads. */
const within = (tx: Tx) =>
  ({
    ...tx,
    transactionOf: (statement: Statement) => tx.rows(statement),
    transaction: (work: (tx: Tx) => unknown) => work(tx),
  }) as unknown as Database;

async function rowsRead(tx: Queryable): Promise<number> {
  const { count } = await tx.one<{ count: bigint }>(sql`
    select sum(seq_tup_read + idx_tup_fetch)::bigint as count from pg_stat_xact_user_tables
    where relname in ('transactions', 'checkout_sessions', 'checkout_attempts', 'accounts',
      'payment_keys', 'pictures', 'ledger_accounts', 'ledger_postings', 'rate_limit_windows')`);
  return Number(count);
}

/** Tells how many rows it took to pay for a few. */
async function payFew(): Promise<number> {
  const orders = await open(FEW);
  const ids = orders.map(({ id }) => id);
  // What a connection read before is reported once it is idle, but not at once.
  await db.run(sql`select pg_stat_force_next_flush()`);
  return db.transaction(async (tx) => {
    const own = { ...service.ctx, db: within(tx) };
    const tokens = orders.map(({ token }) => token);
    const sessions = await findSessions(own, tokens);
    assert.deepEqual(
      sessions.map((one) => one?.transactionId),
      ids,
    );
    const windows = ids.map((id) => [{ name: "card", key: `card ${id}`, max: 5 }]);
    await takeCardWindows(own.db, windows);
    const attempts = sessions.map((session) => newAttempt(session));
    const begun = await beginAttempts(own, attempts, "skip");
    assert.equal(begun.length, FEW);
    const answers = attempts.map(({ attemptId, session: { transactionId }, failpoint }) => ({
      ...{ attemptId, transactionId, failpoint },
      answer: APPROVED,
    }));
    const outcomes = await takeAnswers(own, answers, "skip");
    assert(outcomes.every((one) => one === "success"));
    await giveBackCardWindows(
      own.db,
      windows.flat().map(({ key }) => key),
    );
    const toSign = await findPaymentsToSign(own.db, ids);
    for (const one of toSign) assert(!(one instanceof Error) && one.payment.status === "success");
    return rowsRead(tx);
  });
}

const TOGETHER = [
  "find-sessions",
  "take-card-windows",
  "begin-attempts",
  "lock-answered-skip",
  "move-attempts",
  "end-sessions",
  "finalise-transactions",
  "record-events",
  "post-to-ledger",
  "give-back-card-windows",
  "find-payments-to-sign",
];

test("paying for a few reads as little after many orders as at first, by plans that are kept", async () => {
  // As autovacuum leaves a new database: with tables known to be empty, all of one looks cheap.
  await db.run(sql`vacuum analyze`);
  const first = await payFew();
  for (let time = 2; time <= TIMES_UNTIL_KEPT; time++) await payFew();
  await open(MANY);
  const then = await payFew();
  assert(then <= first, `it read ${then} rows, and ${first} at first`);
  const kept = await db.rows<{ name: string }>(sql`
    select name from pg_prepared_statements where generic_plans > 0`);
  const names = new Set(kept.map(({ name }) => name));
  assert.deepEqual(
    TOGETHER.filter((name) => !names.has(name)),
    [],
  );
});
