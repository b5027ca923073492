/**
 * Cards at rest: sealed before their bank is asked, opened for the gateway and to be sealed anew
 * (Decision 0044).
 *
 * A card that does not open, or turns out to be another than its row says, is never charged. The
 * database has been changed, so an alarm is raised.
 */

import type { Infra } from "../../infra/context.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { bytes, columns, omit, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { Unavailable } from "../../kit/errors.ts";
import {
  cardFingerprint,
  type KeptCard,
  type KeptCardIdentity,
  newFingerprintKey,
  openCard,
} from "../gateway/card-vault.ts";

/** What the vault needs of a card that is not deleted. */
export const KEPT = {
  ...pick(tables.trusted_cards, "card_uuid", "account_number", "environment", "last_four"),
  ...pick(tables.trusted_cards, "exp_month", "exp_year", "key_version"),
  wrapped_with: text,
  key_box: bytes,
  card_box: bytes,
};

export type KeptRow = Row<typeof KEPT>;

export const KEPT_COLUMNS = columns(KEPT);

export function identityOf(row: KeptRow): KeptCardIdentity {
  const { card_uuid: uuid, account_number: accountNumber, environment, key_version } = row;
  return { uuid, accountNumber, environment, keyVersion: key_version };
}

/** Undefined: it does not open. The caller raises the alarm, once no tx is open. */
export function openKept(ctx: Pick<Infra, "config">, row: KeptRow): KeptCard | undefined {
  const missing = missingKey(ctx, row);
  if (missing !== undefined) throw missing;
  const { wrapped_with: wrappedWith, key_box: keyBox, card_box: cardBox } = row;
  const sealed = { wrappedWith, keyBox, cardBox };
  try {
    const kept = openCard(ctx.config.wrappingKeys, identityOf(row), sealed);
    return isOf(kept, row) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** A key that is not configured is no sign of tampering: it may be there a moment later. */
export function missingKey(
  { config }: Pick<Infra, "config">,
  { wrapped_with: id }: Pick<KeptRow, "wrapped_with">,
): Unavailable | undefined {
  if (config.wrappingKeys.byId(id) !== undefined) return undefined;
  return new Unavailable({ cause: `wrapping key ${id} is not configured` });
}

function isOf({ number, expiryMonth, expiryYear }: KeptCard, row: KeptRow): boolean {
  const isSameDate = expiryMonth === row.exp_month && expiryYear === row.exp_year;
  return number.slice(-4) === row.last_four && isSameDate;
}

/**
 * By the account's own key, made when it is first needed. Undefined: that key does not open. An
 * error where the key that it is wrapped with is not configured.
 */
export async function fingerprintOf(
  ctx: Pick<Infra, "config">,
  tx: Tx,
  accountNumber: string,
  number: string,
): Promise<Buffer | Unavailable | undefined> {
  const { wrappingKeys } = ctx.config;
  const fresh = newFingerprintKey(wrappingKeys, accountNumber);
  await tx.run(sql`
    insert into card_fingerprint_keys (account_number, wrapped_with, key_box)
    values (${accountNumber}, ${fresh.wrappedWith}, ${fresh.keyBox})
    on conflict do nothing`);
  const row = await tx.one(sqlOf(omit(tables.card_fingerprint_keys, "account_number"))`
    select wrapped_with, key_box from card_fingerprint_keys
    where account_number = ${accountNumber}`);
  const missing = missingKey(ctx, row);
  if (missing !== undefined) return missing;
  const wrapped = { wrappedWith: row.wrapped_with, keyBox: row.key_box };
  try {
    return cardFingerprint(wrappingKeys, accountNumber, wrapped, number);
  } catch {
    return undefined;
  }
}
