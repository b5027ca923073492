/**
 * Seals cards anew whose wrapping key is no longer the current one, a batch at a time (Decision
 * 0044): each under a new data key, with its version raised, so that no box made before opens in
 * its row. Keys of fingerprints are only wrapped anew, because fingerprints have to stay equal.
 *
 * The rule that matters: it can be stopped and begun again at any moment, beside a service at work.
 * A card that somebody holds is waited for; one that does not open is left as it is, with an alarm.
 */

import type { Infra } from "../../infra/context.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { ServiceError } from "../../kit/errors.ts";
import { CardUnusable } from "../checkout/session/purpose.ts";
import { rewrapFingerprintKey, sealCard } from "../gateway/card-vault.ts";
import { identityOf, KEPT_COLUMNS, type KeptRow, openKept } from "./keep-card.ts";

const CARDS_AT_ONCE = 200;

class KeyIsMissing extends ServiceError {
  constructor(id: string) {
    super({
      status: 409,
      code: "wrapping_key_missing",
      message: `The wrapping key ${id}, which cards are sealed with, is not in WRAPPING_KEYS.`,
    });
  }
}

export interface Reencrypted {
  readonly done: number;
  /** Did not open. */
  readonly failed: number;
  /** Where the next batch begins; undefined after the last. */
  readonly after: string | undefined;
}

/** In the order of their ids, so that one that fails is not met again. */
export async function reencryptCards(
  ctx: Infra,
  tx: Tx,
  after: string,
  cardsAtOnce = CARDS_AT_ONCE,
): Promise<Reencrypted> {
  const { wrappingKeys } = ctx.config;
  await demandOldKeys(ctx, tx);
  await rewrapFingerprintKeys(ctx, tx);
  const rows = await tx.rows<KeptRow & Record<string, unknown>>(sql`
    select ${KEPT_COLUMNS} from trusted_cards
    where state <> 'deleted' and wrapped_with <> ${wrappingKeys.current.id}
      and card_uuid > ${after}
    order by card_uuid limit ${cardsAtOnce} for no key update`);
  let failed = 0;
  for (const row of rows) if (!(await sealAnew(ctx, tx, row))) failed += 1;
  const last = rows.length < cardsAtOnce ? undefined : rows.at(-1)?.card_uuid;
  return { done: rows.length - failed, failed, after: last };
}

/** A key that was taken out too early is put back; it is no sign that somebody changed a row. */
async function demandOldKeys({ config: { wrappingKeys } }: Infra, tx: Tx): Promise<void> {
  const used = await tx.rows<{ wrapped_with: string }>(sql`
    select wrapped_with from trusted_cards where state <> 'deleted'
    union select wrapped_with from card_fingerprint_keys`);
  const missing = used.find(({ wrapped_with }) => wrappingKeys.byId(wrapped_with) === undefined);
  if (missing !== undefined) throw new KeyIsMissing(missing.wrapped_with);
}

async function sealAnew(ctx: Infra, tx: Tx, row: KeptRow): Promise<boolean> {
  try {
    const kept = await openKept(ctx, row);
    const next = { ...identityOf(row), keyVersion: row.key_version + 1 };
    const { wrappedWith, keyBox, cardBox } = sealCard(ctx.config.wrappingKeys, next, kept);
    await tx.run(sql`
      update trusted_cards
      set key_version = ${next.keyVersion}, wrapped_with = ${wrappedWith}, key_box = ${keyBox},
        card_box = ${cardBox}
      where card_uuid = ${row.card_uuid}`);
    return true;
  } catch (error) {
    if (error instanceof CardUnusable) return false;
    throw error;
  }
}

interface KeyRow {
  account_number: string;
  wrapped_with: string;
  key_box: Buffer;
}

/** All of them: an account has one. */
async function rewrapFingerprintKeys({ config }: Infra, tx: Tx): Promise<void> {
  const { wrappingKeys } = config;
  const rows = await tx.rows<KeyRow & Record<string, unknown>>(sql`
    select account_number, wrapped_with, key_box from card_fingerprint_keys
    where wrapped_with <> ${wrappingKeys.current.id} order by account_number for no key update`);
  for (const { account_number, wrapped_with: wrappedWith, key_box } of rows) {
    const next = rewrapFingerprintKey(wrappingKeys, account_number, {
      wrappedWith,
      keyBox: key_box,
    });
    await tx.run(sql`
      update card_fingerprint_keys
      set wrapped_with = ${next.wrappedWith}, key_box = ${next.keyBox}
      where account_number = ${account_number}`);
  }
}

export async function countOldCards({ config, db }: Infra): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from trusted_cards
    where state <> 'deleted' and wrapped_with <> ${config.wrappingKeys.current.id}`);
  return count;
}
