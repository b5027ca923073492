/** The pages of single records: each is a command of the terminal, with actions. */

import { redirect } from "../console/answers.ts";
import { paymentTimeline } from "../console/payments/payment-timeline.ts";
import { paymentBadge } from "../console/payments/payment-words.ts";
import type { Answer } from "../infra/http/answer.ts";
import { NoSuchRecord, NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { html } from "../kit/html.ts";
import { TRANSACTION_ID } from "../kit/ids.ts";
import { isZero } from "../kit/money.ts";
import { showAccount } from "../modules/operator/accounts/show-account.ts";
import { findPayment } from "../modules/operator/payments/payment.ts";
import { showPayment } from "../modules/operator/payments/show-payment.ts";
import { showWebhook } from "../modules/operator/webhooks/show-webhook.ts";
import { showWithdrawal } from "../modules/operator/withdrawals/show-withdrawal.ts";
import { readTimeline } from "../modules/statements/read-timeline.ts";
import { mayConfirmFraud, mayOpenChargeback } from "../modules/transactions/dispute-rules.ts";
import { isRefundable, leftOf, type PaidRow, readPaid } from "../modules/transactions/refund.ts";
import { badge } from "../parts/badge.ts";
import { buttonRow } from "../parts/form.ts";
import { panel } from "../parts/panel.ts";
import { actionLinks } from "./actions/action-links.ts";
import { readReport } from "./actions/run-command.ts";
import { blocksOf } from "./blocks.ts";
import { type OperatorRoute, operatorRoute } from "./operator-route.ts";
import { operatorPage } from "./page.ts";
import { inPageWords } from "./page-words.ts";
import { waitingAbout } from "./waiting-notice.ts";

const ID_LENGTH_MAX = 320;
const id = text({ max: ID_LENGTH_MAX });
/** Operators of several countries look at records of several: all times are UTC. */
const TIME_ZONE = "UTC";

const account = operatorRoute({
  method: "GET",
  path: "/operator/accounts/{account}",
  summary: "An account",
  right: "look",
  params: { account: id },
  async run(ctx, { params }, visitor): Promise<Answer> {
    const report = await readReport(ctx, visitor, showAccount, { account: params.account });
    const { account_number, status, verified_at, account_type } = report.data;
    const number = String(account_number);
    const names = [
      ...(verified_at === null ? ["verify-account"] : []),
      status === "frozen" ? "unfreeze-account" : "freeze-account",
      ...(account_type === "BUSINESS" ? ["main-merchant", "set-limits", "set-fees"] : []),
      "reset-password",
      "end-sessions",
    ];
    const rare = ["end-credentials", "export-customer-data", "erase-customer-data"];
    const about = { account: number, account_number: number };
    const rareLinks = actionLinks(visitor, rare, about);
    return operatorPage(visitor, {
      title: `Account ${number}`,
      section: "Accounts",
      back: { name: "Accounts", href: "/operator/accounts" },
      content: [
        status !== "closed" && buttonRow(actionLinks(visitor, names, about)),
        blocksOf(report),
        rareLinks.length > 0 &&
          html`<details class="more"><summary>More actions</summary>
${buttonRow(rareLinks)}</details>`,
        visitor.may("audit") &&
          html`<p><a href="/operator/audit?account=${number}">Audit log of this account</a></p>`,
      ],
    });
  },
});

/** By the rules that the actions themselves go by. */
function paymentActions(
  paid: PaidRow,
  { refunds, disputes }: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (paid.status === "incomplete") return ["void-payment"];
  const isDisputed = (disputes as { state: string }[]).some(({ state }) => state === "open");
  const isRefunding = (refunds as { ended_at: unknown }[]).some(
    ({ ended_at }) => ended_at === null,
  );
  return [
    ...(isDisputed ? ["settle-chargeback"] : []),
    ...(isRefundable(paid) && !isZero(leftOf(paid)) ? ["refund-payment"] : []),
    ...(mayOpenChargeback(paid) ? ["open-chargeback"] : []),
    ...(isRefunding ? ["reject-refund"] : []),
    ...(mayConfirmFraud(paid) ? ["confirm-fraud"] : []),
  ];
}

const payment = operatorRoute({
  method: "GET",
  path: "/operator/payments/{transaction_id}",
  summary: "A payment",
  right: "look",
  params: { transaction_id: id },
  async run(ctx, { params: { transaction_id: transactionId } }, visitor): Promise<Answer> {
    if (!TRANSACTION_ID.test(transactionId)) throw new NotFound("no transaction id");
    const report = await readReport(ctx, visitor, showPayment, { transaction_id: transactionId });
    const paid = await readPaid(ctx.db, transactionId);
    const { account_number: accountNumber } = paid;
    const items = await readTimeline(ctx.db, {
      accountNumber,
      transactionId,
      environment: undefined,
    });
    const open = (report.data.refunds as { refund_id: string; ended_at: unknown }[]).find(
      ({ ended_at }) => ended_at === null,
    );
    const [facts, ...tables] = blocksOf(report);
    const waiting = await waitingAbout(ctx, transactionId);
    const about = { transaction_id: transactionId, ...(open && { refund_id: open.refund_id }) };
    return operatorPage(visitor, {
      title: `Payment ${String(report.data.order_id)}`,
      beside: [paid.environment === "sandbox" && badge("plain", "Sandbox"), paymentBadge(paid)],
      section: "Home",
      back: { name: "Home", href: "/operator" },
      content: [
        waiting.told,
        buttonRow(actionLinks(visitor, waiting.without(paymentActions(paid, report.data)), about)),
        facts,
        panel({ heading: "What happened (UTC)", content: paymentTimeline(items, TIME_ZONE) }),
        tables,
      ],
    });
  },
});

const WITHDRAWAL_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  pending: ["hold-withdrawal"],
  processing: ["hold-withdrawal", "fail-withdrawal"],
  held: ["release-withdrawal", "fail-withdrawal"],
  completed: ["return-withdrawal"],
};

const withdrawal = operatorRoute({
  method: "GET",
  path: "/operator/withdrawals/{transaction_id}",
  summary: "A withdrawal",
  right: "look",
  params: { transaction_id: id },
  async run(ctx, { params: { transaction_id: transactionId } }, visitor): Promise<Answer> {
    if (!TRANSACTION_ID.test(transactionId)) throw new NotFound("no transaction id");
    const about = { transaction_id: transactionId };
    const report = await readReport(ctx, visitor, showWithdrawal, about);
    const waiting = await waitingAbout(ctx, transactionId);
    const names = waiting.without(WITHDRAWAL_ACTIONS[String(report.data.status)] ?? []);
    return operatorPage(visitor, {
      title: inPageWords(`Withdrawal of ${report.data.amount} ${report.data.currency}`),
      section: "Withdrawals",
      back: { name: "Withdrawals", href: "/operator/withdrawals" },
      content: [waiting.told, buttonRow(actionLinks(visitor, names, about)), blocksOf(report)],
    });
  },
});

/** A name in a list may be that of either. */
const record = operatorRoute({
  method: "GET",
  path: "/operator/records/{transaction_id}",
  summary: "The payment or the withdrawal of this id",
  right: "look",
  params: { transaction_id: id },
  async run(ctx, { params: { transaction_id: transactionId } }): Promise<Answer> {
    const found = await findPayment(ctx.db, transactionId).catch((error: unknown) => {
      if (!(error instanceof NoSuchRecord)) throw error;
    });
    const section = found === undefined ? "withdrawals" : "payments";
    return redirect(`/operator/${section}/${encodeURIComponent(transactionId)}`);
  },
});

const webhook = operatorRoute({
  method: "GET",
  path: "/operator/webhooks/{webhook_id}",
  summary: "A webhook endpoint",
  right: "look",
  params: { webhook_id: id },
  async run(ctx, { params: { webhook_id } }, visitor): Promise<Answer> {
    const report = await readReport(ctx, visitor, showWebhook, { webhook_id });
    const isRevivable = report.data.state !== "active";
    return operatorPage(visitor, {
      title: "Webhook",
      section: "Webhooks",
      back: { name: "Webhooks", href: "/operator/webhooks" },
      content: [
        isRevivable && buttonRow(actionLinks(visitor, ["revive-webhook"], { webhook_id })),
        blocksOf(report),
      ],
    });
  },
});

export const recordRoutes: readonly OperatorRoute[] = [
  account,
  payment,
  withdrawal,
  record,
  webhook,
];
