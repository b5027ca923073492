/**
 * What a payment link's page shows: the link, and the business that offers it. Found by the last
 * part of its address, whatever became of either.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, computed, type Row, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { ownTerms, ownTermsColumn } from "../accounts/own-terms.ts";
import { PICTURE, SHOP } from "../business/shop.ts";
import type { GatewayContext } from "../gateway/port.ts";
import { paymentLimitsOf } from "../platforms/limits.ts";
import { LINK, type LinkState, SLUG, stateOf } from "./payment-link.ts";

const OFFER = {
  ...LINK,
  country_code: computed(tables.accounts.country_code, sql`account.country_code`),
  at: computed(timestamp, sql`(select app_now())`),
  own_terms: ownTermsColumn("account"),
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

export type Offer = ReturnType<typeof withinOwnLimits>;
export type OfferState = LinkState | "unavailable";

export async function findOffer(db: Queryable, slug: string): Promise<Offer | undefined> {
  if (!SLUG.test(slug)) return undefined;
  const row = await db.maybeOne(sqlOf(OFFER)`
    select ${OFFER_COLUMNS} from payment_links
    join accounts as account using (account_number)
    left join businesses as business using (account_number)
    left join logos as logo using (account_number)
    left join pictures as picture using (account_number)
    where slug = ${slug}`);
  return row && withinOwnLimits(row);
}

/** The business may be paid less or more by now than when the link was made (Decision 0129). */
function withinOwnLimits({ own_terms, ...row }: Row<typeof OFFER>) {
  const own = ownTerms(own_terms);
  const { minimum, maximum } = paymentLimitsOf(row.currency, own);
  const { amount_minor: fixed, amount_min_minor: min, amount_max_minor: max } = row;
  const least = fixed ?? (min !== null && min > minimum.minor ? min : minimum.minor);
  const most = fixed ?? (max !== null && max < maximum.minor ? max : maximum.minor);
  return {
    ...row,
    own,
    amount_min_minor: fixed === null ? least : null,
    amount_max_minor: fixed === null ? most : null,
    takes_payments:
      row.takes_payments && least <= most && least >= minimum.minor && most <= maximum.minor,
  };
}

/** Unavailable: the business takes no payments there, for a reason that is not the link's. */
export function offerState({ gateways }: GatewayContext, offer: Offer): OfferState {
  const isServed = offer.takes_payments && gateways[offer.environment] !== undefined;
  return isServed ? stateOf(offer) : "unavailable";
}
