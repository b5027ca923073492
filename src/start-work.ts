/**
 * What a process does by itself: numbering events, sweeping what is due, jobs, sending webhooks. It
 * is the same work in every process, and any of them may die in the middle of it.
 */

import { type AppContext, afterNumbering, appJobs, appWatches } from "./app.ts";
import { createNoteLoop } from "./infra/jobs/due-notes.ts";
import { together } from "./infra/jobs/loop.ts";
import { runJobs } from "./infra/jobs/run-jobs.ts";
import { createWatchLoop } from "./infra/jobs/watch.ts";
import type { StopList } from "./infra/process/stop.ts";
import { createCheckoutSweep } from "./modules/checkout/session/sweep.ts";
import { createSequencer } from "./modules/events/number-events.ts";
import { createMailLoop } from "./modules/mail/send-mail.ts";
import { notificationsDue } from "./modules/notifications/mail-notifications.ts";
import { receiptsDue } from "./modules/receipts/mail-receipts.ts";
import { createRefundSweep } from "./modules/transactions/settle-refunds.ts";
import { createReturnSweep } from "./modules/trusted-cards/return-check.ts";
import { createPayoutLoop } from "./modules/withdrawals/payouts/payout-loop.ts";

export async function startWork(ctx: AppContext, stops: StopList): Promise<void> {
  const sequencer = createSequencer(ctx, {
    afterNumbering: afterNumbering(ctx),
    whenTold: ctx.messenger.hurry,
  });
  sequencer.start();
  stops.add(() => sequencer.stop());
  const sweeps = together([
    createCheckoutSweep(ctx),
    createRefundSweep(ctx),
    createReturnSweep(ctx),
    createPayoutLoop(ctx),
    createMailLoop(ctx),
    createNoteLoop(ctx.db, receiptsDue(ctx)),
    createNoteLoop(ctx.db, notificationsDue(ctx)),
    createWatchLoop(ctx, appWatches),
  ]);
  sweeps.start();
  stops.add(() => sweeps.stop());
  const jobs = await runJobs(ctx, appJobs);
  ctx.messenger.start();
  stops.add(async () => {
    await Promise.all([jobs.stop(), ctx.messenger.stop()]);
  });
}
