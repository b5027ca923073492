/**
 * Whether this process can be given work: it is not stopping, the database answers and has every
 * migration that this program knows. Each process looks by itself every few seconds and whenever
 * `/readyz` is asked, so the metric needs no statement of its own, and how long it has been so is
 * known.
 */

import { Gauge } from "prom-client";
import { createBatcher } from "../../kit/batch.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import type { Log } from "../log.ts";
import type { Database } from "./database.ts";
import { isTableMissing, troubleInWords } from "./database-errors.ts";
import { latestMigration } from "./migrate.ts";
import { prepared, sqlOf } from "./query.ts";
import { bool } from "./row.ts";

const LOOK_EVERY_MS = 5 * SECOND_MS;
const ASKED_AT_ONCE_MAX = 10_000;
const BEHIND = "The database lacks migrations that this version needs.";

const readyGauge = new Gauge({
  name: "windward_ready",
  help: "Whether a check of /readyz is passed, 1 or 0, when last looked.",
  labelNames: ["check"],
  aggregator: "min",
});

export const CHECKS = ["process", "database", "migrations"] as const;

type CheckName = (typeof CHECKS)[number];

interface Check {
  readonly check: CheckName;
  readonly ready: boolean;
  /** How long it has been as it is. */
  readonly forSeconds: number;
  /** Without hosts, users or SQL; absent while it is ready. */
  readonly why?: string;
}

export interface Readiness {
  /** Looks now; callers at the same time share one statement. Never rejects. */
  look(): Promise<readonly Check[]>;
  /** The process takes no requests any more, for this reason. */
  noteNotTaking(why: string): void;
  /** Looks by itself until it is stopped. */
  start(): void;
  stop(): void;
}

export async function createReadiness(db: Database, log: Log): Promise<Readiness> {
  const statement = prepared(
    "readiness",
    sqlOf({ is_current: bool })`
      select exists (
        select from schema_migrations where name = ${await latestMigration()}) as is_current`,
  );
  const inProcess = watchCheck("process");
  const database = watchCheck("database", log);
  const migrations = watchCheck("migrations", log);

  async function ask(): Promise<void> {
    try {
      const { is_current } = await db.one(statement);
      database.note(undefined);
      migrations.note(is_current ? undefined : BEHIND);
    } catch (error) {
      // Without an answer the migrations are taken to be as they were.
      if (isTableMissing(error)) migrations.note(BEHIND, error);
      database.note(isTableMissing(error) ? undefined : troubleInWords(error), error);
    }
  }

  const look = createBatcher<undefined, readonly Check[]>({
    sizeMax: ASKED_AT_ONCE_MAX,
    async run(askers) {
      // One that stops says so at once, whatever the database does.
      if (inProcess.read().ready) {
        inProcess.note(undefined);
        await ask();
      }
      const checks = [inProcess.read(), database.read(), migrations.read()];
      return askers.map(() => checks);
    },
  });

  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  /** Not an interval: a look that hangs is not overtaken. */
  function lookAgain(): void {
    if (isStopped) return;
    timer = setTimeout(() => void look(undefined).then(lookAgain), LOOK_EVERY_MS).unref();
  }
  return {
    look: () => look(undefined),
    noteNotTaking: (why) => inProcess.note(why),
    start: () => void look(undefined).then(lookAgain),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function watchCheck(check: CheckName, log?: Log) {
  let why: string | undefined;
  let since = performance.now();
  return {
    note(now: string | undefined, err?: unknown): void {
      readyGauge.set({ check }, now === undefined ? 1 : 0);
      if ((now === undefined) !== (why === undefined)) {
        since = performance.now();
        if (now === undefined) log?.info({ check }, "ready again");
        else log?.warn({ check, why: now, err }, "not ready");
      }
      why = now;
    },
    read: (): Check => ({
      check,
      ready: why === undefined,
      forSeconds: Math.floor((performance.now() - since) / SECOND_MS),
      ...(why === undefined ? {} : { why }),
    }),
  };
}
