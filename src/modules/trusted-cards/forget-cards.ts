/**
 * Once a minute: cards that were not verified within their day are deleted, and so are those of
 * accounts that were closed (Decision 0043).
 */

import type { Infra } from "../../infra/context.ts";
import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { uuid } from "../../infra/db/row.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { type RemovedBecause, removeCard } from "./delete-card.ts";

/** A sweep that meets more leaves them to the next one. */
const AT_ONCE_MAX = 100;

export const forgetCardsJob = defineJob({
  name: "forget-cards",
  everyMinute: true,
  followsTheClock: true,
  run: (ctx: Infra) => forgetCards(ctx),
});

/** Which cards are over, and why. */
const OVER: Readonly<Partial<Record<RemovedBecause, Sql>>> = {
  "not verified in time": sql`state = 'unverified' and verify_expires_at <= app_now()`,
  "the account was closed": sql`state <> 'deleted' and account_number in (
    select account_number from accounts where status = 'closed')`,
};

/** Each in a tx of its own: one that cannot be deleted must not keep the others. */
export async function forgetCards({ db, log }: Pick<Infra, "db" | "log">): Promise<void> {
  for (const [because, isOver] of Object.entries(OVER) as [RemovedBecause, Sql][]) {
    const over = await db.rows(sqlOf({ card_uuid: uuid })`
      select card_uuid from trusted_cards where ${isOver} limit ${AT_ONCE_MAX}`);
    for (const { card_uuid } of over) {
      const forgotten = db.transaction(async (tx) => {
        const card = await tx.maybeOne(sqlOf({ card_uuid: uuid })`
          select card_uuid from trusted_cards where card_uuid = ${card_uuid} and ${isOver}
          for no key update`);
        if (card !== undefined) await removeCard(tx, card, because);
      });
      await forgotten.catch((err: unknown) => {
        log.error({ err, uuid: card_uuid, because }, "a card could not be deleted");
      });
    }
  }
}
