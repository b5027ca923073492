/**
 * Reads from a standby, for lists of what happened (Decision 0125): each as new as on the primary
 * at the moment of the call, or else read there. One read:
 *
 * 1. asks the primary how far it has come,
 * 2. takes a connection to the standby; a new one has to prove that it follows this primary,
 * 3. waits until the standby has replayed as far as that,
 * 4. does its work there.
 *
 * A standby never costs an answer: where a step fails, or all of them take too long, the same work
 * is done on the primary. `standby-breaker.ts` decides when nothing is asked of the standby at all.
 */

import type pg from "pg";
import type { Pool, PoolClient } from "pg";
import { Counter } from "prom-client";
import { SECOND_MS } from "../../kit/clock.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Log } from "../log.ts";
import {
  gaveUpWaiting,
  isPlainRefusal,
  isPoolEmpty,
  isReadTimeout,
  mayRetry,
} from "./database-errors.ts";
import { type Queryable, queryable, type RowCheck, type Statement } from "./query.ts";
import { createBreaker } from "./standby-breaker.ts";
import {
  answerOfPrimary,
  createPositionReader,
  demandStandbyOf,
  MISSES,
  type Miss,
  reach,
  StandbyMissed,
} from "./standby-position.ts";

/** All steps of one read; what is left of a request's ten seconds is for the primary. */
const READ_MS_MAX = 2 * SECOND_MS;
const CONNECT_MS_MAX = 500;

export const STANDBY_SETTINGS = ["statement_timeout=2s", "default_transaction_read_only=on"];

const POOL_SETTINGS: pg.PoolConfig = {
  connectionTimeoutMillis: CONNECT_MS_MAX,
  application_name: "windward_reads",
};

const reads = new Counter({
  name: "windward_standby_reads_total",
  help: "Reads that a standby may serve: served, or why the primary did.",
  labelNames: ["outcome"],
});
const OUTCOMES = ["served", "resting", ...MISSES];

/**
 * Does the work on one server, so that no statement of it sees less than the one before. It may be
 * done twice, and what it runs for its effect (`run`) goes to the primary.
 */
export type Read = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;

interface Parts {
  openPool(settings: pg.PoolConfig): Pool;
  readonly primary: Queryable;
  readonly check: RowCheck | undefined;
  readonly log: Log;
}

export function createStandbyReads({ openPool, primary, check, log }: Parts): Read {
  for (const outcome of OUTCOMES) reads.inc({ outcome }, 0);
  const askPrimary = createPositionReader(primary);
  const pool = openPool({
    ...POOL_SETTINGS,
    verify: (client, done) => void demandStandbyOf(primary, client).then(() => done(), done),
  });
  const breaker = createBreaker(() => readThere(async () => {}), log);

  async function readThere<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + READ_MS_MAX;
    const position = await answerOfPrimary(askPrimary());
    const client = await pool.connect().catch(missedAs(missOfConnection));
    try {
      await reach(client, position).catch(missedAs(missOf));
      const send = sendTo(client, giveUpAt);
      const result = await work({ ...queryable(send, check), run: primary.run });
      client.release();
      return result;
    } catch (error) {
      client.release(!keepsConnection(error));
      throw error;
    }
  }

  return async (work) => {
    if (breaker.admit())
      try {
        const result = await readThere(work);
        reads.inc({ outcome: "served" });
        breaker.noteServed();
        return result;
      } catch (error) {
        // What the work itself says of what it found, it would say of the primary's, too.
        if (!(error instanceof StandbyMissed)) throw error;
        reads.inc({ outcome: error.miss });
        breaker.noteMiss(error);
      }
    else reads.inc({ outcome: "resting" });
    return work(primary);
  };
}

function missedAs(missOfError: (error: unknown) => Miss) {
  return (cause: unknown): never => {
    if (cause instanceof StandbyMissed) throw cause;
    throw new StandbyMissed(missOfError(cause), { cause });
  };
}

function sendTo(client: PoolClient, giveUpAt: number) {
  return async (statement: Statement) => {
    const leftMs = Math.ceil(giveUpAt - performance.now());
    if (leftMs <= 0) throw new StandbyMissed("slow");
    const { text, values } = statement;
    const name = "name" in statement ? statement.name : undefined;
    const limited = { name, text, values, query_timeout: leftMs };
    return client.query(limited).catch(missedAs(missOfStatement));
  };
}

/** By the work, about what it found, or by us: the connection is as good as before. */
function keepsConnection(error: unknown): boolean {
  const isBehind = error instanceof StandbyMissed && error.miss === "behind";
  return isBehind || error instanceof ServiceError;
}

function missOfConnection(error: unknown): Miss {
  return isPoolEmpty(error) ? "busy" : "unreachable";
}

/** Of the work: one that takes long may be alone in that. */
function missOfStatement(error: unknown): Miss {
  return isReadTimeout(error) ? "slow" : missOf(error);
}

function missOf(error: unknown): Miss {
  if (mayRetry(error)) return "conflict";
  if (gaveUpWaiting(error)) return "slow";
  return isPlainRefusal(error) ? "refused" : "failed";
}
