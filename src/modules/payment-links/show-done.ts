/**
 * Where a link's customers come back to when there is no `success_url`, or when nothing was paid.
 * It believes nothing but the signature of the result; without it the link itself is shown.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { money } from "../../kit/money.ts";
import { sameBytes } from "../../kit/secrets.ts";
import { seeOther } from "../../parts/page.ts";
import { moneyIn } from "../../words/locale.ts";
import type { OpenerContext } from "../checkout/request/checkout-opener.ts";
import type { Parameter } from "../checkout/result/merge-into-url.ts";
import { paymentKeysOf } from "../checkout/result/payment-keys.ts";
import { formSignature } from "../checkout/result/result-parameters.ts";
import { receiptUrl } from "../receipts/receipt-token.ts";
import { pathOf } from "./link-document.ts";
import { findOffer, type Offer, offerState } from "./offer.ts";
import { renderClosed, renderDone } from "./render-outcome.ts";
import { htmlAnswer, type LinkVisit, notFound, pageOf } from "./show-link.ts";

const SIGNATURE = /^[0-9a-f]{64}$/;
const UNSIGNED = ["signature", "hash", "frame"];

const PAYMENT = pick(
  tables.transactions,
  "transaction_id",
  "status",
  "currency",
  "customer_total_minor",
);

export async function showDone(
  ctx: OpenerContext,
  visit: LinkVisit & { readonly url: string },
): Promise<Answer> {
  const offer = await findOffer(ctx.db, visit.slug);
  if (offer === undefined) return notFound(ctx, visit);
  const page = pageOf(visit, offer);
  const parameters = [...new URL(visit.url).searchParams];
  const isTrue = await isSigned(ctx, offer, parameters);
  const payment = isTrue ? await findPayment(ctx.db, offer, parameters) : undefined;
  if (payment === undefined) return seeOther(pathOf(offer, page.isFramed));
  const outcome = outcomeOf(payment);
  const state = offerState(ctx, offer);
  // Trying again would not help: the page says why, in place of an invitation.
  if (outcome === "notPaid" && state !== "open")
    return htmlAnswer(ctx, page, 200, (made) => renderClosed(made, offer, state));
  const total = money(payment.currency, payment.customer_total_minor);
  return htmlAnswer(ctx, page, 200, (made) =>
    renderDone(made, offer, {
      outcome,
      isOpen: state === "open",
      total: moneyIn(page.language, total),
      reference: payment.transaction_id,
      receiptUrl: receiptUrl(ctx.config, payment.transaction_id),
    }),
  );
}

async function isSigned(
  { db, config }: OpenerContext,
  { account_number: accountNumber, environment }: Offer,
  parameters: readonly Parameter[],
): Promise<boolean> {
  const [, given = ""] = parameters.find(([name]) => name === "signature") ?? [];
  if (!SIGNATURE.test(given)) return false;
  const { signingSecret } = await paymentKeysOf(db, config, { accountNumber, environment });
  const signed = parameters.filter(([name]) => !UNSIGNED.includes(name));
  return sameBytes(formSignature(signed, signingSecret), Buffer.from(given, "hex"));
}

function findPayment(db: Queryable, { link_id }: Offer, parameters: readonly Parameter[]) {
  const [, id] = parameters.find(([name]) => name === "transaction_id") ?? [];
  return db.maybeOne(sqlOf(PAYMENT)`
    select transaction_id, status, currency, customer_total_minor from transactions
    where transaction_id = ${id} and payment_link = ${link_id} and status <> 'incomplete'`);
}

function outcomeOf({ status }: Row<typeof PAYMENT>) {
  if (status === "success") return "paid";
  return status === "error" ? "notKnown" : "notPaid";
}
