/**
 * Asks for a payment as the link's merchant would (Decision 0100): an ordinary request, of an order
 * that stands in the form. The same form sent twice is the same request, so it leads to the same
 * page; one whose order was paid or tried leads to that payment as it stands.
 */

import { randomInt } from "node:crypto";
import { sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { money } from "../../kit/money.ts";
import type { Language } from "../../kit/vocabulary.ts";
import type { OpenerContext } from "../checkout/request/checkout-opener.ts";
import { type PaymentRequest, withTerms } from "../checkout/request/payment-request.ts";
import { checkoutToken } from "../checkout/session/checkout-token.ts";
import { OrderIdTaken } from "../transactions/new-transaction.ts";
import { DESCRIPTION_LENGTH_MAX } from "../transactions/order-fields.ts";
import type { Offer } from "./offer.ts";
import { doneUrl } from "./payment-link.ts";

const ORIGIN = "payment-link";
const ORDER_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ORDER_RANDOM_LENGTH = 15;
const ORDER = /^L[0-9A-HJKMNP-TV-Z]{15}$/;

/** `L` and 15 characters. */
export function newOrder(): string {
  const letter = () => ORDER_LETTERS.charAt(randomInt(ORDER_LETTERS.length));
  return `L${Array.from({ length: ORDER_RANDOM_LENGTH }, letter).join("")}`;
}

export function isOrder(given: string): boolean {
  return ORDER.test(given);
}

export interface AskedPayment {
  readonly orderId: string;
  readonly minor: bigint;
  /** What the customer typed for `reference_label`. */
  readonly reference: string | null;
  readonly isFramed: boolean;
  /** In which the page was shown. */
  readonly language: Language;
}

/** The path of the page to pay at; undefined: the link has expired meanwhile. */
export async function openLinkPayment(
  ctx: OpenerContext,
  offer: Offer,
  asked: AskedPayment,
): Promise<string | undefined> {
  const { at, own } = await ctx.opener.findMerchant({
    accountNumber: offer.account_number,
    environment: offer.environment,
    countryCode: offer.country_code,
  });
  const request = withTerms(requestOf(ctx, offer, asked), own);
  // That moment is the beginning of the payment, so none begins after the end of its link.
  if (offer.expires_at !== null && offer.expires_at <= at) return undefined;
  try {
    const { url } = await ctx.opener.open({ request, at, failpoint: ctx.failpoint });
    return new URL(url).pathname;
  } catch (error) {
    const known = error instanceof OrderIdTaken ? await findPage(ctx, request) : undefined;
    if (known === undefined) throw error;
    return known;
  }
}

function requestOf(ctx: OpenerContext, offer: Offer, asked: AskedPayment): PaymentRequest {
  const { account_number: accountNumber, environment, country_code: countryCode } = offer;
  const { orderId, minor, reference, isFramed, language } = asked;
  const method = isFramed ? "3co_simple" : "credit_card_co";
  return {
    purpose: "link",
    transaction: {
      accountNumber,
      environment,
      countryCode,
      total: money(offer.currency, minor),
      feeStructure: offer.fee_structure,
      orderId,
      checkoutMethod: method,
      origin: ORIGIN,
      customer: {},
      details: {},
      order: {
        language,
        description: descriptionOf(offer),
        items: offer.items ?? undefined,
      },
      link: { linkId: offer.link_id, reference },
    },
    email: undefined,
    responseUrl: offer.success_url ?? doneUrl(ctx.config, { slug: offer.slug, method }),
    isAvs: false,
    cardType: undefined,
    words: { payment_link: offer.link_id, total: minor, reference, method, language },
  };
}

/** What was bought stands on receipts, so the title comes first. */
function descriptionOf({ title, description }: Offer): string {
  if (description === null) return title;
  return [...`${title}: ${description}`].slice(0, DESCRIPTION_LENGTH_MAX).join("");
}

const KNOWN = pick(tables.checkout_sessions, "transaction_id", "token_key_id");

async function findPage(
  { db, config }: OpenerContext,
  { transaction: { accountNumber, environment, orderId, link } }: PaymentRequest,
): Promise<string | undefined> {
  const known = await db.maybeOne(sqlOf(KNOWN)`
    select transaction_id, token_key_id from transactions
    join checkout_sessions using (transaction_id)
    where account_number = ${accountNumber} and environment = ${environment}
      and order_id = ${orderId} and status in ('incomplete', 'success')
      and payment_link = ${link?.linkId}`);
  const made = known && checkoutToken(config, known.transaction_id, known.token_key_id);
  return made && `/checkout/${made.token}`;
}
