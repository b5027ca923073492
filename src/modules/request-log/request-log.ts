/**
 * The request log of this process (Decision 0087): answered requests wait in a bounded queue and
 * are written in batches, one after the other. No request waits for it: when the queue is full, or
 * the database does not take a batch at its second try, lines are dropped and counted.
 */

import { Counter } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { realNow } from "../../infra/db/clock.ts";
import type { RecordAnswer } from "../../infra/http/answered.ts";
import { followClock } from "./follow-clock.ts";
import { createLineQueue } from "./line-queue.ts";
import { lineOf, type RequestLine } from "./request-line.ts";
import { batchOf, writeLines } from "./write-lines.ts";

/** Making their texts keeps the event loop busy for about two milliseconds. */
const LINES_PER_WRITE = 400;
const WRITE_EVERY_MS = 250;

const dropped = new Counter({
  name: "windward_request_log_dropped_total",
  help: "Lines of the request log that were not written, by reason.",
  labelNames: ["reason"],
});
for (const reason of ["full", "failed"]) dropped.inc({ reason }, 0);

export interface RequestLog {
  /** Undefined where it is switched off. */
  readonly record: RecordAnswer | undefined;
  /** Writes all that waits, and drops it when the database is away. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function createRequestLog(infra: Infra): RequestLog {
  const queue = createLineQueue();
  const writer = { ...infra, startMs: followClock(() => realNow(infra.db)) };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let writing: Promise<void> = Promise.resolve();

  function add(line: RequestLine): void {
    if (isStopped) return;
    if (queue.add(line)) timer ??= setTimeout(writeSoon, WRITE_EVERY_MS).unref();
    else dropped.inc({ reason: "full" });
  }

  /** What comes meanwhile waits for the next time: small batches cost as much as large ones. */
  function writeSoon(): void {
    writing = writing.then(async () => {
      for (let left = queue.length(); left > 0; left -= LINES_PER_WRITE)
        await write(writer, queue.take(Math.min(left, LINES_PER_WRITE)));
      timer = queue.length() === 0 ? undefined : setTimeout(writeSoon, WRITE_EVERY_MS).unref();
    });
  }

  function flush(): Promise<void> {
    writing = writing.then(async () => {
      // A database that is away is not waited for: it would be once for each batch.
      while (queue.length() > 0)
        if (!(await write(writer, queue.take(LINES_PER_WRITE))))
          dropped.inc({ reason: "failed" }, queue.take(queue.length()).length);
    });
    return writing;
  }

  return {
    record: infra.config.hasRequestLog ? recorder(add, infra.log) : undefined,
    flush,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return flush();
    },
  };
}

/** Tells whether they were written, at the second try at the latest; never rejects. */
async function write(
  { db, log, startMs }: Pick<Infra, "db" | "log"> & { startMs: () => Promise<number> },
  lines: readonly RequestLine[],
): Promise<boolean> {
  try {
    const batch = batchOf(lines);
    // Read by itself: a statement that waits would make its lines later than they were.
    const attempt = async (isSecondTry: boolean) =>
      writeLines(db, batch, { startMs: await startMs(), isSecondTry });
    await attempt(false).catch(() => attempt(true));
    return true;
  } catch (err) {
    dropped.inc({ reason: "failed" }, lines.length);
    log.warn({ err, lines: lines.length }, "lines of the request log were not written");
    return false;
  }
}

/** A mistake of ours in here must not become one of the request, which has been answered. */
function recorder(add: (line: RequestLine) => void, log: Infra["log"]): RecordAnswer {
  return (request, answer, sent) => {
    try {
      const line = lineOf(request, answer, sent);
      if (line !== undefined) add(line);
    } catch (err) {
      log.error({ err, reqId: request.id }, "a line of the request log could not be made");
    }
  };
}
