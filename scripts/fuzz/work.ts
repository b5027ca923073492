/**
 * What the workers do beside the requests, done in steps: numbers, payouts, cards, refunds. Only
 * the messenger stays away, because what was made up leads to addresses that are somebody's.
 */

import assert from "node:assert/strict";
import { sql } from "../../src/infra/db/query.ts";
import { MINUTE_SECONDS } from "../../src/kit/clock.ts";
import { describeDifference } from "../../src/modules/ledger/difference.ts";
import { settleRefund } from "../../src/modules/transactions/settle-refunds.ts";
import { forgetCards } from "../../src/modules/trusted-cards/forget-cards.ts";
import { reconcileChecks } from "../../src/modules/trusted-cards/reconcile-checks.ts";
import { expectSessionsToAddUp } from "../../testkit/checkout-sessions.ts";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import { deliverReceipts } from "../../testkit/receipts.ts";
import type { TestService } from "../../testkit/service.ts";
import { returnChecks, sweepCheckouts, sweepPayouts } from "../../testkit/sweeps.ts";
import { expectAllToAddUp } from "../../testkit/withdrawals.ts";
import { answerBanks, endFaults, proveLive } from "./live-payments.ts";

const REFUNDS_AT_ONCE = 50;
const ROUNDS = 12;
const ROUND_MINUTES = 10;

/** A little time passes, and whatever is due is done. `acquirer`: live payments go there. */
export async function work(service: TestService, acquirer?: PowertranzFake): Promise<void> {
  const { ctx } = service;
  if (acquirer !== undefined) await answerBanks(service);
  await service.clock.advance({ seconds: 2 });
  await service.numberEvents();
  await sweepCheckouts(ctx);
  await sweepPayouts(ctx);
  const due = await ctx.db.rows<{ refund_id: string }>(sql`
    select refund_id from refunds where next_try_at <= app_now() limit ${REFUNDS_AT_ONCE}`);
  for (const { refund_id } of due) await settleRefund(ctx, refund_id);
  await forgetCards(ctx);
  await returnChecks(ctx);
  // To the mailbox of the development stage, from where links lead on.
  await deliverReceipts(service);
}

/** Everything that was begun is brought to its end, and then all of it must add up. */
export async function prove(service: TestService, acquirer?: PowertranzFake): Promise<void> {
  if (acquirer !== undefined) await endFaults(acquirer);
  for (let round = 0; round < ROUNDS; round++) {
    await service.clock.advance({ minutes: ROUND_MINUTES });
    await acquirer?.control.advance(ROUND_MINUTES * MINUTE_SECONDS);
    await work(service, acquirer);
  }
  await expectAllToAddUp(service);
  if (acquirer === undefined) await expectSessionsToAddUp(service);
  else await proveLive(service, acquirer);
  const { differences } = await reconcileChecks(service.ctx.db);
  assert.deepEqual(differences.map(describeDifference), []);
  assert.equal((await service.request("/readyz")).status, 200);
}
