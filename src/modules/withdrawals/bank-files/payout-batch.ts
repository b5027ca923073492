/**
 * A batch: what one file for the bank had in it. Its bytes are kept, sealed, and not worked out
 * again: they stay the same when this program, a bank's name or a setting changes (Decision 0048).
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Config } from "../../../infra/config.ts";
import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, omit, pick, type Row, text, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { NoSuchRecord } from "../../../kit/errors.ts";
import { type Currency, formatMoney, money } from "../../../kit/money.ts";
import { seal, unseal } from "../../../kit/secrets.ts";
import type { CountryCode } from "../../../kit/vocabulary.ts";
import { wrappingKey } from "../payee-numbers.ts";

const FILE = pick(tables.payout_batches, "file_sealed", "wrapping_key_id");

export const BATCH = {
  ...omit(tables.payout_batches, "environment", "file_sealed", "wrapping_key_id"),
  country_code: word<CountryCode>(),
  currency: word<Currency>(),
  /** As text: as a time it would depend on a time zone. */
  bank_day: computed(text, sql`bank_day::text`),
};

export type BatchRow = Row<typeof BATCH>;

export const BATCH_COLUMNS = columns(BATCH);

export class UnknownBatch extends NoSuchRecord {
  constructor(messageId: string) {
    super(`There is no bank file ${messageId}. List them with bank-files.`);
  }
}

export async function findBatch(db: Queryable, messageId: string): Promise<BatchRow> {
  const row = await db.maybeOne(sqlOf(BATCH)`
    select ${BATCH_COLUMNS} from payout_batches where message_id = ${messageId}`);
  if (row === undefined) throw new UnknownBatch(messageId);
  return row;
}

export function viewBatch(row: BatchRow) {
  return {
    batch: row.message_id,
    country_code: row.country_code,
    currency: row.currency,
    bank_day: row.bank_day,
    payment_count: row.payment_count,
    total: formatMoney(money(row.currency, row.total_minor)),
    sha256: row.file_sha256.toString("hex"),
    made_by: row.made_by,
    made_at: row.made_at,
  };
}

export function digestOf(file: Buffer): Buffer {
  return createHash("sha256").update(file).digest();
}

export function sealFile({ wrappingKeys: { current } }: Config, batchId: string, file: Buffer) {
  return {
    file_sealed: seal(current.bytes, file, boundTo(batchId)),
    wrapping_key_id: current.id,
  };
}

/** Byte for byte what was made, or an error. */
export async function openFile(
  db: Queryable,
  { wrappingKeys }: Config,
  { batch_id: batchId, message_id: messageId, file_sha256: digest }: BatchRow,
): Promise<Buffer> {
  const box = await db.one(sqlOf(FILE)`
    select ${columns(FILE)} from payout_batches where batch_id = ${batchId}`);
  const key = wrappingKey(wrappingKeys, box.wrapping_key_id, `The bytes of ${messageId}`);
  const file = unseal(key.bytes, box.file_sealed, boundTo(batchId));
  assert(digestOf(file).equals(digest), `bank file ${batchId} is not what was made`);
  return file;
}

function boundTo(batchId: string): string {
  return `file of payout batch ${batchId}`;
}
