/**
 * What the customer does on the hosted page, as a browser without scripts would send it. The page
 * is no part of the interface and not in the OpenAPI document, so these requests are written here:
 * without them nothing in a collection could be paid, refunded or saved.
 */

import type { UnplacedRequest } from "./make-request.ts";
import type { Step } from "./plan.ts";

const CARD = { number: "4111111111111111", expiry: "12/39", holder: "Anika Mohammed" };

const WORDS = {
  open: "The page at the `url` of the answer before; here only its form's token is read.",
  pay:
    "What the page's form sends. In a browser you would pay with 4111 1111 1111 1111, any later " +
    "expiry and any three digits.",
  confirm: "A saved card is paid with by its security code alone.",
};

const BY_HAND =
  "Now open the `url` of that answer in a browser and pay with 4111 1111 1111 1111, any later " +
  "expiry and any three digits; of a saved card the three digits are asked for alone.";

export function pageRequest(step: Step, page: NonNullable<Step["page"]>): UnplacedRequest {
  const isForm = page !== "open";
  const card = page === "pay" ? CARD : {};
  return {
    name: step.name ?? "",
    about: WORDS[page],
    method: isForm ? "POST" : "GET",
    url: "{{checkout_url}}",
    query: [],
    headers: {
      accept: "text/html",
      ...(isForm
        ? { origin: "{{baseUrl}}", "content-type": "application/x-www-form-urlencoded" }
        : {}),
    },
    body: isForm
      ? {
          kind: "form",
          fields: { form_token: "{{form_token}}", attempts: "0", ...card, cvv: "123" },
        }
      : undefined,
    isSigned: false,
    expects: step.expects ?? 200,
    keeps: step.keeps ?? [],
    byHand: BY_HAND,
  };
}
