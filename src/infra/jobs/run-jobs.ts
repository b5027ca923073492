/** Runs the jobs of every module on graphile-worker, which keeps them in the same PostgreSQL. */

import { Logger, parseCronItems, type Runner, run, type TaskList } from "graphile-worker";
import type { Pool } from "pg";
import { inTrace, SpanKind } from "../../kit/trace.ts";
import type { Infra } from "../context.ts";
import type { Log } from "../log.ts";
import type { Job, Lane } from "./job.ts";
import { createRetryingJobPool } from "./retrying-job-pool.ts";

const ORDINARY: Lane = { name: "ordinary", concurrentMax: 4 };
const POLL_MS = 2_000;
/** Beside the one that each lane listens on: taking jobs and marking them finished is quick. */
const CONNECTIONS_SHARED = 3;
/** Jobs that end within this time of each other are marked finished together. */
const COMPLETE_TOGETHER_MS = 10;

export interface JobRunner {
  /** Finishes what is under way and claims nothing new. */
  stop(): Promise<void>;
}

export async function runJobs<Ctx extends Infra>(
  ctx: Ctx,
  jobs: readonly Job<Ctx>[],
): Promise<JobRunner> {
  const runners: Runner[] = [];
  const lanes = Map.groupBy(jobs, (job) => job.lane ?? ORDINARY);
  const plain = ctx.db.openPlainPool(lanes.size + CONNECTIONS_SHARED);
  const { pool, stopTrying } = createRetryingJobPool(plain);
  const stop = async () => {
    stopTrying();
    await Promise.all(runners.map((runner) => runner.stop()));
  };
  try {
    for (const [lane, own] of lanes) runners.push(await runLane(ctx, pool, lane, own));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

function runLane<Ctx extends Infra>(
  ctx: Ctx,
  pgPool: Pool,
  lane: Lane,
  jobs: readonly Job<Ctx>[],
): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown) => runTraced(ctx, job, payload)]),
  );
  return run({
    pgPool,
    taskList,
    concurrency: lane.concurrentMax,
    pollInterval: POLL_MS,
    // A wide lane asks for all its places at once instead of once for each.
    ...(lane === ORDINARY ? {} : { preset: { worker: wideLane(lane) } }),
    noHandleSignals: true, // main.ts decides when and in which order things stop
    logger: new Logger(() => (level, message) => logLine(ctx.log, level, message)),
    parsedCronItems: parseCronItems(scheduleOf(jobs)),
  });
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

function wideLane({ concurrentMax }: Lane) {
  return {
    localQueue: { size: concurrentMax },
    completeJobBatchDelay: COMPLETE_TOGETHER_MS,
  };
}

/** Of a wide lane, whose jobs wait for others and hold no connection meanwhile. */
const NOT_WORTH_A_WARNING = /^WARNING: having maxPoolSize \(\d+\) smaller than concurrency/;

function logLine(log: Log, level: string, message: string): void {
  if (level === "error") log.error(message);
  else if (NOT_WORTH_A_WARNING.test(message)) log.debug(message);
  else if (level === "warning") log.warn(message);
  else log.debug(message);
}
