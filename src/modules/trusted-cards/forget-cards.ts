/**
 * Once a minute: cards that nobody verified within their day are deleted, so are those of accounts
 * that were closed, and amounts that wait to be returned are returned (Decision 0043).
 */

import { recordAudit } from "../../infra/audit.ts";
import { type Sql, sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import type { GatewayContext } from "../gateway/gateway.ts";
import { ENVIRONMENTS } from "../transactions/transaction.ts";
import { tellDue } from "./card-metrics.ts";
import { type RemovedBecause, removeCard } from "./remove-card.ts";
import { returnCharge } from "./return-charge.ts";

/** A sweep that meets more leaves them to the next one. */
const AT_ONCE_MAX = 100;

export const forgetCardsJob = defineJob({
  name: "forget-cards",
  everyMinute: true,
  async run(ctx: GatewayContext) {
    await forgetCards(ctx);
    await returnDue(ctx);
  },
});

/** Which cards are over, and why. */
const OVER: Readonly<Partial<Record<RemovedBecause, Sql>>> = {
  "not verified in time": sql`state = 'unverified' and verify_expires_at <= app_now()`,
  "the account was closed": sql`state <> 'deleted' and account_number in (
    select account_number from accounts where status = 'closed')`,
};

export async function forgetCards({ db }: Pick<GatewayContext, "db">): Promise<void> {
  for (const [because, isOver] of Object.entries(OVER) as [RemovedBecause, Sql][])
    await db.transaction(async (tx) => {
      const over = await tx.rows<{ card_uuid: string; account_number: string }>(sql`
        select card_uuid, account_number from trusted_cards where ${isOver}
        limit ${AT_ONCE_MAX} for no key update skip locked`);
      for (const { card_uuid, account_number: accountNumber } of over) {
        await removeCard(tx, { card_uuid }, because);
        await recordAudit(tx, {
          action: "trusted_card_deleted",
          accountNumber,
          actor: "trusted cards",
          detail: { uuid: card_uuid, because },
        });
      }
    });
}

/** Every one that is due, whoever forgot it; those without a gateway wait for one. */
export async function returnDue(ctx: GatewayContext): Promise<void> {
  const served = ENVIRONMENTS.filter((environment) => ctx.gateways[environment] !== undefined);
  const due = await ctx.db.rows<{ transaction_id: string }>(sql`
    select transaction_id from card_checks
    where next_return_at <= app_now() and environment = any (${served})
    order by next_return_at limit ${AT_ONCE_MAX}`);
  tellDue(due.length);
  for (const { transaction_id } of due)
    await returnCharge(ctx, transaction_id).catch((err: unknown) => {
      // One that cannot be returned must not keep the others waiting.
      ctx.log.error({ err, transactionId: transaction_id }, "a card's amount was not returned");
    });
}
