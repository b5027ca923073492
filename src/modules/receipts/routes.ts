/** Receipts: sent again by merchants, shown to their holders. */

import type { Infra } from "../../infra/context.ts";
import { protectedRoute, publicRoute, type Route } from "../../infra/http/route.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { email, text } from "../../kit/fields/text.ts";
import { EXAMPLE, saidWith, textSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { inHtml, TROUBLE_ANSWERS } from "../../parts/page-answers.ts";
import { environmentOfId } from "../transactions/transaction.ts";
import { receiptErrorPage, showReceipt } from "./receipt-page.ts";
import { TOKEN_LENGTH_MAX } from "./receipt-token.ts";
import {
  NoEmailKnown,
  NoMailSent,
  NoReceipt,
  NotToThisAddress,
  SENT_PER_HOUR_MAX,
  SENT_TO_ONE_PER_HOUR_MAX,
  sendReceipt,
} from "./send-receipt.ts";

const sentReceipt = Type.Object({
  email: textSchema("Where it goes.", "customer@example.com"),
  url: textSchema(
    "The receipt as a page. Only people who have this address can open it.",
    `https://pay.example.com/receipts/${EXAMPLE.transactionId}.4f1x`,
    { format: "uri" },
  ),
});

const receiptEmail = described(
  optional(withoutCardNumber(email())),
  "Absent: the customer's. Of a sandbox payment, where mail leaves the service: a member's.",
  "customer@example.com",
);

const sendReceiptRoute = protectedRoute({
  method: "POST",
  path: "/transactions/{transaction_id}/receipt",
  group: "Transactions",
  summary: "Send the receipt again",
  about:
    "Customers with an e-mail get a receipt when they have paid, and one for each refund. This " +
    `sends the payment's again, at most ${SENT_PER_HOUR_MAX} times an hour for each payment and ` +
    `${SENT_TO_ONE_PER_HOUR_MAX} times to one address.`,
  idempotent: true,
  access: {
    credentials: "either",
    changes: "environment",
    anyScope: scopes("transactions", "all"),
  },
  params: {
    transaction_id: described(text({ max: 64 }), "Of the payment.", EXAMPLE.transactionId),
  },
  body: { environment: environmentOfId, email: receiptEmail },
  answers: {
    202: { about: "The receipt is being sent", body: saidWith(sentReceipt, "Accepted") },
    400: {
      about: "The e-mail is invalid, or none is known",
      refusals: [new NoEmailKnown(), new NotToThisAddress()],
    },
    404: { about: "No such transaction of this account within the credential's reach" },
    409: {
      about:
        "The transaction was not paid, or this service sends no mail; or the same " +
        "Idempotency-Key is still running",
      refusals: [
        ...(["incomplete", "failed", "error"] as const).map((status) => new NoReceipt(status)),
        new NoMailSent(),
      ],
    },
    422: { about: "The Idempotency-Key was used with a different request" },
  },
  run(ctx: Infra, { params, body, once }, caller) {
    const request = { transactionId: params.transaction_id, ...body };
    return once(async (tx) => {
      const data = await sendReceipt(ctx, tx, caller, request);
      return { status: 202, body: { message: "Accepted", data } };
    });
  },
});

const showReceiptRoute = publicRoute({
  method: "GET",
  path: "/receipts/{token}",
  base: "payments",
  summary: "The receipt of a payment, for its holder",
  isHidden: true,
  params: { token: text({ max: TOKEN_LENGTH_MAX }) },
  answers: {
    ...TROUBLE_ANSWERS,
    200: inHtml("The receipt"),
    404: { about: "The address leads to no receipt", alsoAs: "text/html" },
  },
  errorPage: receiptErrorPage,
  run: (ctx: Infra, { params }) => showReceipt(ctx, params.token),
});

export const receiptRoutes: readonly Route<Infra>[] = [sendReceiptRoute, showReceiptRoute];
