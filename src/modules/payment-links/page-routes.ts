/**
 * The addresses of payment links (Decision 0100): for browsers, so none of them is in the
 * documents. They stand at the base of the payment page.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { type AnswerDoc, publicRoute, type Route } from "../../infra/http/route.ts";
import { NotFound } from "../../kit/errors.ts";
import { optional } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { readAsset } from "../../parts/assets.ts";
import { FORM_PAGE_ANSWERS, inHtml } from "../../parts/page-answers.ts";
import type { OpenerContext } from "../checkout/request/checkout-opener.ts";
import { findOffer } from "./offer.ts";
import { linkUrl } from "./payment-link.ts";
import { qrAnswer } from "./qr-code.ts";
import { showDone } from "./show-done.ts";
import { doneErrorPage, linkErrorPage, showLink, startPayment } from "./show-link.ts";

const params = { slug: text({ max: 64 }) };
const query = { frame: optional(text({ max: 1 })) };
const PAGES: Readonly<Record<number, AnswerDoc>> = {
  ...FORM_PAGE_ANSWERS,
  404: { about: "No such link", alsoAs: "text/html" },
  410: inHtml("It cannot be paid any more, or not now"),
};
const page = {
  base: "payments",
  isHidden: true,
  highPriority: true,
  params,
  query,
  answers: PAGES,
  errorPage: linkErrorPage,
} as const;

const button = readAsset({ base: "/pay", name: "button", kind: "js", files: ["pay/button.js"] });
/** An hour, because its address stays. Any site may load it. */
const BUTTON_HEADERS = {
  "cache-control": "public, max-age=3600",
  "cross-origin-resource-policy": "cross-origin",
};

function qrRoute(kind: "svg" | "png"): Route<OpenerContext> {
  return publicRoute({
    method: "GET",
    path: `/pay/{slug}/qr.${kind}`,
    base: "payments",
    summary: "A payment link as a QR code",
    isHidden: true,
    params,
    answers: {
      200: { about: "The code", contentType: kind === "svg" ? "image/svg+xml" : "image/png" },
      404: { about: "No such link" },
    },
    async run(ctx: OpenerContext, { params: { slug } }): Promise<Answer> {
      const offer = await findOffer(ctx.db, slug);
      if (offer === undefined) throw new NotFound("no such link");
      return qrAnswer(linkUrl(ctx.config, offer.slug), kind);
    },
  });
}

export const linkPageRoutes: readonly Route<OpenerContext>[] = [
  publicRoute({
    method: "GET",
    path: "/pay/button.js",
    base: "payments",
    summary: "The script that opens a payment link in a frame",
    isHidden: true,
    answers: {
      200: { about: "The script", contentType: "text/javascript" },
    },
    run: async (): Promise<Answer> => ({
      status: 200,
      body: button.plain,
      contentType: button.contentType,
      headers: BUTTON_HEADERS,
    }),
  }),
  publicRoute({
    ...page,
    method: "GET",
    path: "/pay/{slug}",
    summary: "A payment link",
    run: (ctx: OpenerContext, call) => showLink(ctx, visitOf(call)),
  }),
  publicRoute({
    ...page,
    method: "POST",
    path: "/pay/{slug}",
    summary: "Continue to payment",
    limit: { name: "payment_request", per: "address" },
    run: (ctx: OpenerContext, call) =>
      startPayment(ctx, { ...visitOf(call), texts: () => call.texts() }),
  }),
  publicRoute({
    ...page,
    method: "GET",
    path: "/pay/{slug}/done",
    summary: "What became of a payment",
    errorPage: doneErrorPage,
    run: (ctx: OpenerContext, call) => showDone(ctx, { ...visitOf(call), url: call.url }),
  }),
  qrRoute("svg"),
  qrRoute("png"),
];

function visitOf(call: {
  readonly params: { readonly slug: string };
  readonly query: { readonly frame: string | undefined };
  header(name: string): string | undefined;
}) {
  return {
    slug: call.params.slug,
    frame: call.query.frame,
    header: (name: string) => call.header(name),
  };
}
