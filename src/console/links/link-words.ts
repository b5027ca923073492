/** How payment links are spoken of in the console. */

import type { Html } from "../../kit/html.ts";
import { type Currency, money } from "../../kit/money.ts";
import { type LinkRow, type LinkState, stateOf } from "../../modules/payment-links/payment-link.ts";
import { badge } from "../../parts/badge.ts";
import { moneyText } from "../../parts/money.ts";

export const LINKS = "/console/links";

export function linkHref({ link_id }: Pick<LinkRow, "link_id">): string {
  return `${LINKS}/${link_id}`;
}

const STATE_BADGES: Readonly<Record<LinkState, Html>> = {
  open: badge("good", "Open"),
  off: badge("plain", "Switched off"),
  expired: badge("warn", "Closed"),
  full: badge("warn", "Fully paid"),
};

export function linkBadge(link: LinkRow): Html {
  return STATE_BADGES[stateOf(link)];
}

export function priceWords(link: LinkRow): string {
  const { currency, amount_minor: fixed, amount_min_minor: min, amount_max_minor: max } = link;
  const words = (minor: bigint) => moneyText(money(currency, minor));
  if (fixed !== null) return words(fixed);
  return min === null || max === null ? "" : `${words(min)} to ${words(max)}`;
}

export function paidWords({ paid_count: paid, max_payments: max }: LinkRow): string {
  return max === null ? `${paid}` : `${paid} of ${max}`;
}

export function sumOf({
  currency,
  paid_minor,
}: {
  readonly currency: Currency;
  readonly paid_minor: bigint;
}) {
  return money(currency, paid_minor);
}
