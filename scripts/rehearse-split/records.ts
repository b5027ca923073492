/**
 * Rows in as many tables as there are: beside one record of all that a path can name, a shop with
 * all that the console shows, a charged card, a paid link and an open dispute.
 */

import { sql } from "../../src/infra/db/query.ts";
import { openChargeback } from "../../src/modules/transactions/dispute.ts";
import { CARDS, submit } from "../../testkit/checkout-sessions.ts";
import { openFullShop } from "../../testkit/full-shop.ts";
import { makeLink, openLinkOrder, WITH_EMAIL } from "../../testkit/payment-links.ts";
import { keepRecords, openHolder } from "../../testkit/records.ts";
import type { TestService } from "../../testkit/service.ts";
import { askToCharge, payWithCode, verifiedCard } from "../../testkit/trusted-cards.ts";
import { happen } from "../../testkit/webhook-endpoints.ts";

/** The accounts that they are of. */
export async function keepRecordsOfAll(service: TestService): Promise<string[]> {
  const holder = await openHolder(service);
  const { "/transactions/{transaction_id}": transactionId = "" } = await keepRecords(
    service,
    holder,
    "live",
  );
  await service.ctx.db.transaction((tx) =>
    openChargeback(tx, { transactionId, by: "ria", why: "case 4711 of the bank" }),
  );
  const { owner } = await openFullShop(service);
  await tellOfPayments(service, owner);
  await payWithCode(
    service,
    await askToCharge(service, await verifiedCard(service, { shop: owner })),
  );
  const link = await makeLink(service, { token: holder.token });
  const order = await openLinkOrder(service, link, holder);
  await submit(service, order, CARDS.approved, WITH_EMAIL);
  return [holder.accountNumber, owner.accountNumber];
}

/** The console's payments were written without a request, so nobody was told that they began. */
async function tellOfPayments(
  service: TestService,
  owner: { readonly accountNumber: string },
): Promise<void> {
  const rows = await service.ctx.db.rows<{ resource: string }>(sql`
    select transaction_id as resource from transactions
    where account_number = ${owner.accountNumber}`);
  for (const { resource } of rows)
    await happen(service, owner, ["payment.created"], { environment: "sandbox", resource });
}
