/**
 * What a payment link's page shows: the link, and the business that offers it. Found by the last
 * part of its address, whatever became of either.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, computed, type Row, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { PICTURE, SHOP } from "../business/shop.ts";
import type { GatewayContext } from "../gateway/port.ts";
import { LINK, type LinkState, SLUG, stateOf } from "./payment-link.ts";

const OFFER = {
  ...LINK,
  country_code: computed(tables.accounts.country_code, sql`account.country_code`),
  at: computed(timestamp, sql`(select app_now())`),
  takes_payments: computed(
    bool,
    sql`account.status = 'active' and account.account_type = 'BUSINESS'
      and (payment_links.environment = 'sandbox' or account.verified_at is not null)`,
  ),
  ...SHOP,
  ...PICTURE,
  website: computed(tables.businesses.website, sql`business.website`),
  support_email: computed(tables.businesses.support_email, sql`business.support_email`),
  support_phone: computed(tables.businesses.support_phone, sql`business.support_phone`),
  accent_colour: computed(tables.businesses.accent_colour, sql`business.accent_colour`),
};
const OFFER_COLUMNS = columns(OFFER, "payment_links");

export type Offer = Row<typeof OFFER>;
export type OfferState = LinkState | "unavailable";

export async function findOffer(db: Queryable, slug: string): Promise<Offer | undefined> {
  if (!SLUG.test(slug)) return undefined;
  return db.maybeOne(sqlOf(OFFER)`
    select ${OFFER_COLUMNS} from payment_links
    join accounts as account using (account_number)
    left join businesses as business using (account_number)
    left join logos as logo using (account_number)
    left join pictures as picture using (account_number)
    where slug = ${slug}`);
}

/** Unavailable: the business takes no payments there, for a reason that is not the link's. */
export function offerState({ gateways }: GatewayContext, offer: Offer): OfferState {
  const isServed = offer.takes_payments && gateways[offer.environment] !== undefined;
  return isServed ? stateOf(offer) : "unavailable";
}
