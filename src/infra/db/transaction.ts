/**
 * One effect, one transaction (the word is `tx`; a *transaction* is a payment's record).
 *
 * Lost races (deadlock, serialization) are run again from the start, a few times within a budget,
 * which is why nothing outside the database may happen inside; `afterCommit` is for that. An error
 * at COMMIT means *unknown*: the work may be there. So does a warning: a wait for the synchronous
 * standby that somebody cancelled ends with success and no more than that. `confirm` can tell by
 * looking for the work's own id; without it the caller hears 503 and not "no". And a COMMIT that
 * answers ROLLBACK, because an error was swallowed on the way, is our mistake.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient, QueryResult, QueryResultRow } from "pg";
import { Unavailable } from "../../kit/errors.ts";
import type { Log } from "../log.ts";
import { asUnavailable, gaveUpWaiting, isPlainRefusal, mayRetry } from "./database-errors.ts";
import { type Queryable, queryable, type Statement, sql } from "./query.ts";

const TRIES_MAX = 5;
const BUDGET_MS = 2_000;
const PAUSE_MS = { min: 5, max: 200 };
const CONFIRM_TRIES_MAX = 10;
const CONFIRM_PAUSE_MS = 300;
const HAS_STANDBY = "select current_setting('synchronous_standby_names') <> '' as has_standby";
/** By its class of SQLSTATE: its words come in the server's own language. */
const WARNING = /^01/;

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
  transactionOf<Row extends QueryResultRow>(
    statement: Statement,
    options?: TransactionOptions<Row[]>,
  ): Promise<Row[]>;
  /**
   * For whoever tells others of a result that was read and not written: until a synchronous standby
   * has all that can be read here. Where there is none, that is so already.
   */
  waitForStandby(): Promise<void>;
}

interface TransactionOptions<T> {
  /**
   * Asked when COMMIT's answer was lost: what the work gave if it is there, undefined if it is not.
   */
  readonly confirm?: () => Promise<T | undefined>;
}

/** Neither done nor not done, as far as anybody here knows. */
export class CommitUnknown extends Error {}

export function createTransactions(pool: Pool, log: Log): Transactions {
  async function untilSettled<T>(
    runOnce: (afterwards: (() => void)[]) => Promise<T>,
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
        return end(await runOnce(afterwards));
      } catch (error) {
        if (error instanceof CommitUnknown) return end(await settle(pool, error, confirm));
        const again = mayRetry(error) && tried < TRIES_MAX && performance.now() < deadline;
        if (!again) throw asUnavailable(error) ?? error;
        log.debug({ err: error, tried }, "a transaction lost a race and runs again");
        await sleep(randomInt(PAUSE_MS.min, PAUSE_MS.max));
      }
    }
  }
  const transaction: Transactions["transaction"] = (work, options) =>
    untilSettled((afterwards) => runOnce(pool, work, afterwards), options);
  return {
    transaction,
    transactionOf: <Row extends QueryResultRow>(
      statement: Statement,
      options?: TransactionOptions<Row[]>,
    ) => untilSettled(() => runAlone<Row>(pool, statement), options),
    async waitForStandby() {
      const { rows } = await pool.query(HAS_STANDBY).catch((error) => {
        throw asUnavailable(error) ?? error;
      });
      if (rows[0]?.has_standby !== false) await transaction(commitLikeAWrite);
    },
  };
}

async function runOnce<T>(
  pool: Pool,
  work: (tx: Tx) => Promise<T>,
  afterwards: (() => void)[],
): Promise<T> {
  const client = await pool.connect();
  const tx = {
    ...queryable((statement) => client.query(statement)),
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

async function runAlone<Row extends QueryResultRow>(pool: Pool, statement: Statement) {
  const client = await pool.connect();
  try {
    const { rows } = await sendLast<Row>(client, statement, saidNo);
    client.release();
    return rows;
  } catch (error) {
    client.release(error instanceof CommitUnknown);
    throw error;
  }
}

/** Without a COMMIT of its own, a statement that waited too long has done nothing either. */
function saidNo(error: unknown): boolean {
  return isNoAtCommit(error) || gaveUpWaiting(error);
}

/** Deferred constraints and triggers speak at COMMIT; that is a plain no. All else is not known. */
function isNoAtCommit(error: unknown): boolean {
  return isPlainRefusal(error) || mayRetry(error);
}

async function commit(client: PoolClient): Promise<void> {
  const answer = await sendLast(client, "commit", isNoAtCommit);
  assert.equal(answer.command, "COMMIT", "an error inside the transaction was swallowed");
}

/** Sends what a tx ends with. */
async function sendLast<Row extends QueryResultRow>(
  client: PoolClient,
  statement: Statement | "commit",
  isNo: (error: unknown) => boolean,
): Promise<QueryResult<Row>> {
  let warning: string | undefined;
  const listen = (notice: { code?: string | undefined; message?: string | undefined }) => {
    if (WARNING.test(notice.code ?? "")) warning = notice.message ?? "";
  };
  client.on("notice", listen);
  const answer = await client
    .query<Row>(statement)
    .catch((error: unknown) => {
      if (isNo(error)) throw error;
      throw new CommitUnknown("The answer to COMMIT was lost.", { cause: error });
    })
    .finally(() => client.off("notice", listen));
  if (warning !== undefined)
    throw new CommitUnknown("COMMIT was answered with a warning.", { cause: warning });
  return answer;
}

/** A connection that cannot even roll back, or whose COMMIT was lost, is thrown away. */
async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  if (error instanceof CommitUnknown) return client.release(true);
  try {
    await client.query("rollback");
    client.release();
  } catch {
    client.release(true);
  }
}

async function settle<T>(
  pool: Pool,
  unknown: CommitUnknown,
  confirm: (() => Promise<T | undefined>) | undefined,
): Promise<T> {
  if (confirm === undefined) throw new Unavailable({ cause: unknown });
  for (let tried = 1; tried <= CONFIRM_TRIES_MAX; tried++) {
    // The lost connection's backend may still be committing: "not there" counts only when it
    // repeats.
    await sleep(CONFIRM_PAUSE_MS);
    const found = await confirm().catch(() => undefined);
    if (found === undefined) continue;
    await runOnce(pool, commitLikeAWrite, []).catch((cause) => {
      throw new Unavailable({ cause });
    });
    return found;
  }
  throw new Unavailable({ cause: unknown });
}

/**
 * For a tx that finds what another one did, and says so. Reading waits for nobody, so what was
 * found may be on this server alone; after this, COMMIT waits until a synchronous standby has all
 * that was committed before it. Where there is none it costs a write.
 */
export async function commitLikeAWrite(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_logical_emit_message(true, 'windward', 'found')`);
}
