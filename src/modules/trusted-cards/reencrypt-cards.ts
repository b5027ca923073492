/**
 * Seals cards anew whose wrapping key is no longer the current one, a batch at a time (Decision
 * 0044): each under a new data key, with its version raised. A box made before opens only with the
 * version of then, which a trigger keeps from falling. Keys of fingerprints are only wrapped anew,
 * because fingerprints have to stay equal.
 *
 * It can be stopped and begun again at any moment, beside a service at work. A card that is locked
 * is waited for; one that does not open is left as it is, with an alarm.
 */

import type { Infra } from "../../infra/context.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { columns, int, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { OperatorError } from "../../kit/errors.ts";
import type { Keyring } from "../../kit/secrets.ts";
import { rewrapFingerprintKey, sealCard, type WrappedKey } from "../gateway/card-vault.ts";
import { identityOf, KEPT, KEPT_COLUMNS, type KeptRow, openKept } from "./kept-card.ts";

const ROWS_AT_ONCE = 200;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Where a batch begins: one old key after the other, its cards in the order of their ids. */
export interface Place {
  readonly keys: readonly string[];
  readonly after: string;
}

/**
 * Where all of it begins, read once: the keys that cards are sealed with and that are not current.
 * A key that was taken out too early is put back; it is no sign that a row was changed.
 */
export async function findOldCards({ config, db }: Infra): Promise<Place & { count: number }> {
  const { wrappingKeys } = config;
  const rows = await db.rows(sqlOf({ wrapped_with: text, count: int })`
    select wrapped_with, count(*)::int as count from trusted_cards where state <> 'deleted'
    group by wrapped_with
    union all select distinct wrapped_with, 0 from card_fingerprint_keys`);
  const missing = rows.find(({ wrapped_with }) => wrappingKeys.byId(wrapped_with) === undefined);
  if (missing !== undefined)
    throw new OperatorError(
      `The wrapping key ${missing.wrapped_with}, which cards are sealed with, ` +
        "is not in WRAPPING_KEYS.",
    );
  const old = rows.filter((row) => row.count > 0 && row.wrapped_with !== wrappingKeys.current.id);
  const count = old.reduce((sum, row) => sum + row.count, 0);
  return { keys: old.map(({ wrapped_with }) => wrapped_with), after: BEFORE_ALL, count };
}

/**
 * `next` is where the next batch begins, undefined after the last. `unopened` are cards that did
 * not open: they are passed and not met again; the caller raises the alarm once the tx has ended.
 */
export async function reencryptCards(
  ctx: Infra,
  tx: Tx,
  { keys, after }: Place,
  cardsAtOnce = ROWS_AT_ONCE,
): Promise<{ done: number; unopened: readonly KeptRow[]; next: Place | undefined }> {
  const [key, ...others] = keys;
  if (key === undefined) return { done: 0, unopened: [], next: undefined };
  const rows = await tx.rows(sqlOf(KEPT)`
    select ${KEPT_COLUMNS} from trusted_cards
    where state <> 'deleted' and wrapped_with = ${key} and card_uuid > ${after}
    order by card_uuid limit ${cardsAtOnce} for no key update`);
  const unopened: KeptRow[] = [];
  for (const row of rows) if (!(await sealAnew(ctx, tx, row))) unopened.push(row);
  const last = rows.length < cardsAtOnce ? undefined : rows.at(-1);
  const next =
    last !== undefined ? { keys, after: last.card_uuid } : { keys: others, after: BEFORE_ALL };
  const done = rows.length - unopened.length;
  return { done, unopened, next: next.keys.length === 0 ? undefined : next };
}

async function sealAnew({ config }: Infra, tx: Tx, row: KeptRow): Promise<boolean> {
  const kept = openKept({ config }, row);
  if (kept === undefined) return false;
  const next = { ...identityOf(row), keyVersion: row.key_version + 1 };
  const { wrappedWith, keyBox, cardBox } = sealCard(config.wrappingKeys, next, kept);
  await tx.run(sql`
    update trusted_cards
    set key_version = ${next.keyVersion}, wrapped_with = ${wrappedWith}, key_box = ${keyBox},
      card_box = ${cardBox}
    where card_uuid = ${row.card_uuid}`);
  return true;
}

const KEY = tables.card_fingerprint_keys;

/** All of them, a batch in each tx. Returns the accounts whose key does not open. */
export async function rewrapFingerprintKeys(
  ctx: Pick<Infra, "config" | "db">,
  keysAtOnce = ROWS_AT_ONCE,
): Promise<string[]> {
  const unopened: string[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const begin: string = after;
    const batch = await ctx.db.transaction((tx) => rewrapSome(ctx, tx, begin, keysAtOnce));
    unopened.push(...batch.unopened);
    after = batch.next;
  }
  return unopened;
}

/** `next` is where the next batch begins, undefined after the last. */
async function rewrapSome(
  { config: { wrappingKeys } }: Pick<Infra, "config">,
  tx: Tx,
  after: string,
  keysAtOnce: number,
): Promise<{ unopened: string[]; next: string | undefined }> {
  const rows = await tx.rows(sqlOf(KEY)`
    select ${columns(KEY)} from card_fingerprint_keys
    where wrapped_with <> ${wrappingKeys.current.id} and account_number > ${after}
    order by account_number limit ${keysAtOnce} for no key update`);
  const unopened: string[] = [];
  for (const row of rows) {
    const next = rewrapped(wrappingKeys, row);
    if (next === undefined) {
      unopened.push(row.account_number);
      continue;
    }
    await tx.run(sql`
      update card_fingerprint_keys
      set wrapped_with = ${next.wrappedWith}, key_box = ${next.keyBox}
      where account_number = ${row.account_number}`);
  }
  const last = rows.length < keysAtOnce ? undefined : rows.at(-1);
  return { unopened, next: last?.account_number };
}

function rewrapped(wrappingKeys: Keyring, row: Row<typeof KEY>): WrappedKey | undefined {
  const wrapped = { wrappedWith: row.wrapped_with, keyBox: row.key_box };
  try {
    return rewrapFingerprintKey(wrappingKeys, row.account_number, wrapped);
  } catch {
    return undefined;
  }
}
