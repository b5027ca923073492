/**
 * What a browser gets at a payment link's address (Decision 0100): the offer and its form, the way
 * on to the payment page, and what became of the payment. Nothing here is kept by a cache, because
 * each form has an order of its own.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { formTokenOf, isFormToken } from "../../infra/http/own-form.ts";
import type { RefusedCall } from "../../infra/http/route.ts";
import type { ErrorCode } from "../../kit/error-catalogue/catalogue.ts";
import { html } from "../../kit/html.ts";
import { documentPolicy, HTML_TYPE, seeOther } from "../../parts/page.ts";
import { chooseLanguage, languageHeaders } from "../../words/choose-language.ts";
import { linkWords } from "../../words/link/link-words.ts";
import { newNonce, pageHeaders } from "../checkout/page/page-headers.ts";
import type { OpenerContext } from "../checkout/request/checkout-opener.ts";
import { BeyondLimits } from "../platforms/fee-quote.ts";
import { AccountTakesNoPayments } from "../transactions/new-transaction.ts";
import { type LinkPage, pathOf, renderPlain } from "./link-document.ts";
import { readLinkForm, type Typed } from "./link-form.ts";
import { findOffer, type Offer, type OfferState, offerState } from "./offer.ts";
import { isOrder, newOrder, openLinkPayment } from "./open-payment.ts";
import { SLUG } from "./payment-link.ts";
import { type LinkForm, renderOffer } from "./render-offer.ts";
import { renderClosed } from "./render-outcome.ts";

/** A browser's call of a link's page. */
export interface LinkVisit {
  readonly slug: string;
  readonly frame: string | undefined;
  header(name: string): string | undefined;
}

const NOTHING_TYPED: Typed = { amount: "", reference: "" };

export async function showLink(ctx: OpenerContext, visit: LinkVisit): Promise<Answer> {
  const offer = await findOffer(ctx.db, visit.slug);
  if (offer === undefined) return notFound(ctx, visit);
  const state = offerState(ctx, offer);
  if (state !== "open") return closed(ctx, visit, offer, state);
  return showForm(ctx, visit, offer, { orderId: newOrder(), typed: NOTHING_TYPED, problems: {} });
}

export async function startPayment(
  ctx: OpenerContext,
  visit: LinkVisit & { texts(): Readonly<Record<string, string>> },
): Promise<Answer> {
  const offer = await findOffer(ctx.db, visit.slug);
  if (offer === undefined) return notFound(ctx, visit);
  const state = offerState(ctx, offer);
  if (state !== "open") return closed(ctx, visit, offer, state);
  const { order: orderId = "", form_token: proof = "", ...given } = visit.texts();
  const typed = { amount: given.amount ?? "", reference: given.reference ?? "" };
  const page = pageOf(visit, offer);
  const isOurs =
    isOrder(orderId) && isFormToken(ctx.config.tokenPeppers, formOf(offer, orderId), proof);
  // A form that is not one of ours is shown again with an order that is.
  if (!isOurs)
    return showForm(ctx, visit, offer, { orderId: newOrder(), typed, problems: {} }, 422);
  const read = readLinkForm(offer, typed, page);
  if ("problems" in read)
    return showForm(ctx, visit, offer, { orderId, typed, problems: read.problems }, 422);
  try {
    const asked = { ...read, orderId, isFramed: page.isFramed, language: page.language };
    const path = await openLinkPayment(ctx, offer, asked);
    return path === undefined ? closed(ctx, visit, offer, "expired") : seeOther(path);
  } catch (error) {
    // Also where the limits of the account were changed since the offer was read.
    if (error instanceof AccountTakesNoPayments || error instanceof BeyondLimits)
      return closed(ctx, visit, offer, "unavailable");
    throw error;
  }
}

function showForm(
  ctx: OpenerContext,
  visit: LinkVisit,
  offer: Offer,
  form: Omit<LinkForm, "formToken">,
  status = 200,
): Answer {
  const formToken = formTokenOf(ctx.config.tokenPeppers, formOf(offer, form.orderId));
  return htmlAnswer(ctx, pageOf(visit, offer), status, (page) =>
    renderOffer(page, offer, { ...form, formToken }),
  );
}

/** The order is bound to its link: nobody pays another order of the merchant with it. */
function formOf({ slug }: Offer, orderId: string) {
  return { pages: "payment link", boundTo: `${slug} ${orderId}` } as const;
}

function closed(
  ctx: OpenerContext,
  visit: LinkVisit,
  offer: Offer,
  state: Exclude<OfferState, "open">,
): Answer {
  return htmlAnswer(ctx, pageOf(visit, offer), 410, (page) => renderClosed(page, offer, state));
}

export function notFound(ctx: Pick<OpenerContext, "config">, visit: LinkVisit): Answer {
  const page = pageOf(visit);
  return htmlAnswer(ctx, page, 404, () => renderPlain(page, page.t.missing));
}

export type PageChoice = Omit<LinkPage, "nonce">;

/** A browser says itself that it loads a frame; a parameter does it for those that do not. */
export function pageOf(
  { frame, header }: Pick<LinkVisit, "frame" | "header">,
  offer?: Pick<Offer, "language" | "business_language">,
): PageChoice {
  const language = chooseLanguage({
    requested: offer?.language ?? undefined,
    acceptLanguage: header("accept-language"),
    business: offer?.business_language ?? undefined,
  });
  const isFramed = frame !== undefined || header("sec-fetch-dest") === "iframe";
  return { t: linkWords(language), language, isFramed };
}

/** Which error an answer of 400 or more is. */
const PAGE_ERRORS: Readonly<Record<number, ErrorCode>> = {
  404: "not_found",
  410: "payment_link_closed",
  422: "payment_form_refused",
};

export function htmlAnswer(
  { config }: Pick<OpenerContext, "config">,
  page: PageChoice,
  status: number,
  render: (page: LinkPage) => string,
): Answer {
  const nonce = newNonce();
  const error = PAGE_ERRORS[status];
  return {
    status,
    ...(error && { error }),
    body: render({ ...page, nonce }),
    contentType: HTML_TYPE,
    headers: {
      ...pageHeaders(config, { layout: page.isFramed ? "simple" : "full" }, nonce),
      ...languageHeaders(page),
    },
  };
}

/** In place of an error's JSON, for a browser. */
export function linkErrorPage(status: number, { params: { slug }, header }: RefusedCall): Answer {
  return errorPage(status, header, typeof slug === "string" && SLUG.test(slug) ? slug : undefined);
}

/** Who has paid is not led back to pay again. */
export function doneErrorPage(status: number, { header }: RefusedCall): Answer {
  return errorPage(status, header);
}

function errorPage(status: number, header: LinkVisit["header"], slug?: string): Answer {
  const page = pageOf({ frame: undefined, header });
  const back =
    slug && html`<p><a href="${pathOf({ slug }, false)}">${page.t.trouble.again}</a></p>`;
  const words =
    status === 404 ? page.t.missing : { ...page.t.trouble, ...(back && { link: back }) };
  return {
    status,
    body: renderPlain(page, words),
    contentType: HTML_TYPE,
    headers: { "content-security-policy": documentPolicy(), ...languageHeaders(page) },
  };
}
