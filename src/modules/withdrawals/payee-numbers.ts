/**
 * The payee's account and document numbers: sealed, bound to the withdrawal's id, and opened only
 * for the bank (Decision 0045).
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { OperatorError } from "../../kit/errors.ts";
import { type SecretKey, seal, unseal } from "../../kit/secrets.ts";

export interface PayeeNumbers {
  readonly bankAccount?: string | undefined;
  readonly idNumber?: string | undefined;
}

type Keys = Config["wrappingKeys"];

export const SEALED_NUMBERS = pick(tables.withdrawals, "numbers_sealed", "wrapping_key_id");

type SealedNumbers = Row<typeof SEALED_NUMBERS>;

export function sealNumbers(
  { current }: Keys,
  transactionId: string,
  numbers: PayeeNumbers,
): SealedNumbers {
  const text = Buffer.from(JSON.stringify(numbers));
  return {
    numbers_sealed: seal(current.bytes, text, boundTo(transactionId)),
    wrapping_key_id: current.id,
  };
}

export function openNumbers(keys: Keys, transactionId: string, box: SealedNumbers): PayeeNumbers {
  const wrapping = wrappingKey(keys, box.wrapping_key_id, `The numbers of ${transactionId}`);
  const text = unseal(wrapping.bytes, box.numbers_sealed, boundTo(transactionId));
  return JSON.parse(text.toString()) as PayeeNumbers;
}

export async function readNumbers(
  db: Queryable,
  keys: Keys,
  transactionId: string,
): Promise<PayeeNumbers> {
  const box = await db.one(sqlOf(SEALED_NUMBERS)`
    select ${columns(SEALED_NUMBERS)} from withdrawals
    where transaction_id = ${transactionId}`);
  return openNumbers(keys, transactionId, box);
}

/** A key may be removed too early; an operator can configure it again. */
export function wrappingKey(keys: Keys, keyId: string, what: string): SecretKey {
  const key = keys.byId(keyId);
  if (key === undefined)
    throw new OperatorError(
      `${what} are sealed with the wrapping key ${keyId}, which is not configured. ` +
        "Put it back into the setting WRAPPING_KEYS.",
    );
  return key;
}

function boundTo(transactionId: string): string {
  return `numbers of withdrawal ${transactionId}`;
}
