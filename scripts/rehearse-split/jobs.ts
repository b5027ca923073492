/**
 * The job queue is not moved. Most jobs come again by themselves: they run every so often, or a
 * sweep adds one for what is due. A job that nothing would add again has to run before a move.
 */

import type pg from "pg";
import { appJobs } from "../../src/app.ts";
import { olderJobs } from "../../src/infra/jobs/older-jobs.ts";

const SWEPT = ["settle-refund", "return-card-check", ...olderJobs.map(({ name }) => name)];

interface Waiting {
  readonly name: string;
  readonly count: number;
}

export async function jobsLeftBehind(
  client: pg.Client,
): Promise<{ readonly line: string; readonly complaints: readonly string[] }> {
  const { rows } = await client.query<Waiting>(
    `select task_identifier as name, count(*)::int as count from graphile_worker.jobs
     group by 1 order by 1`,
  );
  const told = rows.map(({ name, count }) => `${count} ${name}`).join(", ");
  return {
    line: `jobs left behind: ${told === "" ? "none" : told}`,
    complaints: rows
      .filter(({ name }) => !SWEPT.includes(name) && !runsEverySoOften(name))
      .map(({ name, count }) => `${count} jobs ${name} would be lost`),
  };
}

function runsEverySoOften(name: string): boolean {
  const job = appJobs.find((one) => one.name === name);
  return job?.everyMinute === true || job?.everyHourAtMinute !== undefined;
}
