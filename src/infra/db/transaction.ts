/**
 * One effect, one transaction (the word is `tx`; a *transaction* is a payment's record).
 *
 * Lost races (deadlock, serialization) are run again from the start, a few times within a budget,
 * which is why nothing outside the database may happen inside; `afterCommit` is for that. How one
 * ends, and what is done when that is unknown, stands in `end-transaction.ts`.
 */

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { createBatcher, PATIENCE_MS } from "../../kit/batch.ts";
import { inSpan } from "../../kit/trace.ts";
import type { Log } from "../log.ts";
import { asUnavailable, hasStalePlan, mayRetry } from "./database-errors.ts";
import { CommitUnknown, commit, sendAlone, settle } from "./end-transaction.ts";
import {
  prepared,
  type Queryable,
  queryable,
  type Returns,
  type RowCheck,
  type Statement,
  sql,
  sqlOf,
} from "./query.ts";
import { bool, type Row, type Shape } from "./row.ts";

const TRIES_MAX = 5;
const BUDGET_MS = 2_000;
const PAUSE_MS = { min: 5, max: 200 };
const ASKED_AT_ONCE_MAX = 500;
const HAS_STANDBY = prepared(
  "has-standby",
  sqlOf({ has_standby: bool })`
    select current_setting('synchronous_standby_names') <> '' as has_standby`,
);

declare const inTransaction: unique symbol;
/**
 * Only what runs inside a transaction can hold one, so a function that takes a `Tx` cannot be
 * called outside.
 */
export interface Tx extends Queryable {
  readonly [inTransaction]: true;
  /** For what happens outside the database, such as a count: once, and only if it was committed. */
  afterCommit(then: () => void): void;
}

export interface Transactions {
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions<T>): Promise<T>;
  /**
   * A tx of one statement, which PostgreSQL begins and commits by itself: the same promises in one
   * round trip instead of three, for the hot paths.
   */
  transactionOf<S extends Shape>(
    statement: Statement & Returns<S>,
    options?: TransactionOptions<Row<S>[]>,
  ): Promise<Row<S>[]>;
  /**
   * Waits until a synchronous standby has all that can be read here: before a result is reported
   * that was read and not written. Where there is none, that is so already.
   */
  waitForStandby(): Promise<void>;
}

interface TransactionOptions<T> {
  /**
   * Called when it is unknown whether it was committed: what the work gave if it is there,
   * undefined if it is not.
   */
  readonly confirm?: () => Promise<T | undefined>;
}

interface Connections {
  readonly pool: Pool;
  readonly check: RowCheck | undefined;
}

/** `db` sends single statements to the same pool. */
export function createTransactions(to: Connections, db: Queryable, log: Log): Transactions {
  // One look for all calls while another is under way, so each sees a moment after its call.
  const hasStandby = createBatcher<undefined, boolean>({
    sizeMax: ASKED_AT_ONCE_MAX,
    patienceMs: PATIENCE_MS,
    async run(asked) {
      const { has_standby } = await db.one(HAS_STANDBY);
      return asked.map(() => has_standby);
    },
  });
  const alone = queryable((statement) => runStatement(to.pool, statement), to.check);
  const waitForStandby = () => runWork(to, commitLikeAWrite, []);
  async function untilSettled<T>(
    attempt: (afterwards: (() => void)[]) => Promise<T>,
    { confirm }: TransactionOptions<T> = {},
  ): Promise<T> {
    const deadline = performance.now() + BUDGET_MS;
    for (let tried = 1; ; tried++) {
      const afterwards: (() => void)[] = [];
      const end = (result: T): T => {
        for (const then of afterwards) then();
        return result;
      };
      try {
        return end(await attempt(afterwards));
      } catch (error) {
        if (error instanceof CommitUnknown)
          return end(await settle(error, { confirm, waitForStandby }));
        const again = mayRetry(error) && tried < TRIES_MAX && performance.now() < deadline;
        if (!again) throw asUnavailable(error) ?? error;
        log.debug({ err: error, tried }, "a transaction lost a race and runs again");
        await sleep(randomInt(PAUSE_MS.min, PAUSE_MS.max));
      }
    }
  }
  const transaction: Transactions["transaction"] = (work, options) =>
    inSpan("tx", {}, () => untilSettled((afterwards) => runWork(to, work, afterwards), options));
  return {
    transaction,
    transactionOf: (statement: Statement, options?: TransactionOptions<never[]>) =>
      untilSettled(() => alone.rows(statement), options),
    async waitForStandby() {
      if (await hasStandby(undefined)) await transaction(commitLikeAWrite);
    },
  };
}

async function runWork<T>(
  { pool, check }: Connections,
  work: (tx: Tx) => Promise<T>,
  afterwards: (() => void)[],
): Promise<T> {
  const client = await pool.connect();
  const tx = {
    ...queryable((statement) => client.query(statement), check),
    afterCommit: (then: () => void) => void afterwards.push(then),
  } as Tx;
  try {
    await client.query("begin");
    const result = await work(tx);
    await commit(client);
    client.release();
    return result;
  } catch (error) {
    await giveBack(client, error);
    throw error;
  }
}

async function runStatement(pool: Pool, statement: Statement) {
  const client = await pool.connect();
  try {
    const result = await sendAlone(client, statement);
    client.release();
    return result;
  } catch (error) {
    client.release(error instanceof CommitUnknown);
    throw error;
  }
}

/**
 * A connection that cannot even roll back, whose COMMIT was lost, or that keeps plans for tables
 * that are others by now, is thrown away.
 */
async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  if (error instanceof CommitUnknown || hasStalePlan(error)) return client.release(true);
  try {
    await client.query("rollback");
    client.release();
  } catch {
    client.release(true);
  }
}

/**
 * For a tx that finds what another one did, and says so. Reading waits for no lock, so what was
 * found may be on this server alone; after this, COMMIT waits until a synchronous standby has all
 * that was committed before it. Where there is none it costs a write.
 */
export async function commitLikeAWrite(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_logical_emit_message(true, 'windward', 'found')`);
}
