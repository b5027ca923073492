/** Runs the jobs of every module on graphile-worker, which keeps them in the same PostgreSQL. */

import { Logger, parseCronItems, run, type TaskList } from "graphile-worker";
import type { Infra } from "../context.ts";
import type { Log } from "../log.ts";
import type { Job } from "./job.ts";

const CONCURRENT_JOBS_MAX = 4;
const POLL_MS = 2_000;

export interface JobRunner {
  /** Finishes what is under way and claims nothing new. */
  stop(): Promise<void>;
}

export async function runJobs<Ctx extends Infra>(
  ctx: Ctx,
  jobs: readonly Job<Ctx>[],
): Promise<JobRunner> {
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown) => job.run(ctx, payload)]),
  );
  const runner = await run({
    pgPool: ctx.db.pool,
    taskList,
    concurrency: CONCURRENT_JOBS_MAX,
    pollInterval: POLL_MS,
    noHandleSignals: true, // main.ts decides when and in which order things stop
    logger: new Logger(() => (level, message) => logLine(ctx.log, level, message)),
    parsedCronItems: parseCronItems(
      jobs
        .filter((job) => job.everyHourAtMinute !== undefined || job.everyMinute)
        .map((job) => ({
          task: job.name,
          match: job.everyMinute ? "* * * * *" : `${job.everyHourAtMinute} * * * *`,
          options: { backfillPeriod: 0 },
        })),
    ),
  });
  return { stop: () => runner.stop() };
}

function logLine(log: Log, level: string, message: string): void {
  if (level === "error") log.error(message);
  else if (level === "warning") log.warn(message);
  else log.debug(message);
}
