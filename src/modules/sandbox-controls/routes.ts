/** What a developer can make happen to objects of the sandbox (Decision 0102). */

import { ok } from "../../infra/http/answer.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { FieldsConflict } from "../../kit/errors.ts";
import { described } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { EXAMPLE, saidWith } from "../../kit/response-schema.ts";
import type { Scope } from "../../kit/scopes.ts";
import type { CheckoutContext } from "../checkout/session/context.ts";
import { environmentOfId, transactionView, viewTransaction } from "../transactions/transaction.ts";
import { endpointView, viewEndpoint } from "../webhooks/endpoint.ts";
import { environmentField, idField, wantedOf } from "../webhooks/endpoint-fields.ts";
import { viewWithdrawal, withdrawalView } from "../withdrawals/withdrawal.ts";
import { outcomeRefused } from "./payment-outcomes.ts";
import { simulatePayment } from "./simulate-payment.ts";
import { receiverRefused, simulateReceiver } from "./simulate-receiver.ts";
import { simulateWithdrawal, withdrawalRefused } from "./simulate-withdrawal.ts";
import {
  CODE_CONFLICT,
  paymentSimulationFields,
  REASON_CONFLICT,
  receiverSimulationFields,
  withdrawalSimulationFields,
} from "./simulation-fields.ts";
import { DecidedOtherwise } from "./simulation-refused.ts";

const group = "Sandbox";

const access = (scope: Scope) =>
  ({ credentials: "either", changes: "environment", anyScope: [scope] }) as const;

const RUNNING = "or the same Idempotency-Key is still running";

const simulatePaymentRoute = protectedRoute({
  method: "POST",
  path: "/sandbox/transactions/{transaction_id}/simulate",
  group,
  summary: "Make something happen to a sandbox payment",
  about:
    "By the same code as the real thing: events, ledger, webhooks, receipts and the redirect " +
    "follow. `approve`, `decline` and `expire` end an open payment, whatever its page shows. " +
    "`refund_accepted` and `refund_rejected` end its oldest refund that is under way; the others " +
    "are what the card's bank does to a paid one.",
  access: access("svc-transactions-all"),
  idempotent: true,
  params: {
    transaction_id: described(text({ max: 64 }), "Of the payment.", EXAMPLE.transactionId),
  },
  body: { environment: environmentOfId, ...paymentSimulationFields },
  answers: {
    200: { about: "The payment as it is now", body: saidWith(transactionView) },
    400: { about: "A field is malformed", refusals: [new FieldsConflict(CODE_CONFLICT, "code")] },
    404: { about: "No such sandbox payment of this account" },
    409: {
      about: `The payment's state does not allow it, ${RUNNING}`,
      refusals: [
        outcomeRefused("approve", "success, Normal"),
        outcomeRefused("chargeback_processed", "success, Normal"),
        new DecidedOtherwise("decline", "approved it (00)"),
      ],
    },
  },
  async run(ctx: CheckoutContext, { params, body, once }, caller) {
    const simulation = { transactionId: params.transaction_id, ...body };
    return once(async (tx) => {
      return ok({ data: viewTransaction(await simulatePayment(ctx, tx, caller, simulation)) });
    });
  },
});

const simulateWithdrawalRoute = protectedRoute({
  method: "POST",
  path: "/sandbox/withdrawals/{transaction_id}/simulate",
  group,
  summary: "Make something happen to a sandbox withdrawal",
  about:
    "By the same code as the real thing. After `process` the sandbox's bank waits ten minutes " +
    "for the next simulation before it goes on by itself; `return` sends a completed one back.",
  access: access("svc-withdrawals-all"),
  idempotent: true,
  params: {
    transaction_id: described(text({ max: 64 }), "Of the withdrawal.", EXAMPLE.transactionId),
  },
  body: { environment: environmentOfId, ...withdrawalSimulationFields },
  answers: {
    200: { about: "The withdrawal as it is now", body: saidWith(withdrawalView) },
    400: {
      about: "A field is malformed",
      refusals: [new FieldsConflict(REASON_CONFLICT, "reason")],
    },
    404: { about: "No such sandbox withdrawal of this account" },
    409: {
      about: `The withdrawal's status does not allow it, ${RUNNING}`,
      refusals: [
        withdrawalRefused("return", "pending"),
        withdrawalRefused("fail", "completed"),
        new DecidedOtherwise("fail", "paid it"),
      ],
    },
  },
  async run(_ctx: CheckoutContext, { params, body, once }, caller) {
    const simulation = { transactionId: params.transaction_id, ...body };
    return once(async (tx) => {
      return ok({ data: viewWithdrawal(await simulateWithdrawal(tx, caller, simulation)) });
    });
  },
});

const simulateReceiverRoute = protectedRoute({
  method: "POST",
  path: "/sandbox/webhooks/{id}/simulate",
  group,
  summary: "Simulate the receiver of a sandbox endpoint",
  about:
    "For so many seconds, deliveries of this endpoint are not sent: `ok` counts as 200, `error` " +
    "as 500, `gone` as 410, `timeout` as no answer. Attempts, retries and disabling are as ever. " +
    "A later call replaces it; 0 seconds end it.",
  access: access("svc-user-all"),
  idempotent: true,
  params: { id: idField },
  query: { environment: environmentField },
  body: receiverSimulationFields,
  answers: {
    200: { about: "The endpoint as it is now", body: saidWith(endpointView) },
    404: { about: "No such sandbox endpoint of this account" },
    409: {
      about: `The endpoint is disabled, ${RUNNING}`,
      refusals: [receiverRefused("disabled")],
    },
  },
  async run(_ctx: CheckoutContext, { params, query, body, once }, caller) {
    const wanted = { ...wantedOf(params, query), ...body };
    return once(async (tx) => {
      return ok({ data: viewEndpoint(await simulateReceiver(tx, caller, wanted)) });
    });
  },
});

export const sandboxControlRoutes: readonly Route<CheckoutContext>[] = [
  simulatePaymentRoute,
  simulateWithdrawalRoute,
  simulateReceiverRoute,
];
