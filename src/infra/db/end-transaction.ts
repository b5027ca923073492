/**
 * How a tx ends: there, not there, or *unknown*.
 *
 * An error at the end means unknown: the work may be there. So does a warning: a wait for the
 * synchronous standby that was cancelled ends with success and no more than that. `confirm`
 * can tell by looking for the work's own id; without it the caller gets 503 and not "no". And a
 * COMMIT that answers ROLLBACK, because an error was swallowed on the way, is our mistake.
 */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient, QueryResult } from "pg";
import { Unavailable } from "../../kit/errors.ts";
import { inSpan } from "../../kit/trace.ts";
import { gaveUpOnLock, gaveUpWaiting, isPlainRefusal, mayRetry } from "./database-errors.ts";
import { DATABASE_CALL, type Statement } from "./query.ts";

const CONFIRM_TRIES_MAX = 10;
const CONFIRM_PAUSE_MS = 300;
/** By its class of SQLSTATE: its words come in the server's own language. */
const WARNING = /^01/;

/** Neither done nor not done, as far as anybody here knows. */
export class CommitUnknown extends Error {}

export async function commit(client: PoolClient): Promise<void> {
  const answer = await inSpan("commit", DATABASE_CALL, () =>
    sendLast(client, "commit", isNoAtCommit),
  );
  assert.equal(answer.command, "COMMIT", "an error inside the transaction was swallowed");
}

/** Sends a statement that is a tx by itself. */
export function sendAlone(client: PoolClient, statement: Statement): Promise<QueryResult> {
  return sendLast(client, statement, isNoToStatement);
}

/** Without a COMMIT of its own, a statement that waited too long has done nothing either. */
function isNoToStatement(error: unknown): boolean {
  return isNoAtCommit(error) || gaveUpWaiting(error);
}

/** Deferred constraints and triggers speak at COMMIT; that is a plain no. All else is not known. */
function isNoAtCommit(error: unknown): boolean {
  return isPlainRefusal(error) || mayRetry(error) || gaveUpOnLock(error);
}

/** Sends what a tx ends with. */
async function sendLast(
  client: PoolClient,
  statement: Statement | "commit",
  isNo: (error: unknown) => boolean,
): Promise<QueryResult> {
  let warning: string | undefined;
  const listen = (notice: { code?: string | undefined; message?: string | undefined }) => {
    if (WARNING.test(notice.code ?? "")) warning = notice.message ?? "";
  };
  client.on("notice", listen);
  const answer = await client
    .query(statement)
    .catch((error: unknown) => {
      if (isNo(error)) throw error;
      throw new CommitUnknown("Whether it was committed is not known.", { cause: error });
    })
    .finally(() => client.off("notice", listen));
  if (warning !== undefined)
    throw new CommitUnknown("It was committed with a warning.", { cause: warning });
  return answer;
}

interface Settling<T> {
  /** What the work gave if it is there, undefined if it is not. */
  readonly confirm: (() => Promise<T | undefined>) | undefined;
  /** Waits until a standby has what was found. */
  waitForStandby(): Promise<void>;
}

/** Finds out what became of the work, or ends with 503. */
export async function settle<T>(
  unknown: CommitUnknown,
  { confirm, waitForStandby }: Settling<T>,
): Promise<T> {
  if (confirm === undefined) throw new Unavailable({ cause: unknown });
  for (let tried = 1; tried <= CONFIRM_TRIES_MAX; tried++) {
    // The lost connection's backend may still be committing: "not there" counts only when it
    // repeats.
    await sleep(CONFIRM_PAUSE_MS);
    const found = await confirm().catch(() => undefined);
    if (found === undefined) continue;
    await waitForStandby().catch((cause) => {
      throw new Unavailable({ cause });
    });
    return found;
  }
  throw new Unavailable({ cause: unknown });
}
