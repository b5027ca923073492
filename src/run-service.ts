/** One process at work: answers requests, runs jobs, or both; and stops without dropping either. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "./infra/config.ts";
import type { Log } from "./infra/log.ts";
import { createStopList, type StopList } from "./infra/process/stop.ts";
import { canSendMail } from "./modules/mail/queue-mail.ts";
import type { Snapshots } from "./modules/sandbox-snapshots/snapshots.ts";
import { openRuntime, type Runtime, type RuntimeOptions } from "./runtime.ts";

const NO_PROXY =
  "not behind a proxy: slow clients and floods are not held off, and clients of a proxy would " +
  "share one address. Put HAProxy in front (docs/operations/haproxy.cfg) and name its address in " +
  "TRUSTED_PROXIES";

const NO_MAIL =
  "SMTP_URL is not set: no mail is sent, so nobody can reset a forgotten password or be invited, " +
  "and there are no security notices and statements by mail";

/** A database that is not back yet is asked for again. */
const REOPEN_MS = 250;

export interface Service {
  /** Where it listens; undefined for a worker, which does not. */
  readonly address: string | undefined;
  stop(): Promise<void>;
}

interface Options {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: Log;
  /** The embedded one, which can be copied and exchanged (Decision 0105). */
  readonly isEmbedded?: boolean;
}

export async function runService(options: Options): Promise<Service> {
  const stops = createStopList();
  try {
    const address = await start(options, stops);
    return { address, stop: () => stops.stopAll() };
  } catch (error) {
    await stops
      .stopAll()
      .catch((err) => options.log.warn({ err }, "and stopping went wrong as well"));
    throw error;
  }
}

async function start(options: Options, stops: StopList): Promise<string | undefined> {
  const { config, log } = options;
  const { expectsProxy, trustedProxies } = config.http;
  if (!canSendMail(config)) log.warn(NO_MAIL);
  if (expectsProxy && trustedProxies.length === 0) log.warn(NO_PROXY);
  const holder = options.isEmbedded && config.isMovable ? await keepRuntime(options) : undefined;
  const runtime = holder?.runtime() ?? (await openRuntime(options));
  stops.add(() => holder?.stop() ?? runtime.stop());
  return runtime.server?.listen(config.http);
}

/** A runtime that is closed and opened again whenever the database is copied or exchanged. */
async function keepRuntime(options: Options) {
  const { databaseUrl: url, log } = options;
  // Only here: with a DATABASE_URL this code need not be loaded.
  const { createPauseTogether } = await import("./infra/process/pause-together.ts");
  const { createSnapshots } = await import("./modules/sandbox-snapshots/snapshots.ts");
  let isStopping = false;
  let runtime: Runtime;
  const pauses = await createPauseTogether({
    url,
    log,
    paused: {
      pause: (how) => runtime.pause(how),
      async resume() {
        const next = await openAgain();
        if (next !== undefined) runtime = next;
      },
    },
  });
  const snapshots: Snapshots = createSnapshots({ url, log, pauses });
  const opened: RuntimeOptions = { ...options, snapshots };

  async function openAgain(): Promise<Runtime | undefined> {
    while (!isStopping) {
      try {
        return await openRuntime(opened, runtime);
      } catch (err) {
        log.warn({ err }, "the database is not back yet");
        await sleep(REOPEN_MS);
      }
    }
    return undefined;
  }

  try {
    await pauses.open(async () => {
      runtime = await openRuntime(opened);
    });
  } catch (error) {
    await pauses.stop();
    throw error;
  }
  return {
    runtime: () => runtime,
    async stop() {
      isStopping = true;
      await pauses.stop();
      await runtime.stop();
    },
  };
}
