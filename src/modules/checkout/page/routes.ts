/**
 * The addresses of the payment page (Interface §4.4, Decision 0041): for browsers, so none of them
 * is in the documents. The token in the path is the only key; there are no cookies.
 *
 * A post of the page's own forms is believed by `form-token.ts`. The one that brings the bank's
 * result comes from another site by nature: it is believed by the challenge's own token, and only
 * as a hint to ask the gateway.
 */

import type { Answer } from "../../../infra/http/answer.ts";
import { ok, plainJson } from "../../../infra/http/answer.ts";
import { type AnswerDoc, publicRoute, type Route } from "../../../infra/http/route.ts";
import type { ErrorCode } from "../../../kit/error-catalogue/catalogue.ts";
import { NotFound, ServiceError } from "../../../kit/errors.ts";
import { field, optional } from "../../../kit/fields/field.ts";
import { text } from "../../../kit/fields/text.ts";
import { Type } from "../../../kit/schema.ts";
import { assetRoute } from "../../../parts/assets.ts";
import { FORM_PAGE_ANSWERS, inHtml } from "../../../parts/page-answers.ts";
import type { CheckoutContext } from "../session/context.ts";
import { errorPage } from "./answers.ts";
import { ASSETS_PATH, serveAsset } from "./assets.ts";
import { showChallenge, showChallengeDocument, takeChallengeResult } from "./challenge.ts";
import { refusedStatusView, showStatus, statusView } from "./checkout-status.ts";
import { takeReports } from "./csp-report.ts";
import { wantsStatus } from "./form-replies.ts";
import { goBack, type PagePost, submitForm } from "./posts.ts";
import { showSession } from "./show-session.ts";

const params = { token: text({ max: 64 }) };
const PAGES: Readonly<Record<number, AnswerDoc>> = {
  ...FORM_PAGE_ANSWERS,
  403: inHtml("It did not come from the page"),
  404: { about: "Nothing is to be paid here", alsoAs: "text/html" },
  410: inHtml("It is over"),
};
const hidden = { isHidden: true, highPriority: true, params, answers: PAGES, errorPage } as const;

function pageRoute(
  method: "GET" | "POST",
  below: string,
  summary: string,
  serve: (ctx: CheckoutContext, call: PagePost) => Promise<Answer>,
): Route<CheckoutContext> {
  return publicRoute({
    ...hidden,
    method,
    path: `/checkout/{token}${below}`,
    summary,
    run: (ctx: CheckoutContext, call) => serve(ctx, { ...call, token: call.params.token }),
  });
}

/** An error's JSON, or its page. */
const asBoth = (status: number): AnswerDoc => ({
  about: PAGES[status]?.about ?? "",
  alsoAs: "text/html",
});
const formAgain = (about: string, error: ErrorCode): AnswerDoc => ({
  about,
  body: refusedStatusView,
  alsoAs: "text/html",
  refusals: [new ServiceError(error)],
});
/** The page's script sends the form with `Accept: application/json`, and reads no pages. */
const ALSO_AS_STATUS: Pick<Route<CheckoutContext>, "answers" | "errorPage"> = {
  answers: {
    ...PAGES,
    200: { about: "How it stands now", body: statusView, alsoAs: "text/html" },
    403: { ...asBoth(403), refusals: [new ServiceError("form_not_from_page")] },
    ...Object.fromEntries([404, 413, 415, 500, 503].map((status) => [status, asBoth(status)])),
    422: formAgain(
      "What is wrong in the form, or why the card was declined",
      "payment_form_refused",
    ),
    429: formAgain("Too often", "too_many_cards_tried"),
  },
  errorPage(status, call) {
    if (!wantsStatus(call)) return errorPage(status, call);
    return { status, body: { message: call.refusal.message } };
  },
};

export const pageRoutes: readonly Route<CheckoutContext>[] = [
  publicRoute({
    ...hidden,
    method: "GET",
    path: "/checkout/{token}",
    summary: "The payment page",
    query: { waiting: optional(text({ max: 1 })) },
    async run(ctx: CheckoutContext, { params: { token }, query, header }): Promise<Answer> {
      return showSession(ctx, { token, header, isWaiting: query.waiting !== undefined });
    },
  }),
  { ...pageRoute("POST", "", "Pay by card", submitForm), ...ALSO_AS_STATUS },
  pageRoute("POST", "/back", "Go back without paying", goBack),
  publicRoute({
    ...hidden,
    method: "GET",
    path: "/checkout/{token}/challenge",
    summary: "What the card's bank asks",
    query: { window: optional(text({ max: 1 })), waiting: optional(text({ max: 1 })) },
    async run(ctx: CheckoutContext, { params: { token }, query, header }): Promise<Answer> {
      const isWindow = query.window !== undefined;
      return showChallenge(ctx, {
        token,
        header,
        isWindow,
        isWaiting: query.waiting !== undefined,
      });
    },
  }),
  pageRoute("GET", "/challenge/document", "The gateway's document", showChallengeDocument),
  {
    ...pageRoute("POST", "/challenge", "What the card's bank answered", takeChallengeResult),
    repeatsMustAgree: true,
  },
  publicRoute({
    method: "GET",
    path: "/checkout/{token}/status",
    summary: "How a payment stands",
    isHidden: true,
    highPriority: true,
    params,
    answers: {
      200: { about: "The step", body: statusView },
      404: { about: "Nothing is to be paid here" },
    },
    async run(ctx: CheckoutContext, { params: { token }, header }): Promise<Answer> {
      const status = await showStatus(ctx, { token, header });
      if (status === undefined) throw new NotFound("no such session");
      return plainJson(status);
    },
  }),
  // A page that was served is not left without its style.
  { ...assetRoute<CheckoutContext>(ASSETS_PATH, serveAsset), highPriority: true },
  publicRoute({
    method: "POST",
    path: "/reports/csp",
    summary: "What a browser reports of a payment page",
    isHidden: true,
    body: { reports: optional(field({ type: "array", items: {} }, (value) => value)) },
    answers: { 200: { about: "Taken", body: Type.Object({ message: Type.String() }) } },
    async run(ctx: CheckoutContext, { body }): Promise<Answer> {
      takeReports(ctx, body.reports);
      return ok();
    },
  }),
];
