/**
 * The challenge of the simulated card's bank (Decision 0038), opened in the customer's browser in a
 * frame or as a whole window. The token in the address admits one answer.
 */

import type { Infra } from "../../../infra/context.ts";
import type { Answer } from "../../../infra/http/answer.ts";
import { publicRoute, type Route } from "../../../infra/http/route.ts";
import { oneOf } from "../../../kit/fields/choice.ts";
import { optional } from "../../../kit/fields/field.ts";
import { text } from "../../../kit/fields/text.ts";
import { money } from "../../../kit/money.ts";
import { HTML_TYPE } from "../../../parts/page.ts";
import { bankWords } from "../../../words/bank/bank-words.ts";
import type { BankWords } from "../../../words/bank/en.ts";
import { chooseLanguage, languageHeaders, languageNamed } from "../../../words/choose-language.ts";
import {
  CHALLENGE_PAGE_POLICY,
  noChallengePage,
  questionPage,
  returnPage,
  silentPage,
} from "./challenge-page.ts";
import { answerChallenge, findChallenge, returnUrlOf, type SaleEntry } from "./sale-journal.ts";

const BRANDS: Readonly<Record<string, string>> = { visa: "Visa", mastercard: "Mastercard" };
const path = "/sandbox/acs/{token}";
const params = { token: text({ max: 64 }) };
/** Named by the page that leads here, and no reason to refuse anything. */
const query = { language: optional(text({ max: 64 })) };
const answers = {
  200: { about: "The bank's page", contentType: "text/html" },
  404: { about: "No payment asks here", alsoAs: "text/html" },
};

interface BankCall {
  readonly query: { readonly language?: string | undefined };
  header(name: string): string | undefined;
}

export const challengeRoutes: readonly Route<Infra>[] = [
  publicRoute<Infra, Record<never, never>, typeof query, typeof params>({
    method: "GET",
    path,
    summary: "The page of the simulated bank",
    isHidden: true,
    highPriority: true,
    params,
    query,
    answers,
    async run({ db, config }, { params: { token }, ...call }) {
      return pageOf(config, wordsFor(call), await findChallenge(db, token));
    },
  }),
  publicRoute({
    method: "POST",
    path,
    summary: "Answer the simulated bank",
    isHidden: true,
    highPriority: true,
    params,
    query,
    body: { result: oneOf(["passed", "refused"]) },
    answers,
    async run({ db, config }: Infra, { params: { token }, body, ...call }) {
      return pageOf(config, wordsFor(call), await answerChallenge(db, token, body.result));
    },
  }),
];

/** In the language of the payment page, which its document passes on; else in the browser's. */
function wordsFor({ query, header }: BankCall): BankWords {
  const requested = languageNamed(query.language);
  return bankWords(chooseLanguage({ requested, acceptLanguage: header("accept-language") }));
}

function pageOf(
  { wrappingKeys }: Infra["config"],
  t: BankWords,
  entry: SaleEntry | undefined,
): Answer {
  if (entry === undefined) return { ...page(404, t, noChallengePage(t)), error: "not_found" };
  const facts = {
    amount: entry.is_amount_secret ? t.secret : t.money(money(entry.currency, entry.amount_minor)),
    card: t.endingIn(BRANDS[entry.card_brand] ?? t.card, entry.card_last_four),
  };
  const result = entry.challenge_result ?? (entry.outcome === null ? undefined : "refused");
  if (result !== undefined) {
    const returnUrl = returnUrlOf(wrappingKeys, entry);
    const token = entry.challenge_token ?? "";
    return page(200, t, returnPage(t, { returnUrl, token, result }));
  }
  return page(200, t, entry.is_bank_silent ? silentPage(t, facts) : questionPage(t, facts));
}

function page(status: number, t: BankWords, body: string): Answer {
  const headers = {
    "content-security-policy": CHALLENGE_PAGE_POLICY,
    ...languageHeaders(t),
  };
  return { status, body, contentType: HTML_TYPE, headers };
}
