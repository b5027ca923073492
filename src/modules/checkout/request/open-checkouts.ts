/**
 * Payments, their events and their sessions, any number of them in one statement: of each all three
 * or none (Decision 0036).
 */

import assert from "node:assert/strict";
import type { Config } from "../../../infra/config.ts";
import { prepared, type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { addSeconds } from "../../../kit/clock.ts";
import { newTransactionRow, recordedAs } from "../../transactions/new-transaction.ts";
import type { TransactionRow } from "../../transactions/transaction.ts";
import { checkoutToken, checkoutUrl, tokenDigest } from "../session/checkout-token.ts";
import type { PurposeName } from "../session/session.ts";
import { type PaymentRequest, requestDigest } from "./payment-request.ts";

/** Interface §3.2; verifying an address takes the customer longer. */
const SESSION_SECONDS = 180;
const SESSION_SECONDS_AVS = 300;

export interface TimedRequest {
  readonly request: PaymentRequest;
  /** The moment of its price, its id and the beginning of its time. */
  readonly at: Date;
}

export interface OpenedCheckout {
  readonly transactionId: string;
  readonly url: string;
}

/** What a session keeps of its request. */
export interface SessionRequest
  extends Pick<PaymentRequest, "responseUrl" | "isAvs" | "cardType" | "words"> {
  readonly purpose: PurposeName;
}

interface NewSession extends OpenedCheckout {
  readonly keyId: string;
  readonly digest: Buffer;
  readonly requestDigest: Buffer;
  readonly expiresAt: Date;
  readonly request: SessionRequest;
}

export type OpeningConfig = Pick<Config, "tokenPeppers" | "http">;

/** A checkout that could be opened. */
export const OPENED = pick(tables.checkout_sessions, "transaction_id");

/** The statement that opens checkouts, and what each of them is if it could be opened. */
export function openingOf(config: OpeningConfig, requests: readonly TimedRequest[]) {
  const rows: TransactionRow[] = [];
  const checkouts = requests.map(({ request, at }) => {
    const row = newTransactionRow(request.transaction, at);
    rows.push(row);
    return newSession(config, row, request);
  });
  const statement = sqlOf(OPENED)`
    with ${recordedAs(rows)}, opened as (${insertSessions(checkouts)})
    select transaction_id from made`;
  return { statement: prepared("open-checkouts", statement), checkouts };
}

/** In the order given; undefined: its order is known, or its account takes no payments. */
export async function openCheckouts(
  config: OpeningConfig,
  tx: Queryable,
  requests: readonly TimedRequest[],
): Promise<(OpenedCheckout | undefined)[]> {
  const { statement, checkouts } = openingOf(config, requests);
  return openedOf(checkouts, await tx.rows(statement));
}

export function openedOf(
  checkouts: readonly OpenedCheckout[],
  opened: readonly Row<typeof OPENED>[],
): (OpenedCheckout | undefined)[] {
  const ids = new Set(opened.map(({ transaction_id }) => transaction_id));
  return checkouts.map(({ transactionId, url }) =>
    ids.has(transactionId) ? { transactionId, url } : undefined,
  );
}

export function newSession(
  config: OpeningConfig,
  { transaction_id, created_at }: Pick<TransactionRow, "transaction_id" | "created_at">,
  request: SessionRequest,
): NewSession {
  const made = checkoutToken(config, transaction_id);
  assert(made !== undefined, "the current pepper is in its keyring");
  return {
    transactionId: transaction_id,
    url: checkoutUrl(config, made.token),
    keyId: made.keyId,
    digest: tokenDigest(made.token),
    requestDigest: requestDigest(config, request.words),
    expiresAt: addSeconds(created_at, request.isAvs ? SESSION_SECONDS_AVS : SESSION_SECONDS),
    request,
  };
}

/** Those whose payments are in `made`, in a statement that has it. */
export function insertSessions(sessions: readonly NewSession[]): Sql {
  const each = <T>(of: (one: NewSession) => T) => sessions.map(of);
  return sql`
    insert into checkout_sessions (transaction_id, purpose, token_key_id, token_digest,
      request_digest, response_url, is_avs, card_type, expires_at)
    select session.* from unnest(${each((one) => one.transactionId)}::text[],
      ${each(({ request }) => request.purpose)}::text[], ${each((one) => one.keyId)}::text[],
      ${each((one) => one.digest)}::bytea[], ${each((one) => one.requestDigest)}::bytea[],
      ${each(({ request }) => request.responseUrl)}::text[],
      ${each(({ request }) => request.isAvs)}::boolean[],
      ${each(({ request }) => request.cardType ?? null)}::text[],
      ${each((one) => one.expiresAt)}::timestamptz[])
      as session (transaction_id, purpose, token_key_id, token_digest, request_digest, response_url,
        is_avs, card_type, expires_at)
    join made using (transaction_id)`;
}
