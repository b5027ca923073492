/** One process at work: answers requests, runs jobs, or both; and stops without dropping either. */

import { afterNumbering, appJobs, createApp, createContext } from "./app.ts";
import { seedDemoWorld } from "./demo-world.ts";
import type { Config } from "./infra/config.ts";
import { demandSettings, openDatabase } from "./infra/db/database.ts";
import { together } from "./infra/jobs/loop.ts";
import { runJobs } from "./infra/jobs/run-jobs.ts";
import type { Log } from "./infra/log.ts";
import { oneAtATime } from "./infra/process/one-at-a-time.ts";
import { createStopList, type StopList } from "./infra/process/stop.ts";
import { SECOND_MS } from "./kit/clock.ts";
import { askLiveNow } from "./modules/checkout/session/ask-gateway.ts";
import { createCheckoutSweep } from "./modules/checkout/session/sweep.ts";
import { createSequencer } from "./modules/events/number-events.ts";
import { canSendMail } from "./modules/mail/queue-mail.ts";
import { createReceiptLoop } from "./modules/receipts/mail-receipts.ts";
import { createRefundSweep, settleLiveNow } from "./modules/transactions/settle-refunds.ts";
import { createReturnSweep, returnLiveNow } from "./modules/trusted-cards/return-check.ts";
import { createPayoutLoop } from "./modules/withdrawals/payouts/payout-loop.ts";

const NO_PROXY =
  "not behind a proxy: slow clients and floods are not held off, and clients of a proxy would " +
  "share one address. Put HAProxy in front (docs/operations/haproxy.cfg) and name its address in " +
  "TRUSTED_PROXIES";

const NO_MAIL =
  "SMTP_URL is not set: no mail is sent, so nobody can reset a forgotten password or be invited, " +
  "and there are no security notices and statements by mail";

export interface Service {
  /** Where it listens; undefined for a worker, which does not. */
  readonly address: string | undefined;
  stop(): Promise<void>;
}

interface Options {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: Log;
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
  const { connectionsMax } = config.database;
  const db = openDatabase({ url: options.databaseUrl, connectionsMax, log });
  stops.add(() => db.close());
  await demandSettings(db);
  const ctx = await createContext({ config, log, db });
  stops.add(() => ctx.keyUsage.stop());
  stops.add(() => ctx.v1Use.stop());
  stops.add(() => ctx.requestLog.stop());
  stops.add(() => ctx.images.stop());
  stops.add(async () => {
    await ctx.gateways.live?.stop();
  });
  ctx.gateways.live?.onUp(() => {
    const all = [askLiveNow(ctx), settleLiveNow(ctx), returnLiveNow(ctx)];
    Promise.all(all).catch((err) =>
      log.error({ err }, "orders that wait for the gateway could not be rescheduled"),
    );
  });
  if (config.demoWorld) await oneAtATime(db, "demo world", () => seedDemoWorld(ctx));
  if (!canSendMail(config)) log.warn(NO_MAIL);
  const { role } = config.processes;
  // Jobs before requests, because stopping goes backwards and a request may still add a job.
  if (role !== "web") {
    const sequencer = createSequencer(ctx, { afterNumbering });
    sequencer.start();
    stops.add(() => sequencer.stop());
    const sweeps = together([
      createCheckoutSweep(ctx),
      createRefundSweep(ctx),
      createReturnSweep(ctx),
      createPayoutLoop(ctx),
      createReceiptLoop(ctx),
    ]);
    sweeps.start();
    stops.add(() => sweeps.stop());
    const jobs = await runJobs(ctx, appJobs);
    ctx.messenger.start();
    stops.add(async () => {
      // Together: jobs wait for the messenger, which begins nothing more.
      await Promise.all([jobs.stop(), ctx.messenger.stop()]);
    });
  }
  if (role === "worker") return undefined;
  const server = createApp(ctx);
  const { drainSeconds, expectsProxy, trustedProxies } = config.http;
  stops.add(() => {
    server.drain();
    return server.close(drainSeconds * SECOND_MS);
  });
  // Before the server, which would wait for them.
  stops.add(() => ctx.liveStreams.stop());
  if (expectsProxy && trustedProxies.length === 0) log.warn(NO_PROXY);
  return server.listen(config.http);
}
