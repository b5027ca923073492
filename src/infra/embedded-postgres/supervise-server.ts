/**
 * Keeps a server that has started: starts it again when it ends by itself, and holds the owner's
 * lock in it.
 *
 * Clients keep their address: a server that is started again gets the same port. There is no last
 * try; a full disk that is cleaned an hour later brings the database back without anybody's help.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { clearWreck } from "./clear-the-way.ts";
import type { Cluster } from "./cluster.ts";
import { tryToOwn } from "./ownership.ts";
import { becomesReady, type ServerLog, type ServerProcess, spawnServer } from "./server-process.ts";

interface Supervision {
  readonly cluster: Cluster;
  readonly server: ServerProcess;
  readonly settings: Readonly<Record<string, string>>;
  readonly lock: pg.Client;
  readonly log: ServerLog;
}

const RESTART_MS_FIRST = 50;
const RESTART_MS_MAX = 5_000;
const OWN_AGAIN_MS = 100;
const LAST_WORDS_LINES_MAX = 3;

export function superviseServer(supervision: Supervision): SupervisedServer {
  return new SupervisedServer(supervision);
}

class SupervisedServer {
  readonly #given: Supervision;
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;
  #server: ServerProcess;
  #lock: pg.Client | undefined;
  #stopped: Promise<void> | undefined;

  constructor(given: Supervision) {
    this.#given = given;
    this.#server = given.server;
    this.#holdLock(given.lock);
    this.#watching = this.#watch();
  }

  get pid(): number {
    return this.#server.pid;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #watch(): Promise<void> {
    const { log } = this.#given;
    for (let delayMs = 0; ; ) {
      const { pid, ended, words } = this.#server;
      const how = await ended;
      if (this.#isStopping) return;
      const lastWords = (await words().catch(() => "")).split("\n").slice(-LAST_WORDS_LINES_MAX);
      const about = { postgres: pid, how, lastWords };
      log.warn(about, "PostgreSQL ended by itself; starting it again");
      await this.#pause(delayMs);
      const isBack = await this.#startAgain().catch((error) => {
        log.warn({ err: error }, "PostgreSQL could not be started");
        return false;
      });
      // The wait grows only while it does not come back.
      delayMs = isBack ? RESTART_MS_FIRST : nextDelay(delayMs);
      if (this.#isStopping) return;
    }
  }

  /** Puts a new process in place of the ended one; the next turn of the watch meets a failure. */
  async #startAgain(): Promise<boolean> {
    const { cluster, settings, log } = this.#given;
    await clearWreck(cluster.folder);
    if (this.#isStopping) return false;
    const server = await spawnServer({ cluster, port: this.#server.port, settings });
    this.#server = server;
    if (this.#isStopping || !(await becomesReady({ server, folder: cluster.folder }))) return false;
    log.info({ postgres: server.pid }, "PostgreSQL is back");
    await this.#takeLockAgain();
    return true;
  }

  #holdLock(taken: pg.Client): void {
    this.#lock = taken;
    // It also ends when a backend crashes, for then the same server restarts all of them.
    taken.once("end", () => {
      this.#lock = undefined;
      this.#takeLockAgain();
    });
  }

  async #takeLockAgain(): Promise<void> {
    const { password } = this.#given.cluster;
    while (!this.#isStopping && !this.#server.hasEnded() && !this.#lock) {
      const { port } = this.#server;
      const taken = await tryToOwn({ port, password }).catch(() => undefined);
      if (taken && !this.#isStopping) return this.#holdLock(taken);
      await taken?.end().catch(() => undefined);
      await this.#pause(OWN_AGAIN_MS);
    }
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    // Not awaited: a server that hangs would not answer, and its end closes the connection, too.
    this.#lock?.end().catch(() => undefined);
    await this.#server.stop();
    await this.#watching;
    // The watch may have been in the middle of spawning another one.
    await this.#server.stop();
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

function nextDelay(delayMs: number): number {
  return Math.min(Math.max(delayMs * 2, RESTART_MS_FIRST), RESTART_MS_MAX);
}
