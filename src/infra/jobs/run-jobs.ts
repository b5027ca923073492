/** Runs the jobs of every module on graphile-worker, which keeps them in the same PostgreSQL. */

import { Logger, parseCronItems, run, type TaskList } from "graphile-worker";
import { inTrace, SpanKind } from "../../kit/trace.ts";
import type { Infra } from "../context.ts";
import type { Log } from "../log.ts";
import type { Job } from "./job.ts";
import { createRetryingJobPool } from "./retrying-job-pool.ts";

const AT_ONCE_MAX = 4;
const POLL_MS = 2_000;
/** One listens for new jobs; taking them and marking them finished is quick. */
export const JOB_CONNECTIONS_MAX = 4;

export interface JobRunner {
  /** Finishes what is under way and claims nothing new. */
  stop(): Promise<void>;
}

export async function runJobs<Ctx extends Infra>(
  ctx: Ctx,
  jobs: readonly Job<Ctx>[],
): Promise<JobRunner> {
  const { pool, stopTrying } = createRetryingJobPool(ctx.db.openPlainPool(JOB_CONNECTIONS_MAX));
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown) => runTraced(ctx, job, payload)]),
  );
  try {
    const runner = await run({
      pgPool: pool,
      taskList,
      concurrency: AT_ONCE_MAX,
      pollInterval: POLL_MS,
      noHandleSignals: true, // main.ts decides when and in which order things stop
      logger: new Logger(() => (level, message) => logLine(ctx.log, level, message)),
      parsedCronItems: parseCronItems(scheduleOf(jobs)),
    });
    return {
      async stop() {
        stopTrying();
        await runner.stop();
      },
    };
  } catch (error) {
    stopTrying();
    throw error;
  }
}

/** In the trace of what added it, if that was recorded (`addJob`). */
function runTraced<Ctx>(ctx: Ctx, job: Job<Ctx>, payload: unknown): Promise<void> {
  const { traceparent: parent } = (payload ?? {}) as { traceparent?: string };
  return inTrace(`job ${job.name}`, { kind: SpanKind.CONSUMER, parent }, () =>
    job.run(ctx, payload),
  );
}

/** Which jobs run by themselves, and when. */
export function scheduleOf<Ctx>(jobs: readonly Job<Ctx>[]) {
  return jobs
    .filter((job) => job.everyHourAtMinute !== undefined || job.everyMinute)
    .map((job) => ({
      task: job.name,
      match: job.everyMinute ? "* * * * *" : `${job.everyHourAtMinute} * * * *`,
      options: { backfillPeriod: 0 },
    }));
}

function logLine(log: Log, level: string, message: string): void {
  if (level === "error") log.error(message);
  else if (level === "warning") log.warn(message);
  else log.debug(message);
}
