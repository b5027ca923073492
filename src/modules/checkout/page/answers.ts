/** Pages as answers: the text, the headers that belong to it, and never a word of it kept. */

import type { Config } from "../../../infra/config.ts";
import type { Answer } from "../../../infra/http/answer.ts";
import type { RefusedCall } from "../../../infra/http/route.ts";
import type { ErrorCode } from "../../../kit/error-catalogue/catalogue.ts";
import { documentPolicy, HTML_TYPE } from "../../../parts/page.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import { languageHeaders } from "../../../words/choose-language.ts";
import { CHECKOUT_TOKEN } from "../session/checkout-token.ts";
import type { PageLayout } from "./checkout-document.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { newNonce, type PageFacts, pageHeaders } from "./page-headers.ts";
import { wordsFor } from "./page-words.ts";
import { type PlainWords, renderPage, renderPlainPage } from "./render-page.ts";

interface InWords {
  readonly t: Texts;
}

export function pageAnswer(
  config: Config,
  status: number,
  view: CheckoutView,
  { t, ...facts }: Omit<PageFacts, "layout"> & InWords,
): Answer {
  const nonce = newNonce();
  return {
    status,
    ...errorOf(status),
    body: renderPage(view, { t, nonce }),
    contentType: HTML_TYPE,
    headers: {
      ...pageHeaders(config, { ...facts, layout: view.layout }, nonce),
      ...languageHeaders(t),
    },
  };
}

export function plainAnswer(
  config: Pick<Config, "http">,
  status: number,
  words: PlainWords,
  { t, shownAs, ...facts }: PageFacts & InWords & { readonly shownAs?: PageLayout },
): Answer {
  return {
    status,
    ...errorOf(status),
    body: renderPlainPage(words, t, shownAs),
    contentType: HTML_TYPE,
    headers: { ...pageHeaders(config, facts, newNonce()), ...languageHeaders(t) },
  };
}

/** Which error an answer of 400 or more is: of those that a page shows without a refusal. */
export const PAGE_ERRORS: Readonly<Record<number, ErrorCode>> = {
  403: "form_not_from_page",
  404: "not_found",
  410: "checkout_over",
  422: "payment_form_refused",
  429: "too_many_cards_tried",
};

function errorOf(status: number): Pick<Answer, "error"> {
  const error = PAGE_ERRORS[status];
  return error === undefined ? {} : { error };
}

/** In place of an error's JSON, for a browser. */
export function errorPage(status: number, call: RefusedCall): Answer {
  const t = wordsFor(call);
  const { token } = call.params;
  const isToken = typeof token === "string" && CHECKOUT_TOKEN.test(token);
  const again = { to: isToken ? `/checkout/${token}` : "", text: t.trouble.again };
  const words = status === 404 ? t.notFound : { ...t.trouble, link: again };
  return {
    status,
    body: renderPlainPage(words, t),
    contentType: HTML_TYPE,
    headers: { "content-security-policy": documentPolicy(), ...languageHeaders(t) },
  };
}
