/** Gives payments that have just been recorded the time in which they can be paid. */

import assert from "node:assert/strict";
import type { Config } from "../../../infra/config.ts";
import { type Sql, sql } from "../../../infra/db/query.ts";
import { addSeconds } from "../../../kit/clock.ts";
import type { TransactionRow } from "../../transactions/transaction.ts";
import { checkoutToken, checkoutUrl, tokenDigest } from "../session/checkout-token.ts";
import type { PurposeName } from "../session/purpose.ts";
import type { PaymentRequest } from "./payment-request.ts";

/** Interface §3.2; verifying an address takes the customer longer. */
const SESSION_SECONDS = 180;
const SESSION_SECONDS_AVS = 300;

export interface OpenedCheckout {
  readonly transactionId: string;
  readonly url: string;
}

/** What a session keeps of what was asked for. */
export interface SessionRequest
  extends Pick<PaymentRequest, "responseUrl" | "isAvs" | "cardType" | "digests"> {
  readonly purpose: PurposeName;
}

/** A session in the making: its row's own part, and what the caller is told. */
export interface NewSession extends OpenedCheckout {
  readonly keyId: string;
  readonly digest: Buffer;
  readonly expiresAt: Date;
  readonly request: SessionRequest;
}

export function newSession(
  config: Pick<Config, "tokenPeppers" | "http">,
  {
    transaction_id: transactionId,
    created_at,
  }: Pick<TransactionRow, "transaction_id" | "created_at">,
  request: SessionRequest,
): NewSession {
  const made = checkoutToken(config, transactionId);
  assert(made !== undefined, "the current pepper is in its keyring");
  return {
    transactionId,
    url: checkoutUrl(config, made.token),
    keyId: made.keyId,
    digest: tokenDigest(made.token),
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
      ${each((one) => one.digest)}::bytea[],
      ${each(({ request }) => request.digests[0])}::bytea[],
      ${each(({ request }) => request.responseUrl)}::text[],
      ${each(({ request }) => request.isAvs)}::boolean[],
      ${each(({ request }) => request.cardType ?? null)}::text[],
      ${each((one) => one.expiresAt)}::timestamptz[])
      as session (transaction_id, purpose, token_key_id, token_digest, request_digest, response_url,
        is_avs, card_type, expires_at)
    join made using (transaction_id)`;
}
