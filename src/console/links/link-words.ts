/** How payment links are spoken of in the console. */

import type { Html } from "../../kit/html.ts";
import { type Currency, money } from "../../kit/money.ts";
import type { TermsNow } from "../../modules/accounts/own-terms.ts";
import { type LinkRow, type LinkState, stateOf } from "../../modules/payment-links/payment-link.ts";
import { isPayable, quoteFee } from "../../modules/platforms/fee-quote.ts";
import { paymentLimitsOf } from "../../modules/platforms/limits.ts";
import type { Platform } from "../../modules/platforms/platform.ts";
import { badge } from "../../parts/badge.ts";
import { moneyText } from "../../parts/money.ts";

export const LINKS = "/console/links";
/** Who has the pages of links. */
export const LINKS_ACCESS = { right: "links", onlyBusiness: true } as const;

export function linkHref({ link_id }: Pick<LinkRow, "link_id">): string {
  return `${LINKS}/${link_id}`;
}

const STATE_BADGES: Readonly<Record<LinkState, Html>> = {
  open: badge("good", "Open"),
  off: badge("plain", "Switched off"),
  expired: badge("plain", "Expired"),
  full: badge("plain", "Full"),
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

const FEE_WORDS: Readonly<Record<LinkRow["fee_structure"], string>> = {
  customer_pay: "Paid by the customer",
  merchant_absorb: "Paid by you",
  split: "Shared with the customer",
};

export function feeWords({ fee_structure: payer }: LinkRow): string {
  return FEE_WORDS[payer];
}

export function itemWords({ items }: LinkRow): string | undefined {
  return items?.map(({ name, quantity }) => `${quantity} × ${name}`).join(", ");
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

/** A sum that is ordinary in its currency; those below are worth less. */
const EXAMPLE_MINOR = 100_00n;
const EXAMPLE_MINOR_OF: Partial<Record<Currency, bigint>> = { JMD: 10_000_00n, GYD: 10_000_00n };

/** "On TTD 100.00 the fee is TTD 5.20." */
export function feeExample(platform: Platform, { at, own }: TermsNow): string {
  const currency = platform.localCurrency;
  const usual = money(currency, EXAMPLE_MINOR_OF[currency] ?? EXAMPLE_MINOR);
  const amount = isPayable(usual, own) ? usual : paymentLimitsOf(currency, own).minimum;
  const { total } = quoteFee({ platform, currency, amount, feeStructure: "customer_pay", at, own });
  return `On ${moneyText(amount)} the fee is ${moneyText(total)}.`;
}
