/**
 * What a UUID may name: a withdrawal at the bank, a refund, a payment at the acquirer, a webhook, a
 * request of the log.
 */

import { sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, pick } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { findAnyEndpoint } from "../../webhooks/troubled-endpoints.ts";
import { stateOf } from "../webhooks/webhook.ts";
import { type Finder, FOUND_MAX, foundBlock, type Looking } from "./place.ts";
import { paymentsBlock, paymentsWhere, withdrawalsWhere } from "./places.ts";

export const findByUuid =
  (uuid: string): Finder =>
  async ({ db }) => [
    ...(await withdrawalsWhere(db, "Withdrawals with this reference", sql`reference = ${uuid}`)),
    ...paymentsBlock(
      "Payments with a refund, a card or an acquirer's reference of this id",
      await paymentsWhere(
        db,
        sql`transaction_id in (
          select transaction_id from refunds where refund_id = ${uuid}
          union all select transaction_id from checkout_attempts where attempt_id = ${uuid}
          union all select transaction_id from powertranz_sales where identifier = ${uuid})`,
      ),
    ),
    ...(await webhooks(db, uuid)),
    ...(await requests(db, uuid)),
  ];

async function webhooks(db: Looking["db"], uuid: string) {
  const endpoint = await findAnyEndpoint(db, uuid);
  return foundBlock("Webhooks of this id", endpoint === undefined ? [] : [endpoint], {
    webhook: "endpoint_id",
    account: "account_number",
    environment: "environment",
    state: stateOf,
    url: "url",
  });
}

const REQUEST = {
  ...pick(tables.logged_requests, "request_id", "at", "account_number", "environment"),
  ...pick(tables.logged_requests, "method", "path", "status", "code", "order_id"),
};

async function requests(db: Looking["db"], uuid: string) {
  const rows = await db.rows(sqlOf(REQUEST)`
    select ${columns(REQUEST)} from logged_requests
    where request_id = ${uuid} limit ${FOUND_MAX}`);
  return foundBlock("Requests of this id", rows, {
    request: "request_id",
    when: "at",
    account: "account_number",
    environment: "environment",
    method: "method",
    path: "path",
    status: "status",
    code: ({ code }) => code,
    order: "order_id",
  });
}
