/** The receipt of a payment, sent again from its page. */

import type { Answer } from "../../infra/http/answer.ts";
import { readFields } from "../../kit/fields/field.ts";
import { email, text } from "../../kit/fields/text.ts";
import { isBouncing } from "../../modules/mail/bounces.ts";
import { receiptUrl } from "../../modules/receipts/receipt-token.ts";
import { sendReceipt } from "../../modules/receipts/send-receipt.ts";
import { type PaidRow, readPaid } from "../../modules/transactions/refund.ts";
import { panel } from "../../parts/panel.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { consolePage } from "../page.ts";
import { orRefused, type RefusedForm, type SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { PAYMENTS } from "./payment-filters.ts";
import { type ReceiptView, receiptForm } from "./receipt-form.ts";

const params = { transaction_id: text({ max: 64 }) };
const PATH = `${PAYMENTS}/{transaction_id}/receipt`;

/** Undefined: it was not paid. */
export async function receiptView(
  { config, db }: ConsoleContext,
  paid: PaidRow,
): Promise<ReceiptView | undefined> {
  if (paid.status !== "success") return undefined;
  const { email: address } = paid.customer;
  const isMarked = address !== undefined && (await isBouncing(db, address));
  return { url: receiptUrl(config, paid.transaction_id), isBouncing: isMarked };
}

/** Another account's is 404, as is an unknown one. */
async function readOwn(
  ctx: ConsoleContext,
  { account: { accountNumber } }: Visitor,
  transactionId: string,
): Promise<PaidRow> {
  await ctx.readTransaction({ transactionId, accountNumber, environment: undefined });
  return readPaid(ctx.db, transactionId);
}

async function receiptPage(
  ctx: ConsoleContext,
  visitor: Visitor,
  transactionId: string,
  again: { typed?: SentForm; refused?: RefusedForm } = {},
): Promise<Answer> {
  const paid = await readOwn(ctx, visitor, transactionId);
  const href = `${PAYMENTS}/${transactionId}`;
  const receipt = await receiptView(ctx, paid);
  if (receipt === undefined) return redirect(href);
  return consolePage(
    { ...visitor, environment: paid.environment },
    {
      title: "Send receipt",
      section: "Payments",
      back: { name: "Payment", href },
      problem: again.refused?.summary,
      content: panel({ content: receiptForm(visitor, { ...receipt, paid, ...again }) }),
    },
  );
}

const askForEmail = consoleRoute({
  method: "GET",
  path: PATH,
  summary: "The form that sends a receipt",
  right: "receipts",
  params,
  run: (ctx: ConsoleContext, call, visitor): Promise<Answer> =>
    receiptPage(ctx, visitor, call.params.transaction_id),
});

const send = consoleRoute({
  method: "POST",
  path: PATH,
  summary: "Send the receipt of a payment",
  right: "receipts",
  params,
  async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
    const { transaction_id: transactionId } = call.params;
    const typed = call.texts();
    return orRefused(
      async () => {
        const to = readFields({ email: email() }, typed).email;
        const request = { transactionId, environment: undefined, email: to };
        return call.once(async (tx) => {
          await sendReceipt(ctx, tx, visitor.caller, request);
          return `${PAYMENTS}/${transactionId}?done=receipt`;
        });
      },
      (refused) => receiptPage(ctx, visitor, transactionId, { typed, refused }),
      { email: "E-mail" },
    );
  },
});

export const receiptRoutes: readonly ConsoleRoute<ConsoleContext>[] = [askForEmail, send];
