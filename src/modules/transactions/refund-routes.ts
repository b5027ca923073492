/** Requesting a refund (Interface §4.5, Decision 0029). */

import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { amount } from "../../kit/fields/amount.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { checked, described, fieldRefused, optional } from "../../kit/fields/field.ts";
import { lines, text } from "../../kit/fields/text.ts";
import { money } from "../../kit/money.ts";
import { EXAMPLE, saidWith } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import type { GatewayContext } from "../gateway/port.ts";
import { InsufficientFunds } from "../ledger/posting.ts";
import { refundView, viewRefund } from "./refund.ts";
import { MoreThanIsLeft, NoLiveGateway, NotRefundable, requestRefund } from "./request-refund.ts";
import { environmentOfId } from "./transaction.ts";

const MESSAGE = "Refund request successfully created.";
export const REASON_LENGTH_MAX = 255;

const positiveAmount = checked(amount("a cent"), (minor, name) => {
  if (minor === 0n)
    throw fieldRefused(name, "must be greater than 0", { code: "field_out_of_range" });
});

/** What is asked for; a form of the console must name the amount. */
export const refundFields = {
  amount: described(
    positiveAmount,
    "In the transaction's currency. Absent: all that is left of what the customer paid.",
    "25.00",
  ),
  reason: described(
    optional(withoutCardNumber(lines(REASON_LENGTH_MAX))),
    "For the merchant's own books.",
    "Returned in its box.",
  ),
};

const refundRoute = protectedRoute({
  method: "POST",
  path: "/transactions/{transaction_id}/refund",
  group: "Transactions",
  summary: "Ask for a refund",
  about:
    "Gives back to the customer what was paid, or part of it; the fee is not given back to the " +
    "merchant. The merchant's funds are held at once; the transaction's `status_desc` and " +
    "`refunded_total` tell how it ends.",
  idempotent: true,
  access: {
    credentials: "either",
    changes: "environment",
    anyScope: scopes("transactions", "refund-request"),
  },
  params: {
    transaction_id: described(text({ max: 64 }), "Of the payment.", EXAMPLE.transactionId),
  },
  body: {
    environment: environmentOfId,
    amount: optional(refundFields.amount),
    reason: refundFields.reason,
  },
  answers: {
    201: {
      about: "The refund has been asked for, and the funds are held",
      body: saidWith(Type.Object({ refund: refundView }), MESSAGE),
    },
    404: { about: "No such transaction of this account within the credential's reach" },
    409: {
      about:
        "The transaction was not paid, is disputed, or is live where no live gateway is " +
        "configured; or the same Idempotency-Key is still running",
      refusals: [
        ...(["incomplete", "failed", "error"] as const).map(
          (status) => new NotRefundable({ status, status_desc: "Normal" }),
        ),
        ...(["Chargeback Pending", "Chargeback Processed", "Fraud Confirmed"] as const).map(
          (status_desc) => new NotRefundable({ status: "success", status_desc }),
        ),
        new NoLiveGateway(),
      ],
    },
    422: {
      about:
        "Nothing or not that much is left to refund, the merchant's funds are short, or the " +
        "Idempotency-Key was used with a different request",
      refusals: [
        new MoreThanIsLeft(money("TTD", 0n)),
        new MoreThanIsLeft(money("TTD", 80_20n)),
        new InsufficientFunds(),
      ],
    },
  },
  async run(ctx: GatewayContext, { params, body, once }, caller) {
    const request = {
      transactionId: params.transaction_id,
      environment: body.environment,
      amountMinor: body.amount,
      reason: body.reason,
    };
    return once(async (tx) => {
      const refund = viewRefund(await requestRefund(ctx, tx, caller, request));
      return { status: 201, body: { message: MESSAGE, data: { refund } } };
    });
  },
});

export const refundRoutes: readonly Route<GatewayContext>[] = [refundRoute];
