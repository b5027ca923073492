/**
 * The numbers of whoever is paid, account and document: sealed, bound to the withdrawal's id, and
 * opened only to tell the bank (Decision 0045).
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, sql } from "../../infra/db/query.ts";
import { seal, unseal } from "../../kit/secrets.ts";

export interface PayeeNumbers {
  readonly bankAccount?: string | undefined;
  readonly idNumber?: string | undefined;
}

type Keys = Config["wrappingKeys"];

export interface SealedNumbers {
  readonly numbers_sealed: Buffer;
  readonly wrapping_key_id: string;
}

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
  const wrapping = keys.byId(box.wrapping_key_id);
  if (wrapping === undefined)
    throw new Error(`wrapping key ${box.wrapping_key_id} is not configured`);
  const text = unseal(wrapping.bytes, box.numbers_sealed, boundTo(transactionId));
  return JSON.parse(text.toString()) as PayeeNumbers;
}

export async function readNumbers(
  db: Queryable,
  keys: Keys,
  transactionId: string,
): Promise<PayeeNumbers> {
  const box = await db.one<SealedNumbers & Record<string, unknown>>(sql`
    select numbers_sealed, wrapping_key_id from withdrawals
    where transaction_id = ${transactionId}`);
  return openNumbers(keys, transactionId, box);
}

function boundTo(transactionId: string): string {
  return `numbers of withdrawal ${transactionId}`;
}
