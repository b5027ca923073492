/** Money that goes back and money that leaves: refunds, withdrawals of three kinds, and cancels. */

import { NORMAL, SUB_BANKED, SUB_UNBANKED } from "../../../testkit/withdrawals.ts";
import { type Client, expectStatus, write } from "./client.ts";
import type { WireRequest } from "./wire.ts";

/** Cents that make acquirer and bank lose answers and orders, wait, or reject. */
const CENTS = ["00", "10", "94", "95", "96", "97", "98"];
const WITHDRAWAL_CENTS = [...CENTS.slice(0, 2), "50", "75", "92", "94", "96", "97", "98"];
const KINDS = { normal: NORMAL, sub_banked: SUB_BANKED, sub_unbanked: SUB_UNBANKED };
const TYPES = ["normal", "normal", "sub_banked", "sub_unbanked"] as const;

export async function askForRefund(client: Client): Promise<boolean> {
  const { chance, diary } = client;
  const payment = client.paid.find(({ left }) => left >= 10);
  if (payment === undefined) return false;
  const whole = chance.between(1, 10);
  payment.left -= whole + 1;
  const reason = client.word();
  const amount = `${whole}.${chance.percent(60) ? "00" : chance.pick(CENTS)}`;
  const asked: WireRequest = {
    method: "POST",
    path: `/transactions/${payment.id}/refund`,
    json: { amount, reason },
    idempotencyKey: reason,
    ...client.credential(payment.environment),
  };
  const outcome = await write(client, "refund asked for", asked);
  expectStatus(client, asked, outcome, [201, 409, 422]);
  if (outcome.answer?.status === 201) {
    const { refund } = outcome.answer.body.data;
    diary.refunds.set(reason, { transactionId: payment.id, refundId: refund.refund_id, amount });
  }
  if (payment.left < 10) client.paid.splice(client.paid.indexOf(payment), 1);
  return true;
}

export async function withdraw(client: Client): Promise<void> {
  const { chance } = client;
  const cents = chance.percent(70) ? "00" : chance.pick(WITHDRAWAL_CENTS);
  const id = await askForWithdrawal(client, { cents });
  if (id !== undefined && chance.percent(20)) await cancel(client, id);
}

export async function askForWithdrawal(
  client: Client,
  { cents, dollars }: { cents: string; dollars?: string },
): Promise<string | undefined> {
  const { chance, diary, me } = client;
  const data = client.word();
  const type = me.countryCode === "TT" ? chance.pick(TYPES) : "normal";
  const asked: WireRequest = {
    method: "POST",
    path: "/withdrawals/",
    json: {
      ...KINDS[type],
      currency: me.currency,
      amount: `${dollars ?? chance.between(500, 900)}.${cents}`,
      data,
    },
    token: me.token,
    idempotencyKey: data,
  };
  const outcome = await write(client, "withdrawal asked for", asked);
  expectStatus(client, asked, outcome, [201]);
  if (outcome.answer?.status !== 201) return undefined;
  const id: string = outcome.answer.body.data.transaction_id;
  diary.addWithdrawal(id, { accountNumber: me.accountNumber, data });
  return id;
}

async function cancel(client: Client, id: string): Promise<void> {
  const asked: WireRequest = {
    method: "DELETE",
    path: `/withdrawals/${id}`,
    token: client.me.token,
  };
  const outcome = await write(client, "withdrawal cancelled", asked);
  expectStatus(client, asked, outcome, [200, 409]);
  const told = client.diary.withdrawals.get(id);
  if (outcome.answer?.status === 200 && told !== undefined) told.isCancelled = true;
}
