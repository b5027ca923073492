/**
 * What needs an owner's attention: an account that is not verified, webhook endpoints that fail,
 * withdrawals that are held and disputes that are open. Each is found by an index, a few of each.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, pick, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { CURRENCIES, type Money, money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { troubledEndpoints } from "../webhooks/troubled-endpoints.ts";

const ITEMS_OF_A_KIND_MAX = 20;

export type AttentionItem =
  /** Live payments are not taken yet. */
  | { readonly kind: "unverified" }
  | {
      readonly kind: "webhook";
      readonly endpointId: string;
      readonly url: string;
      /** Disabled by us: nothing is sent any more. */
      readonly isDisabled: boolean;
      readonly since: Date;
      /** Deliveries that wait, counted up to ten thousand. */
      readonly waiting: number;
    }
  | {
      readonly kind: "withdrawal_held";
      readonly transactionId: string;
      readonly amount: Money;
      readonly reason: string;
      readonly since: Date;
    }
  | {
      readonly kind: "dispute";
      readonly transactionId: string;
      readonly orderId: string;
      readonly amount: Money;
      readonly openedAt: Date;
    };

interface Whose {
  readonly accountNumber: string;
  readonly environment: Environment;
}

export async function readAttention(db: Queryable, whose: Whose): Promise<AttentionItem[]> {
  return [
    ...(await unverified(db, whose)),
    ...(await openDisputes(db, whose)),
    ...(await heldWithdrawals(db, whose)),
    ...(await failingEndpoints(db, whose)),
  ];
}

async function unverified(db: Queryable, { accountNumber }: Whose): Promise<AttentionItem[]> {
  const found = await db.maybeOne(sqlOf({})`
    select from accounts where account_number = ${accountNumber} and verified_at is null`);
  return found === undefined ? [] : [{ kind: "unverified" }];
}

const DISPUTED = {
  ...pick(tables.transactions, "transaction_id", "order_id", "currency"),
  ...pick(tables.disputes, "amount_minor", "opened_at"),
};

/** By the index of payments by what became of them: a dispute knows its payment alone. */
async function openDisputes(db: Queryable, whose: Whose): Promise<AttentionItem[]> {
  const rows = await db.rows(sqlOf(DISPUTED)`
    select payment.transaction_id, order_id, payment.currency, amount_minor, opened_at
    from unnest(${CURRENCIES}::text[]) as part (currency)
    cross join lateral (
      select transaction_id, order_id, currency from transactions
      where account_number = ${whose.accountNumber} and environment = ${whose.environment}
        and status_desc = 'Chargeback Pending' and status_desc <> 'Normal'
        and currency = part.currency
      order by created_at desc, transaction_id desc limit ${ITEMS_OF_A_KIND_MAX}
    ) as payment
    join disputes on disputes.transaction_id = payment.transaction_id and state = 'open'
    order by opened_at, payment.transaction_id limit ${ITEMS_OF_A_KIND_MAX}`);
  return rows.map((row) => ({
    kind: "dispute",
    transactionId: row.transaction_id,
    orderId: row.order_id,
    amount: money(row.currency, row.amount_minor),
    openedAt: row.opened_at,
  }));
}

const HELD = {
  ...pick(tables.withdrawals, "transaction_id", "currency", "amount_minor", "status_reason"),
  since: computed(timestamp, sql`updated_at`),
};

async function heldWithdrawals(db: Queryable, whose: Whose): Promise<AttentionItem[]> {
  const rows = await db.rows(sqlOf(HELD)`
    select ${columns(HELD)} from withdrawals
    where account_number = ${whose.accountNumber} and environment = ${whose.environment}
      and status = 'held'
    order by updated_at, transaction_id limit ${ITEMS_OF_A_KIND_MAX}`);
  return rows.map((row) => ({
    kind: "withdrawal_held",
    transactionId: row.transaction_id,
    amount: money(row.currency, row.amount_minor),
    reason: row.status_reason ?? "",
    since: row.since,
  }));
}

async function failingEndpoints(db: Queryable, whose: Whose): Promise<AttentionItem[]> {
  const endpoints = await troubledEndpoints(db, whose, ITEMS_OF_A_KIND_MAX);
  return endpoints.map(({ endpoint_id: endpointId, url, status, since, waiting }) => ({
    kind: "webhook",
    endpointId,
    url,
    isDisabled: status === "disabled",
    since,
    waiting,
  }));
}
