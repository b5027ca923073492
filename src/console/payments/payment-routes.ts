/** One payment, and the refund of it. */

import type { Answer } from "../../infra/http/answer.ts";
import { readFields } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import type { Money } from "../../kit/money.ts";
import type { CheckoutContext } from "../../modules/checkout/session/context.ts";
import { refundLimitOf } from "../../modules/people/refund-limit.ts";
import { simulatePayment } from "../../modules/sandbox-controls/simulate-payment.ts";
import { paymentSimulationFields } from "../../modules/sandbox-controls/simulation-fields.ts";
import { readTimeline } from "../../modules/statements/read-timeline.ts";
import { disputesOf } from "../../modules/transactions/dispute.ts";
import { type PaidRow, readPaid, refundsOf } from "../../modules/transactions/refund.ts";
import { refundFields } from "../../modules/transactions/refund-routes.ts";
import { requestRefund } from "../../modules/transactions/request-refund.ts";
import { panel } from "../../parts/panel.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { demandSecondFactorForLiveMoney } from "../live-money.ts";
import { atRecord } from "../other-environment.ts";
import { consolePage } from "../page.ts";
import { orRefused, type RefusedForm, type SentForm } from "../refused.ts";
import { inWordsOfList, type Simulated } from "../simulate-panel.ts";
import { withoutGrouping } from "../typed-amount.ts";
import type { Visitor } from "../visitor.ts";
import { linkOf } from "./link-panel.ts";
import { PAYMENTS } from "./payment-filters.ts";
import { paymentPage } from "./payment-page.ts";
import { receiptView } from "./receipt-routes.ts";
import { refundableNow, refundForm } from "./refund-form.ts";
import { PAYMENT_OUTCOME_WORDS } from "./simulate-payment-panel.ts";

const params = { transaction_id: text({ max: 64 }) };
const PAYMENT = `${PAYMENTS}/{transaction_id}`;

interface Refundable {
  readonly paid: PaidRow;
  readonly most: Money | undefined;
  readonly isLimited: boolean;
}

/** Of either environment; another account's is 404, as is an unknown one. */
async function readRefundable(
  ctx: ConsoleContext,
  { caller: { accountNumber }, person, role }: Visitor,
  transactionId: string,
): Promise<Refundable> {
  await ctx.readTransaction({ transactionId, accountNumber, environment: undefined });
  const paid = await readPaid(ctx.db, transactionId);
  const member = { accountNumber, personId: person.personId, role };
  const limit = await refundLimitOf(ctx.db, member, paid.currency);
  return { paid, most: refundableNow(paid, limit), isLimited: limit !== undefined };
}

const show = consoleRoute({
  method: "GET",
  path: PAYMENT,
  summary: "One payment",
  right: "payments",
  params,
  run: (ctx: ConsoleContext, { params: { transaction_id: id } }, visitor) =>
    showPayment(ctx, visitor, id),
});

async function showPayment(
  ctx: ConsoleContext,
  visitor: Visitor,
  id: string,
  simulated?: Simulated,
): Promise<Answer> {
  const refundable = await readRefundable(ctx, visitor, id);
  const wanted = {
    transactionId: id,
    accountNumber: visitor.account.accountNumber,
    environment: undefined,
  };
  const timeline = await readTimeline(ctx.db, wanted);
  return paymentPage(visitor, {
    ...refundable,
    refunds: await refundsOf(ctx.db, id),
    disputes: await disputesOf(ctx.db, id),
    link: await linkOf(ctx, visitor, refundable.paid),
    receipt: visitor.mayDo("receipts") ? await receiptView(ctx, refundable.paid) : undefined,
    // Where webhooks go is shown to roles that see endpoints.
    timeline: timeline.filter(({ kind }) => kind !== "webhook" || visitor.mayDo("keys")),
    simulated,
  });
}

const simulate = consoleRoute({
  method: "POST",
  path: `${PAYMENT}/simulate`,
  summary: "Make something happen to a sandbox payment",
  right: "keys",
  params,
  run(ctx: ConsoleContext & CheckoutContext, call, visitor): Promise<Answer> {
    const { transaction_id: transactionId } = call.params;
    const sent = call.texts();
    return orRefused(
      async () => {
        const wanted = readFields(paymentSimulationFields, sent);
        return inWordsOfList(PAYMENT_OUTCOME_WORDS, wanted.outcome, () =>
          call.once(async (tx) => {
            const simulation = { transactionId, environment: undefined, ...wanted };
            await simulatePayment(ctx, tx, visitor.caller, simulation);
            return `${PAYMENTS}/${transactionId}?done=simulated`;
          }),
        );
      },
      (refused) => showPayment(ctx, visitor, transactionId, { sent, refused }),
    );
  },
});

const refundPath = `${PAYMENT}/refund`;

const askForRefund = consoleRoute({
  method: "GET",
  path: refundPath,
  summary: "The form of a refund",
  right: "refunds",
  params,
  async run(ctx: ConsoleContext, { params: { transaction_id: id } }, visitor): Promise<Answer> {
    const refundable = await readRefundable(ctx, visitor, id);
    await demandFactorFor(ctx, visitor, refundable);
    return refundPage(visitor, refundable);
  },
});

/** By the environment of the payment, not of the session. */
function demandFactorFor(ctx: ConsoleContext, visitor: Visitor, { paid }: Refundable) {
  return demandSecondFactorForLiveMoney(ctx, atRecord(visitor, paid));
}

function refundPage(
  visitor: Visitor,
  { paid, most, isLimited }: Refundable,
  again: { typed?: SentForm; refused?: RefusedForm } = {},
): Answer {
  const href = `${PAYMENTS}/${paid.transaction_id}`;
  if (most === undefined && again.refused === undefined) return redirect(href);
  const left = { minor: 0n, currency: paid.currency };
  const parts = { paid, most: most ?? left, isLimited, ...again };
  return consolePage(atRecord(visitor, paid), {
    title: "Refund",
    section: "Payments",
    back: { name: "Payment", href },
    problem: again.refused?.summary,
    content: panel({ content: refundForm(visitor, parts, "page") }),
  });
}

const refund = consoleRoute({
  method: "POST",
  path: refundPath,
  summary: "Refund a payment or part of it",
  right: "refunds",
  params,
  async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
    const { transaction_id: transactionId } = call.params;
    const typed = call.texts();
    await demandFactorFor(ctx, visitor, await readRefundable(ctx, visitor, transactionId));
    return orRefused(
      async () => {
        const sent = { ...typed, amount: withoutGrouping(typed.amount ?? "") };
        const { amount: amountMinor, reason } = readFields(refundFields, sent);
        const request = { transactionId, environment: undefined, amountMinor, reason };
        return call.once(async (tx) => {
          await requestRefund(ctx, tx, visitor.caller, request);
          return `${PAYMENTS}/${transactionId}?done=refund`;
        });
      },
      async (refused) => {
        const refundable = await readRefundable(ctx, visitor, transactionId);
        return refundPage(visitor, refundable, { typed, refused });
      },
    );
  },
});

export const paymentRoutes: readonly ConsoleRoute<ConsoleContext & CheckoutContext>[] = [
  show,
  simulate,
  askForRefund,
  refund,
];
