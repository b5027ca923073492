/**
 * Reads from a standby, for lists of what happened (Decision 0125): each as new as on the primary
 * at the moment of the call, or else read there.
 *
 * A standby never costs an answer. Where it is away, behind, slow, or ends a statement because of
 * what it has to replay, the same work is done on the primary. After trouble nothing is asked of it
 * for a while, and what finds out that it is back is a probe that no caller waits for.
 */

import type pg from "pg";
import type { Pool, PoolClient } from "pg";
import { Counter } from "prom-client";
import { SECOND_MS } from "../../kit/clock.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Log } from "../log.ts";
import { mayRetry } from "./database-errors.ts";
import { type Queryable, queryable, type RowCheck, type Statement } from "./query.ts";
import {
  createPositionReader,
  demandStandbyOf,
  type Miss,
  reach,
  StandbyMissed,
} from "./standby-position.ts";

/** All statements of one read; what is left of a request's ten seconds is for the primary. */
const WORK_MS_MAX = 2 * SECOND_MS;
const CONNECT_MS_MAX = 500;

export const STANDBY_SETTINGS = ["statement_timeout=2s", "default_transaction_read_only=on"];

const POOL_SETTINGS: pg.PoolConfig = {
  connectionTimeoutMillis: CONNECT_MS_MAX,
  query_timeout: WORK_MS_MAX + CONNECT_MS_MAX,
  application_name: "windward_reads",
};

/** For how long nothing is asked of it. One statement that was ended says nothing of the next. */
const REST_MS: Readonly<Record<Miss, number>> = {
  behind: SECOND_MS / 4,
  unreachable: 5 * SECOND_MS,
  unrelated: SECOND_MS,
  failed: 5 * SECOND_MS,
  conflict: 0,
};

const reads = new Counter({
  name: "windward_standby_reads_total",
  help: "Reads that a standby may serve: served, or why the primary did.",
  labelNames: ["outcome"],
});

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
  const askPrimary = createPositionReader(primary);
  const pool = openPool({
    ...POOL_SETTINGS,
    verify: (client, done) => void demandStandbyOf(primary, client).then(() => done(), done),
  });
  const rest = createRest(() => readThere(async () => {}), log);

  async function readThere<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    const position = await askPrimary().catch(missedAs("failed"));
    const client = await pool.connect().catch(missedAs("unreachable"));
    try {
      await reach(client, position);
      const result = await work({ ...queryable(sendTo(client), check), run: primary.run });
      client.release();
      return result;
    } catch (error) {
      client.release(!isSaid(error));
      throw error;
    }
  }

  return async (work) => {
    if (rest.isOver())
      try {
        const result = await readThere(work);
        reads.inc({ outcome: "served" });
        return result;
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        reads.inc({ outcome: missOf(error) });
        rest.begin(error);
      }
    else reads.inc({ outcome: "resting" });
    return work(primary);
  };
}

function missedAs(miss: Miss) {
  return (cause: unknown): never => {
    throw cause instanceof StandbyMissed ? cause : new StandbyMissed(miss, { cause });
  };
}

function sendTo(client: PoolClient) {
  const giveUpAt = performance.now() + WORK_MS_MAX;
  return async (statement: Statement) => {
    if (performance.now() > giveUpAt) throw new StandbyMissed("failed");
    return client.query(statement);
  };
}

/** By the work, about what it found, or by us: the connection is as good as before. */
function isSaid(error: unknown): boolean {
  return error instanceof ServiceError || missOf(error) === "behind";
}

function missOf(error: unknown): Miss {
  if (error instanceof StandbyMissed) return error.miss;
  return mayRetry(error) ? "conflict" : "failed";
}

/** Between a failure and the probe that succeeds. */
function createRest(probe: () => Promise<void>, log: Log) {
  let until: number | undefined;
  let isProbing = false;
  let told: Miss | undefined;

  function begin(err: unknown): void {
    const miss = missOf(err);
    if (REST_MS[miss] === 0) return;
    until = performance.now() + REST_MS[miss];
    // A standby that is behind now and then is as it should be; the metric counts it.
    if (miss === told || miss === "behind") return;
    told = miss;
    log.warn({ err }, "nothing is read from the standby until it is fine again");
  }

  async function tryAgain(): Promise<void> {
    isProbing = true;
    try {
      await probe();
      until = undefined;
      if (told !== undefined) log.warn("the standby is read from again");
      told = undefined;
    } catch (error) {
      begin(error);
    } finally {
      isProbing = false;
    }
  }

  return {
    begin,
    isOver(): boolean {
      if (until === undefined) return true;
      if (performance.now() >= until && !isProbing) void tryAgain();
      return false;
    },
  };
}
