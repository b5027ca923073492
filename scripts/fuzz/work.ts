/**
 * What the workers do beside the requests, done in steps: numbers, payouts, cards, refunds. Only
 * the messenger stays away, because what was made up leads to addresses that are somebody's.
 */

import assert from "node:assert/strict";
import { sql } from "../../src/infra/db/query.ts";
import { sweepCheckouts } from "../../src/modules/checkout/session/sweep.ts";
import { describeDifference } from "../../src/modules/ledger/difference.ts";
import { settleRefund } from "../../src/modules/transactions/settle-refunds.ts";
import { forgetCards } from "../../src/modules/trusted-cards/forget-cards.ts";
import { reconcileChecks } from "../../src/modules/trusted-cards/reconcile-checks.ts";
import { returnChecks } from "../../src/modules/trusted-cards/return-check.ts";
import { sweepPayouts } from "../../src/modules/withdrawals/payouts/payout-loop.ts";
import { expectSessionsToAddUp } from "../../testkit/checkout-sessions.ts";
import { deliverReceipts } from "../../testkit/receipts.ts";
import type { TestService } from "../../testkit/service.ts";
import { expectAllToAddUp } from "../../testkit/withdrawals.ts";

const REFUNDS_AT_ONCE = 50;
const ROUNDS = 12;

/** A little time passes, and whatever is due is done. */
export async function work(service: TestService): Promise<void> {
  const { ctx } = service;
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
export async function prove(service: TestService): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await service.clock.advance({ minutes: 10 });
    await work(service);
  }
  await expectAllToAddUp(service);
  await expectSessionsToAddUp(service);
  const { differences } = await reconcileChecks(service.ctx.db);
  assert.deepEqual(differences.map(describeDifference), []);
  assert.equal((await service.request("/readyz")).status, 200);
}
