/**
 * The pool of the job runner, for times when the database is away. The runner (graphile-worker
 * 0.17.3) marks a job finished once: when that fails, it ends the whole process or stops for
 * good, although the database may be back a second later.
 *
 * So these statements are tried again here until they come through. They name their runner and
 * their job, so one that came through with its answer lost does nothing the second time. What is
 * under way when the process stops is left: sweeps find what was not marked.
 *
 * It also asks once which of its tasks the database knows, and keeps the answer, even a failure: a
 * worker that starts while the database is away would never take a job. This is tried again, too.
 *
 * The runner may give back twice the connection that it listens on: when it is stopped, and
 * loses that connection before the database has received LISTEN. The second time would be an error
 * that nobody catches, so it counts for nothing.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { asUnavailable } from "../db/database-errors.ts";

const MARKING_FINISHED = /^(complete|fail|return)_job/;
const LEARNING_TASKS = /\b_private_tasks as tasks\b/;
const PAUSE_MS = { first: 100, max: 2_000 };
const NOTHING_DONE = { rows: [], rowCount: 0 };

type Query = (statement: QueryConfig) => Promise<unknown>;
type Release = (error?: boolean | Error) => void;
/** How the runner asks for the connection that it listens on, and for no other. */
type WhenConnected = (error?: Error, client?: PoolClient, release?: Release) => void;

export interface RetryingJobPool {
  readonly pool: Pool;
  /** From now on nothing is tried again. */
  stopTrying(): void;
}

export function createRetryingJobPool(pool: Pool): RetryingJobPool {
  let isTrying = true;

  async function tryAgain(statement: QueryConfig, first: unknown): Promise<unknown> {
    let failure = first;
    for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.max)) {
      if (asUnavailable(failure) === undefined) throw failure;
      // The runner would end the process over it, in the middle of an orderly stop.
      if (!isTrying) return NOTHING_DONE;
      await sleep(pauseMs);
      try {
        return await pool.query(statement);
      } catch (error) {
        failure = error;
      }
    }
  }

  function withPatience(client: PoolClient): PoolClient {
    const query: Query = client.query.bind(client);
    return replace(client, "query", (...given: [QueryConfig]) => {
      const [statement] = given;
      if (!isTriedAgain(statement)) return query(...given);
      return query(statement).catch((error) => tryAgain(statement, error));
    });
  }

  /** In place of a connection that was not to be had: it does what is tried again, and no more. */
  function standIn(error: unknown) {
    const query: Query = (statement) =>
      isTriedAgain(statement) ? tryAgain(statement, error) : Promise.reject(error);
    return { query, release() {} };
  }

  async function connect() {
    return pool.connect().then(withPatience, standIn);
  }

  function connectToListen(found: WhenConnected): void {
    pool.connect((error, client, release) => found(error, client, releaseOnce(release)));
  }

  return {
    pool: replace(pool, "connect", (found?: WhenConnected) =>
      found === undefined ? connect() : connectToListen(found),
    ),
    stopTrying() {
      isTrying = false;
    },
  };
}

/** All of them may be done twice. */
function isTriedAgain(statement: QueryConfig | undefined): boolean {
  const { name = "", text = "" } = statement ?? {};
  return MARKING_FINISHED.test(name) || LEARNING_TASKS.test(text);
}

/** Undefined from a pool that has ended: there is nothing to give back. */
function releaseOnce(release: Release | undefined): Release {
  let remaining = release;
  return (error) => {
    const giveBack = remaining;
    remaining = undefined;
    giveBack?.(error);
  };
}

/** The same thing but for one method; methods that are not replaced keep their `this`. */
function replace<T extends object>(original: T, name: keyof T, method: unknown): T {
  return new Proxy(original, {
    get(target, key) {
      if (key === name) return method;
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
