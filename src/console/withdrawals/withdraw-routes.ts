/** Asking for a withdrawal: to the account's own bank, or by a main merchant to somebody else. */

import type { Answer } from "../../infra/http/answer.ts";
import { NotFound, ServiceError } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { InsufficientFunds } from "../../modules/ledger/posting.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import {
  auditedWhenTooMany,
  createWithdrawal,
} from "../../modules/withdrawals/create-withdrawal.ts";
import type { WithdrawalType } from "../../modules/withdrawals/withdrawal.ts";
import { withdrawalFields } from "../../modules/withdrawals/withdrawal-fields.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { demandSecondFactorForLiveMoney } from "../live-money.ts";
import type { OncePerForm } from "../one-time-form.ts";
import { orRefused, type SentForm } from "../refused.ts";
import { withoutGrouping } from "../typed-amount.ts";
import type { Visitor } from "../visitor.ts";
import { PAY, WITHDRAW, WITHDRAWALS } from "./paths.ts";
import { type PayForm, payPage } from "./pay-page.ts";
import { readBalances } from "./read-balances.ts";
import { readBanks } from "./read-banks.ts";
import { type WithdrawForm, withdrawPage } from "./withdraw-page.ts";

const guarded = { right: "withdrawals", needsProof: true } as const;

interface Posted extends Pick<OncePerForm, "once"> {
  texts(): SentForm;
}

/** The environment is that of the page, whatever the form says. */
async function create(
  ctx: ConsoleContext,
  { once, texts }: Posted,
  { caller, environment }: Visitor,
  type: WithdrawalType,
): Promise<Answer> {
  const shape = withdrawalFields(platformOf(caller.countryCode));
  const sent = texts();
  const amount = withoutGrouping(sent.amount ?? "");
  const request = readFields(shape, { ...sent, amount, withdrawal_type: type, environment });
  const creating = once(async (tx) => {
    const { transaction_id } = await createWithdrawal(ctx, tx, caller, request);
    return `${WITHDRAWALS}/${transaction_id}?done=withdrawal`;
  });
  return auditedWhenTooMany(ctx, caller, creating).catch((error: unknown) => {
    throw error instanceof InsufficientFunds ? new AmountTooHigh(error) : error;
  });
}

/** Shown at the field that has to change. */
class AmountTooHigh extends ServiceError {
  constructor(cause: InsufficientFunds) {
    const message = "Insufficient funds for the amount and its fee.";
    super(cause.code, { message, field: "amount", cause });
  }
}

async function showWithdraw(
  ctx: ConsoleContext,
  visitor: Visitor,
  more: Pick<WithdrawForm, "sent" | "refused"> = {},
): Promise<Answer> {
  await demandSecondFactorForLiveMoney(ctx, visitor);
  const [balances, banks] = await Promise.all([
    readBalances(ctx.db, visitor),
    readBanks(ctx.db, visitor),
  ]);
  return withdrawPage(visitor, { balances, banks, ...more });
}

const askWithdraw = consoleRoute({
  ...guarded,
  method: "GET",
  path: WITHDRAW,
  summary: "The form of a withdrawal",
  run: (ctx: ConsoleContext, _call, visitor) => showWithdraw(ctx, visitor),
});

const withdraw = consoleRoute({
  ...guarded,
  method: "POST",
  path: WITHDRAW,
  summary: "Withdraw",
  async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
    await demandSecondFactorForLiveMoney(ctx, visitor);
    return orRefused(
      () => create(ctx, call, visitor, "normal"),
      (refused) => showWithdraw(ctx, visitor, { sent: call.texts(), refused }),
    );
  },
});

async function showPay(
  ctx: ConsoleContext,
  visitor: Visitor,
  form: Omit<PayForm, "balances">,
): Promise<Answer> {
  const balances = await readBalances(ctx.db, visitor);
  return payPage(visitor, { balances, ...form });
}

/** For everybody else there is no such page. */
export async function demandMayPay(ctx: ConsoleContext, visitor: Visitor): Promise<void> {
  if (!visitor.account.isMainMerchant) throw new NotFound("not a main merchant");
  await demandSecondFactorForLiveMoney(ctx, visitor);
}

const askPay = consoleRoute({
  ...guarded,
  method: "GET",
  path: PAY,
  summary: "The form of a payment to somebody",
  async run(ctx: ConsoleContext, { url }, visitor): Promise<Answer> {
    await demandMayPay(ctx, visitor);
    const isPerson = new URL(url).searchParams.get("to") === "person";
    return showPay(ctx, visitor, { type: isPerson ? "sub_unbanked" : "sub_banked" });
  },
});

const pay = consoleRoute({
  ...guarded,
  method: "POST",
  path: PAY,
  summary: "Pay somebody",
  async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
    await demandMayPay(ctx, visitor);
    const sent = call.texts();
    const type = sent.withdrawal_type === "sub_unbanked" ? "sub_unbanked" : "sub_banked";
    return orRefused(
      () => create(ctx, call, visitor, type),
      (refused) => showPay(ctx, visitor, { type, sent, refused }),
    );
  },
});

export const withdrawRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  askWithdraw,
  withdraw,
  askPay,
  pay,
];
