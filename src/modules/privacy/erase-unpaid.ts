/**
 * Erases the customer's data of payments that were never paid, and what was passed through with
 * cards that were never saved, after as many days as are kept (Decision 0122).
 *
 * Ids begin with their time, so both tables are walked in the order of ids, a place (an environment
 * of a platform) at a time, and each place remembers how far it came: no index is kept for it. One
 * that is not finished stops its place until it is. By the world's time, as what was agreed.
 */

import type { Infra } from "../../infra/context.ts";
import { now } from "../../infra/db/clock.ts";
import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, text } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { DAY_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import { firstTransactionIdAt } from "../../kit/ids.ts";
import { COUNTRY_CODES, ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { eraseSessions } from "../checkout/session/erase-sessions.ts";
import { HAS_WORDS } from "../transactions/erase-payments.ts";
import { eraseChecks } from "../trusted-cards/erase-cards.ts";
import { erasePayments } from "./erase-customer.ts";
import { noteRetention, unpaidErased } from "./privacy-metrics.ts";

const LOOKED_AT_ONCE = 200;
/** In a run; more wait for the next hour. */
const BATCHES_MAX = 2_000;

interface Kind {
  readonly table: Sql;
  readonly hasWords: Sql;
  erase(tx: Tx, ids: readonly string[]): Promise<number>;
}

const KINDS: Readonly<Record<"payments" | "cards", Kind>> = {
  payments: { table: sql`transactions`, hasWords: HAS_WORDS, erase: erasePayments },
  cards: {
    table: sql`card_checks`,
    hasWords: sql`data <> ''`,
    async erase(tx, ids) {
      await eraseSessions(tx, ids);
      return eraseChecks(tx, ids);
    },
  },
};

export const eraseUnpaidJob = defineJob({
  name: "erase-unpaid",
  everyHourAtMinute: 37,
  followsTheClock: true,
  run: eraseUnpaid,
});

export async function eraseUnpaid({ db, config, log }: Infra): Promise<void> {
  const end = (await now(db)).getTime() - config.retention.unpaidDays * DAY_SECONDS * SECOND_MS;
  let [batches, isHeldUp] = [0, false];
  for (const [kind, rows] of Object.entries(KINDS))
    for (const environment of ENVIRONMENTS)
      for (const countryCode of COUNTRY_CODES) {
        const endId = firstTransactionIdAt({ environment, countryCode, at: new Date(end) });
        const place = `${kind} ${endId.slice(0, -10)}`;
        for (let looked = LOOKED_AT_ONCE; looked === LOOKED_AT_ONCE; batches++) {
          if (batches === BATCHES_MAX) return;
          const done = await db.transaction((tx) => eraseSome(tx, rows, { place, endId }));
          unpaidErased.inc(done.erased);
          looked = done.looked;
          if (done.stoppedBy === undefined) continue;
          log.warn({ transactionId: done.stoppedBy }, "an old payment is not finished");
          isHeldUp = true;
          break;
        }
      }
  if (!isHeldUp) noteRetention("unpaid");
}

const LOOKED_AT = { transaction_id: text, is_open: bool, is_unpaid: bool };

async function eraseSome(
  tx: Tx,
  { table, hasWords, erase }: Kind,
  { place, endId }: { place: string; endId: string },
) {
  const [position] = await tx.rows(sqlOf({ passed_id: text })`
    select passed_id from erasure_positions where place = ${place} for update`);
  const passedId = position?.passed_id ?? place.slice(place.indexOf(" ") + 1);
  const rows = await tx.rows(sqlOf(LOOKED_AT)`
    select transaction_id, status <> 'success' and ${hasWords} as is_unpaid,
      status = 'incomplete' or (status <> 'success' and exists (
        select from checkout_attempts as attempt
        where attempt.transaction_id = one.transaction_id and next_ask_at is not null
      )) as is_open
    from ${table} as one
    where transaction_id > ${passedId} collate "C" and transaction_id < ${endId} collate "C"
    order by transaction_id limit ${LOOKED_AT_ONCE}`);
  const stop = rows.findIndex(({ is_open }) => is_open);
  const passed = stop === -1 ? rows : rows.slice(0, stop);
  const ids = passed
    .filter(({ is_unpaid }) => is_unpaid)
    .map(({ transaction_id }) => transaction_id);
  const erased = ids.length === 0 ? 0 : await erase(tx, ids);
  const last = passed.at(-1)?.transaction_id;
  if (last !== undefined)
    await tx.run(sql`
      insert into erasure_positions (place, passed_id) values (${place}, ${last})
      on conflict (place) do update set passed_id = excluded.passed_id`);
  return { erased, looked: rows.length, stoppedBy: rows[stop]?.transaction_id };
}
