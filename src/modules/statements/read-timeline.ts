/**
 * A payment from beginning to end, for its page in the console: the request, each card that was
 * tried, the result, refunds, disputes, and what became of the webhooks about it, in the order of
 * time. Read from the records themselves; no table is kept for it.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { type Money, money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { type AttemptState, attemptsOf } from "../checkout/session/attempt.ts";
import { findEvents } from "../events/find-events.ts";
import { type DisputeRow, disputesOf } from "../transactions/dispute.ts";
import { findTransaction } from "../transactions/find-transaction.ts";
import { momentsOf } from "../transactions/moments.ts";
import { type RefundState, refundsOf } from "../transactions/refund.ts";
import type { TransactionRow } from "../transactions/transaction.ts";
import type { DeliveryState } from "../webhooks/delivery.ts";

type Happened =
  | { readonly kind: "requested" }
  | {
      readonly kind: "attempt";
      readonly cardBrand: string;
      readonly lastFour: string;
      readonly state: AttemptState;
      readonly code: string | null;
      readonly message: string | null;
      /** Whether the card's bank asked the customer (3-D Secure). */
      readonly wasChallenged: boolean;
      readonly endedAt: Date | null;
    }
  | {
      readonly kind: "result";
      readonly status: "success" | "failed" | "error";
      readonly message: string;
    }
  | {
      readonly kind: "refund_requested" | "refund_ended";
      readonly refundId: string;
      readonly amount: Money;
      readonly reason: string | null;
      /** We asked for it, for the merchant. */
      readonly isByOperator: boolean;
      /** Of now, also where it was requested. */
      readonly state: RefundState;
      readonly rejectedBecause: string | null;
    }
  | {
      readonly kind: "dispute_opened" | "dispute_ended";
      readonly dispute: DisputeRow["kind"];
      readonly amount: Money;
      readonly state: DisputeRow["state"];
    }
  | {
      readonly kind: "webhook";
      readonly deliveryId: string;
      readonly event: string;
      readonly url: string;
      readonly state: DeliveryState;
      readonly attemptCount: number;
    };

export type TimelineItem = Happened & { readonly at: Date };

export async function readTimeline(
  db: Queryable,
  wanted: {
    readonly accountNumber: string;
    readonly transactionId: string;
    /** Undefined: the one that the id names. */
    readonly environment: Environment | undefined;
  },
): Promise<TimelineItem[]> {
  const payment = await findTransaction(db, wanted);
  const { transactionId } = wanted;
  const items = [
    ...resultOf(payment),
    ...(await attempts(db, transactionId)),
    ...(await refunds(db, payment)),
    ...(await disputes(db, payment)),
  ];
  const webhooks = await deliveries(db, payment);
  return [...items, ...webhooks].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function resultOf({ created_at, finalised_at, status, message }: TransactionRow): TimelineItem[] {
  const requested = { kind: "requested", at: created_at } as const;
  if (finalised_at === null || status === "incomplete") return [requested];
  return [requested, { kind: "result", at: finalised_at, status, message: message ?? "" }];
}

async function attempts(db: Queryable, transactionId: string): Promise<TimelineItem[]> {
  const rows = await attemptsOf(db, transactionId);
  return rows.map((row) => ({
    kind: "attempt",
    at: row.began_at,
    cardBrand: row.card_brand,
    lastFour: row.card_last_four,
    state: row.state,
    code: row.outcome_code,
    message: row.message,
    wasChallenged: row.challenge_token !== null,
    endedAt: row.ended_at,
  }));
}

async function refunds(db: Queryable, payment: TransactionRow): Promise<TimelineItem[]> {
  const rows = await refundsOf(db, payment.transaction_id);
  return rows.flatMap((row) => {
    const refund = {
      refundId: row.refund_id,
      amount: money(payment.currency, row.amount_minor),
      reason: row.reason,
      isByOperator: row.is_by_operator,
      state: row.state,
      rejectedBecause: row.rejected_because,
    };
    const requested = { ...refund, kind: "refund_requested", at: row.created_at } as const;
    if (row.ended_at === null) return [requested];
    return [requested, { ...refund, kind: "refund_ended", at: row.ended_at } as const];
  });
}

async function disputes(db: Queryable, payment: TransactionRow): Promise<TimelineItem[]> {
  const rows = await disputesOf(db, payment.transaction_id);
  return rows.flatMap((row) => {
    const amount = money(payment.currency, row.amount_minor);
    const dispute = { dispute: row.kind, amount, state: row.state };
    const opened = { ...dispute, kind: "dispute_opened", at: row.opened_at } as const;
    // Fraud is processed the moment it is confirmed.
    if (row.ended_at === null || row.kind === "fraud") return [opened];
    return [opened, { ...dispute, kind: "dispute_ended", at: row.ended_at } as const];
  });
}

const DELIVERY = {
  ...pick(tables.webhook_deliveries, "delivery_id", "state", "attempt_count", "created_at"),
  ...pick(tables.events, "event"),
  ...pick(tables.webhook_endpoints, "url"),
};

/** Of the events about it, found by endpoint and event. */
async function deliveries(db: Queryable, payment: TransactionRow): Promise<TimelineItem[]> {
  const { account_number, environment, transaction_id } = payment;
  const events = await findEvents(db, await momentsOf(db, [transaction_id]));
  const rows = await db.rows(sqlOf(DELIVERY)`
    select delivery_id, delivery.state, attempt_count, delivery.created_at, event, url
    from ${unnest("written", events, { event_id: "text", event: "text" })}
    join webhook_endpoints as endpoint on account_number = ${account_number}
      and environment = ${environment} and endpoint.status <> 'deleted'
    cross join lateral (
      select * from webhook_deliveries as one
      where one.endpoint_id = endpoint.endpoint_id and one.event_id = written.event_id limit 1
    ) as delivery`);
  return rows.map((row) => ({
    kind: "webhook",
    at: row.created_at,
    deliveryId: row.delivery_id,
    event: row.event,
    url: row.url,
    state: row.state,
    attemptCount: row.attempt_count,
  }));
}
