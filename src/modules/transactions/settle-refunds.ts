/**
 * Settles refunds by `gateway/settle-order.ts` (Decision 0029). A lost answer leaves the refund
 * `unknown`, and until its lease is over it cannot be rejected.
 */

import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Loop, together } from "../../infra/jobs/loop.ts";
import { money } from "../../kit/money.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { LEASE_SECONDS } from "../gateway/call-lease.ts";
import type { GatewayContext } from "../gateway/port.ts";
import { createSettler } from "../gateway/settle-order.ts";
import { IS_SANDBOX_ID } from "./environment-of-id.ts";
import { endRefund, findRefund, REFUND, SETTLE_REFUND } from "./refund.ts";

const settler = createSettler({
  job: SETTLE_REFUND,
  noun: "a refund",
  async find(db, reference) {
    const found = await findRefund(db, reference);
    if (found === undefined || found.ended_at !== null) return undefined;
    const { environment, transaction_id: transactionId, sale_reference: saleReference } = found;
    const amount = money(found.currency, found.amount_minor);
    return { environment, order: { reference, transactionId, saleReference, amount } };
  },
  async claim(tx, refundId, leasedUntil) {
    return submitRefund(tx, sql`refund_id = ${refundId} and next_try_at <= app_now()`, leasedUntil);
  },
  async wait(tx, refundId, tryCount, seconds) {
    const count = await tx.run(sql`
      update refunds
      set state = 'unknown', next_try_at = app_now() + make_interval(secs => ${seconds})
      where refund_id = ${refundId} and attempt_count = ${tryCount} and ended_at is null`);
    return count > 0;
  },
  async end(_ctx, tx, { reference: refund_id, transactionId: transaction_id }, answer) {
    return (await endRefund(tx, { refund_id, transaction_id }, answer)) !== undefined;
  },
  async endOf(db, refundId) {
    return (await findRefund(db, refundId))?.state;
  },
  async findDue({ db }, environments, countMax) {
    const due = await db.rows(sqlOf(pick(REFUND, "refund_id"))`
      select refund_id from refunds join transactions using (transaction_id)
      where next_try_at <= (select app_now()) and environment = any (${environments})
      order by next_try_at limit ${countMax}`);
    return due.map(({ refund_id }) => refund_id);
  },
});

/** Which try this is; undefined where no refund is meant. */
export async function submitRefund(
  tx: Tx,
  which: Sql,
  leasedUntil: Sql,
): Promise<number | undefined> {
  const submitted = await tx.maybeOne(sqlOf(pick(REFUND, "attempt_count"))`
    update refunds
    set state = case state when 'requested' then 'submitted' else state end,
      attempt_count = attempt_count + 1, leased_until = ${leasedUntil},
      next_try_at = ${leasedUntil}
    where ${which}
    returning attempt_count`);
  return submitted?.attempt_count;
}

export const {
  settle: settleRefund,
  claim: claimRefund,
  claimDue: claimDueRefunds,
  job: settleRefundJob,
} = settler;

/** Each environment has its own slots: tests in the sandbox never delay live money. */
export function createRefundSweep(ctx: GatewayContext): Loop {
  return together(ENVIRONMENTS.map((environment) => settler.createSweep(ctx, [environment])));
}

/** After an outage: what waits for the live gateway is due now, unless it is claimed. */
export async function settleLiveNow({ db }: Pick<GatewayContext, "db">): Promise<void> {
  await db.run(sql`
    update refunds set next_try_at = app_now()
    where state = 'unknown' and not ${IS_SANDBOX_ID}
      and next_try_at > app_now() + make_interval(secs => ${LEASE_SECONDS})`);
}
