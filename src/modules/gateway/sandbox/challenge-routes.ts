/**
 * The challenge of the simulated card's bank (Decision 0038), opened in the customer's browser in a
 * frame or as a whole window. The token in the address admits one answer.
 */

import type { Infra } from "../../../infra/context.ts";
import type { Answer } from "../../../infra/http/answer.ts";
import { publicRoute, type Route } from "../../../infra/http/route.ts";
import { oneOf } from "../../../kit/fields/choice.ts";
import { text } from "../../../kit/fields/text.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import { HTML_TYPE } from "../../../parts/page.ts";
import {
  CHALLENGE_PAGE_POLICY,
  NO_CHALLENGE_PAGE,
  questionPage,
  returnPage,
  silentPage,
} from "./challenge-page.ts";
import { answerChallenge, findChallenge, returnUrlOf, type SaleEntry } from "./sale-journal.ts";

const BRANDS: Readonly<Record<string, string>> = { visa: "Visa", mastercard: "Mastercard" };
const path = "/sandbox/acs/{token}";
const params = { token: text({ max: 64 }) };
const answers = {
  200: { about: "The bank's page", contentType: "text/html" },
  404: { about: "No payment asks here", alsoAs: "text/html" },
};

export const challengeRoutes: readonly Route<Infra>[] = [
  publicRoute<Infra, Record<never, never>, Record<never, never>, typeof params>({
    method: "GET",
    path,
    summary: "The page of the simulated bank",
    isHidden: true,
    highPriority: true,
    params,
    answers,
    async run({ db, config }, { params: { token } }) {
      return pageOf(config, await findChallenge(db, token));
    },
  }),
  publicRoute({
    method: "POST",
    path,
    summary: "Answer the simulated bank",
    isHidden: true,
    highPriority: true,
    params,
    body: { result: oneOf(["passed", "refused"]) },
    answers,
    async run({ db, config }: Infra, { params: { token }, body }) {
      return pageOf(config, await answerChallenge(db, token, body.result));
    },
  }),
];

function pageOf({ wrappingKeys }: Infra["config"], entry: SaleEntry | undefined): Answer {
  if (entry === undefined) return { ...page(404, NO_CHALLENGE_PAGE), error: "not_found" };
  const facts = {
    amount: entry.is_amount_secret
      ? "See your statement"
      : `${entry.currency} ${formatMoney(money(entry.currency, entry.amount_minor))}`,
    card: `${BRANDS[entry.card_brand] ?? "Card"} ending in ${entry.card_last_four}`,
  };
  const result = entry.challenge_result ?? (entry.outcome === null ? undefined : "refused");
  if (result !== undefined) {
    const returnUrl = returnUrlOf(wrappingKeys, entry);
    return page(200, returnPage({ returnUrl, token: entry.challenge_token ?? "", result }));
  }
  return page(200, entry.is_bank_silent ? silentPage(facts) : questionPage(facts));
}

function page(status: number, body: string): Answer {
  const headers = { "content-security-policy": CHALLENGE_PAGE_POLICY };
  return { status, body, contentType: HTML_TYPE, headers };
}
