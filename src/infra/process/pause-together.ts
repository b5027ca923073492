/**
 * Pauses every process of the service while its database is copied or exchanged (Decision 0105).
 *
 * The process that wants it takes a lock on the maintenance database and notifies the others, each
 * of which stops its work, waits for the lock and begins anew. A lock and not a message says when
 * it is over: it ends with the connection of a process that dies, so nobody waits for ever.
 */

import type pg from "pg";
import { Unavailable } from "../../kit/errors.ts";
import {
  connectToMaintenanceDatabase,
  currentDatabase,
} from "../embedded-postgres/snapshot-store.ts";
import type { Log } from "../log.ts";
import { terminateOthersDuring, waitForDisconnects } from "./database-without-users.ts";
import { listenForNotices } from "./listen-for-notices.ts";
import { createTurns } from "./turns.ts";

/** Any constant will do, as long as nothing else locks it on that database. */
const LOCK = 7_203_114_563;

/** What is stopped and begun anew. */
interface Pausable {
  /** `isOwn`: a request of this process wants the pause, and does not wait for itself. */
  pause(options: { isOwn: boolean }): Promise<void>;
  resume(): Promise<void>;
}

interface PausedWork<T> {
  prepare(client: pg.Client): Promise<T>;
  work(client: pg.Client, prepared: T): Promise<void>;
}

export interface PauseTogether {
  /**
   * Opens for the first time what is paused later: while no process is at work on a snapshot, and
   * keeping them from it. Otherwise it could open the old state and go on in the new one.
   */
  open(work: () => Promise<void>): Promise<void>;
  /** Runs the work while no process uses the database, and no two at once. */
  during<T>(prepare: PausedWork<T>["prepare"], work: PausedWork<T>["work"]): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  readonly url: string;
  readonly log: Log;
  readonly paused: Pausable;
}

export async function createPauseTogether(options: Options): Promise<PauseTogether> {
  const listener = await followPauses(options);
  return {
    async during(prepare, work) {
      if (listener.turns.isTaken()) throw new Unavailable({ cause: "another snapshot is at work" });
      await listener.turns.take(() => pauseFor(options, listener, { prepare, work }));
    },
    open: (work) => listener.turns.take(() => listener.open(work)),
    stop: listener.stop,
  };
}

/** Takes the lock, pauses every process, runs the work, and resumes this process. */
async function pauseFor<T>(
  { url, log, paused }: Options,
  listener: Listener,
  { prepare, work }: PausedWork<T>,
): Promise<void> {
  const client = await connectToMaintenanceDatabase(url);
  const terminator = await connectToMaintenanceDatabase(url);
  try {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as mine", [LOCK]);
    if (!rows[0].mine) throw new Unavailable({ cause: "another snapshot is at work" });
    const steps = createSteps();
    const prepared = await steps.timed("preparedMs", () => prepare(client));
    await listener.notifyOthers(client);
    const stopped = paused.pause({ isOwn: true });
    try {
      await steps.timed("stoppedMs", () => waitForDisconnects(terminator, stopped));
      await steps.timed("workedMs", () =>
        terminateOthersDuring(terminator, () => work(client, prepared)),
      );
    } finally {
      await client.query("select pg_advisory_unlock($1)", [LOCK]).catch(() => {});
      await steps.timed("openedMs", () => listener.resume(client));
    }
    log.info(steps.ms, "the service paused for a snapshot");
  } finally {
    await Promise.all([client.end(), terminator.end()]);
  }
}

type Listener = Awaited<ReturnType<typeof followPauses>>;

/** Pauses this process when another one asks for it. */
async function followPauses({ url, log, paused }: Options) {
  let isOpen = false;
  let database = 0;
  const turns = createTurns();
  const notices = await listenForNotices({
    url,
    onNotice: pauseForOther,
    onReplaced(client, current) {
      if (current !== database) pauseForOther(client);
    },
  });
  database = notices.database;

  function pauseForOther(client: pg.Client): void {
    turns
      .take(() => waitOut(client))
      .catch((err) => {
        log.error({ err }, "a pause went wrong");
      });
  }

  async function waitOut(client: pg.Client): Promise<void> {
    // There was nothing to pause when its turn came: the opening has waited, or will.
    if (!isOpen) return;
    await paused.pause({ isOwn: false });
    await waitForLock(client);
    await resume(client);
  }

  async function resume(client: pg.Client): Promise<void> {
    database = await currentDatabase(client).catch(() => database);
    await paused.resume();
  }

  return {
    turns,
    resume,
    notifyOthers: notices.notifyOthers,
    async open(work: () => Promise<void>): Promise<void> {
      const client = notices.client();
      await withLock(client, async () => {
        await work();
        isOpen = true;
        database = await currentDatabase(client).catch(() => database);
      });
    },
    async stop(): Promise<void> {
      await turns.ended();
      await notices.stop();
    },
  };
}

/** A lost connection is as good as the lock: its holder is gone, or PostgreSQL is. */
async function waitForLock(client: pg.Client): Promise<void> {
  const statement = "select pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)";
  await client.query(statement, [LOCK]).catch(() => {});
}

/** The same, and until the work is done nobody else gets it for a pause. */
async function withLock(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1)", [LOCK]).catch(() => {});
  try {
    await work();
  } finally {
    await client.query("select pg_advisory_unlock_shared($1)", [LOCK]).catch(() => {});
  }
}

/** How long each step took, for the log. */
function createSteps() {
  const ms: Record<string, number> = {};
  return {
    ms,
    async timed<T>(name: string, work: () => Promise<T>): Promise<T> {
      const beganAt = performance.now();
      try {
        return await work();
      } finally {
        ms[name] = Math.round(performance.now() - beganAt);
      }
    },
  };
}
