/** The payment request (Interface §4.4): public, because a customer's own browser may send it. */

import type { Config } from "../../../infra/config.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { type Answer, bodyOf, ok } from "../../../infra/http/answer.ts";
import {
  type AnswerDoc,
  publicRoute,
  type RequestExample,
  type Route,
} from "../../../infra/http/route.ts";
import { exampleOfFields } from "../../../kit/fields/example.ts";
import { Type } from "../../../kit/schema.ts";
import { shownText, shownTransactionId } from "../../../kit/shown.ts";
import { AccountTakesNoPayments, OrderIdTaken } from "../../transactions/record-transaction.ts";
import { seeOther } from "../page/answers.ts";
import { paymentKeysOf } from "../result/payment-keys.ts";
import { ONLY_HTTPS_LIVE } from "../result/response-url.ts";
import { type DeskContext, openCheckout, orderKey } from "./checkout-desk.ts";
import { EmailIsTheMerchants } from "./email-is-the-merchants.ts";
import { helperRoutes } from "./helper-routes.ts";
import { openOne } from "./known-order.ts";
import type { OpenedCheckout } from "./new-session.ts";
import { type PaymentRequest, paymentRequestOf } from "./payment-request.ts";
import { isBrowser, KnownMerchantRefused, refusalAnswer } from "./refusal-answer.ts";
import { requestFields, rulesOf } from "./request-fields.ts";

const answerBody = Type.Object(
  {
    url: shownText(
      "Of the page to pay at; on failure, of the merchant's page.",
      "https://pay.example.com/checkout/9vJx2Kc7",
    ),
    message: shownText("`OK`, or what is wrong.", "OK"),
    transaction_id: shownTransactionId(
      "Keep it: everything is reconciled by it. Empty on failure.",
    ),
  },
  { title: "PaymentAnswer" },
);

const SHOP = "https://shop.example/paid";

/** As it is told where `response_url` is good; elsewhere `url` is empty. */
const showFailed = (message: string) => {
  const reason = new URLSearchParams({ status: "error", message, reasonDescription: message });
  return { url: `${SHOP}?${reason}&order_id=order-1&transaction_id=`, message, transaction_id: "" };
};
const showRefused = (message: string) => ({ url: "", message, transaction_id: "" });

const refused = (about: string): AnswerDoc => ({
  about,
  body: answerBody,
  alsoAs: "text/html",
  showRefusal: showRefused,
});

const unfit = (fields: RequestFields): AnswerDoc => ({
  ...refused("A field is invalid, the account cannot take it, or the order was paid or tried"),
  showRefusal: showFailed,
  refusals: [
    new AccountTakesNoPayments(),
    new OrderIdTaken(""),
    new EmailIsTheMerchants(),
    ...betweenFields(fields),
    ONLY_HTTPS_LIVE,
  ],
});

/** What is said of fields that do not go together. */
function betweenFields({ lname, addr2, country }: RequestFields) {
  return [
    () => lname.read("Mohammed", "lname", {}),
    () => addr2.read("Woodbrook", "addr2", {}),
    () => country.read("US", "country", { state: "TT-POS" }),
  ];
}

type RequestFields = ReturnType<typeof requestFields>;

/** What a request needs, and what more it may say. */
function examplesOf(fields: RequestFields): Record<string, RequestExample> {
  const required = Object.entries(fields).flatMap(([name, one]) => (one.required ? [name] : []));
  const whole = Object.keys(fields).filter((name) => name !== "name");
  return {
    smallest: { about: "All that a request needs", body: exampleOfFields(fields, required) },
    whole: {
      about: "All that a request may say",
      body: { ...exampleOfFields(fields, whole), order_id: "order-2", method: "3co_simple" },
    },
  };
}

export function requestRoutes(config: Config): readonly Route<DeskContext>[] {
  return [paymentRequestRoute(config), ...helperRoutes];
}

function paymentRequestRoute(config: Config): Route<DeskContext> {
  const rules = rulesOf(config);
  const fields = requestFields(rules);
  return publicRoute({
    method: "POST",
    path: "/plugins/payments/request",
    base: "payments",
    group: "Checkout",
    summary: "Ask for a payment",
    about:
      "Answers with the address of a page at which the customer pays, and with the id that the " +
      "payment has from then on. That is no confirmation of payment. A form that a browser posts " +
      "(its Accept has text/html) is sent on to the page, or back to `response_url` with the " +
      "reason; everybody else reads JSON and is never redirected. The same order with other " +
      "details replaces the payment that is open, which ends as failed with `[3-R97]`, as long " +
      "as no card was tried for it.",
    limit: { name: "payment_request", per: "address" },
    idempotent: true,
    keyOwnerOf: (body) => ({
      accountNumber: body.account_number,
      environment: body.environment,
    }),
    body: fields,
    examples: examplesOf(fields),
    errorPage: (status, call) => refusalAnswer(config, rules, status, call),
    answers: {
      200: { about: "The page is open", body: answerBody },
      303: {
        about: "To a browser: the page, or the merchant's page with the reason",
        body: Type.String(),
        contentType: "text/html",
        headers: ["Location"],
      },
      400: unfit(fields),
      408: refused("The body did not arrive in time"),
      409: refused("A request with this Idempotency-Key is still running"),
      413: refused("The body is larger than 64 KiB"),
      415: refused("The body is neither JSON nor form data"),
      421: refused("The Host header names a host that is not served here"),
      422: refused("The Idempotency-Key was used with a different request"),
      429: refused("Too many requests from this address or for this merchant"),
      431: refused("The header fields are too many"),
      500: refused("Our mistake"),
      503: refused("Too busy, stopping, or the database is away"),
    },
    async run(ctx: DeskContext, call) {
      const request = paymentRequestOf(ctx.config, call.body);
      try {
        const at = await demandMerchant(ctx, request);
        const answer =
          call.header("idempotency-key") === undefined
            ? answerOf(await openCheckout(ctx, { request, at }))
            : await openKeyed(ctx, request, call);
        return isBrowser(call) ? redirectOf(answer) : answer;
      } catch (error) {
        throw await signable(ctx, request, error);
      }
    },
  });
}

/** Requests for one order wait for each other before they have a connection. */
function openKeyed(
  ctx: DeskContext,
  request: PaymentRequest,
  { once }: { once(work: (tx: Tx) => Promise<Answer>): Promise<Answer> },
): Promise<Answer> {
  return ctx.desk.orders.run(orderKey(request.transaction), () =>
    once(async (tx) => answerOf(await openOne(ctx, tx, request))),
  );
}

function answerOf({ url, transactionId }: OpenedCheckout): Answer {
  return ok({ url, transaction_id: transactionId });
}

/** JSON is what is kept under a key, so that each is told again in the form that it reads. */
function redirectOf(answer: Answer): Answer {
  const { url } = JSON.parse(bodyOf(answer).toString()) as { url: string };
  const redirect = seeOther(url);
  return { ...redirect, headers: { ...answer.headers, ...redirect.headers } };
}

/** Tells when it was found that this merchant may be paid. */
async function demandMerchant({ desk }: DeskContext, request: PaymentRequest): Promise<Date> {
  const { email, at } = await desk.findMerchant(request.transaction);
  if (email === request.email) throw new EmailIsTheMerchants();
  return at;
}

/** What is refused of a merchant who is known is signed with that merchant's secret. */
async function signable(
  { db, config }: DeskContext,
  { transaction }: PaymentRequest,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof OrderIdTaken || error instanceof EmailIsTheMerchants)) return error;
  return new KnownMerchantRefused(error, await paymentKeysOf(db, config, transaction));
}
