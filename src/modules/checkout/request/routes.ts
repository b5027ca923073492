/** The payment request (Interface §4.4): public, because a customer's own browser may send it. */

import type { Config } from "../../../infra/config.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { type Answer, bodyOf, ok } from "../../../infra/http/answer.ts";
import {
  type AnswerDoc,
  type KeyOwner,
  publicRoute,
  type RefusedBody,
  type RequestExample,
  type Route,
} from "../../../infra/http/route.ts";
import { ServiceError } from "../../../kit/errors.ts";
import { exampleOfFields } from "../../../kit/fields/example.ts";
import { textSchema, transactionIdSchema } from "../../../kit/response-schema.ts";
import { Type } from "../../../kit/schema.ts";
import { seeOther } from "../../../parts/page.ts";
import { BeyondLimits } from "../../platforms/fee-quote.ts";
import { AccountTakesNoPayments, OrderIdTaken } from "../../transactions/new-transaction.ts";
import { ITEMS_EXAMPLE, WRONG_ITEMS } from "../../transactions/order-items.ts";
import { DEPRECATED_METHOD, LEGACY_METHOD } from "../../v1-compat/deprecated-method.ts";
import { NO_CREDENTIAL } from "../../v1-compat/v1-use.ts";
import type { Parameter } from "../result/merge-into-url.ts";
import { paymentKeysOf, SANDBOX_KEYS } from "../result/payment-keys.ts";
import { ONLY_HTTPS_LIVE } from "../result/response-url.ts";
import { formSignature } from "../result/result-parameters.ts";
import { fieldsForAccount, type Payee } from "./account-limits.ts";
import { type OpenerContext, queueForOrder } from "./checkout-opener.ts";
import { helperRoutes } from "./helper-routes.ts";
import { openCheckout } from "./known-orders.ts";
import { EmailIsTheMerchants } from "./merchants.ts";
import type { OpenedCheckout, TimedRequest } from "./open-checkouts.ts";
import { type PaymentRequest, paymentRequestOf, withTerms } from "./payment-request.ts";
import { isBrowser, KnownMerchantRefused, refusalAnswer } from "./refusal-answer.ts";
import { type RequestValues, requestFields, rulesOf } from "./request-fields.ts";
import {
  demandSignature,
  type RequestSignature,
  readSignature,
  SignatureMismatch,
  SignatureRequired,
} from "./request-signature.ts";

const answerBody = Type.Object(
  {
    url: textSchema(
      "Of the page to pay at; on failure, of the merchant's page.",
      "https://pay.example.com/checkout/9vJx2Kc7",
    ),
    message: textSchema("`OK`, or what is wrong.", "OK"),
    transaction_id: transactionIdSchema(
      "Keep it: everything is reconciled by it. Empty on failure.",
    ),
  },
  { title: "PaymentAnswer" },
);

const SHOP = "https://shop.example/paid";

/** As it is where `response_url` is good; elsewhere `url` is empty. */
const showFailed = (message: string) => {
  const reason = new URLSearchParams({ status: "error", message, reasonDescription: message });
  return { url: `${SHOP}?${reason}&order_id=order-1&transaction_id=`, message, transaction_id: "" };
};
const showRefused = (message: string) => ({ url: "", message, transaction_id: "" });

const opened: AnswerDoc = {
  about: "The page is open; with `Deprecation` where the method was credit_card",
  body: answerBody,
  headers: ["Deprecation", "Link"],
};

const redirected: AnswerDoc = {
  about: "To a browser: the page, or the merchant's page with the reason",
  body: Type.String(),
  contentType: "text/html",
  headers: ["Location", "Deprecation", "Link"],
};

const refused = (about: string): AnswerDoc => ({
  about,
  body: answerBody,
  alsoAs: "text/html",
  showRefusal: showRefused,
});

const unfit = (fields: RequestFields): AnswerDoc => ({
  ...refused(
    "A field is invalid, the account cannot take it, the signature is wrong or missing, or the " +
      "order was paid or tried",
  ),
  showRefusal: showFailed,
  refusals: [
    new AccountTakesNoPayments(),
    new SignatureRequired(),
    new SignatureMismatch(),
    () => readSignature({ signature: "3f0c", items: [] }),
    new OrderIdTaken(""),
    new EmailIsTheMerchants(),
    ...betweenFields(fields),
    ONLY_HTTPS_LIVE,
  ],
});

/** What is said of fields that do not go together. */
function betweenFields({ lname, addr2, country, items }: RequestFields) {
  return [
    () => lname.read("Mohammed", "lname", {}),
    () => addr2.read("Woodbrook", "addr2", {}),
    () => country.read("US", "country", { state: "TT-POS" }),
    () => items.read(ITEMS_EXAMPLE, "items", { currency: "TTD", total: 0n }),
    ...WRONG_ITEMS.map((wrong) => () => items.read(wrong, "items")),
  ];
}

type RequestFields = ReturnType<typeof requestFields>;

export function requestRoutes(config: Config): readonly Route<OpenerContext>[] {
  return [paymentRequestRoute(config), ...helperRoutes];
}

function paymentRequestRoute(config: Config): Route<OpenerContext> {
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
      "as no card was tried for it. An account may require a `signature` " +
      "(`PATCH /user/payment-key`): then nobody else can ask in its name.",
    limit: { name: "payment_request", per: "address" },
    idempotent: true,
    isLogged: true,
    keyOwnerOf,
    body: fields,
    bodyAfterRefusal: fieldsForAccount({ rules, payeeOf, fields: requestFields }),
    examples: requestExamples(fields),
    errorPage: (status, call) => refusalAnswer(config, rules, status, call),
    answers: {
      200: opened,
      303: redirected,
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
    async run(ctx: OpenerContext, call) {
      const request = paymentRequestOf(call.body);
      const signature = readSignature(call.sentFields());
      try {
        const priced = await demandMerchant(ctx, request, signature);
        const made =
          call.header("idempotency-key") === undefined
            ? answerOf(await ctx.opener.open({ ...priced, failpoint: ctx.failpoint }))
            : await openKeyed(ctx, priced.request, call);
        const answer = isBrowser(call) ? redirectOf(made) : made;
        const isDeprecated = call.sentFields().method === LEGACY_METHOD;
        return isDeprecated ? noteLegacyMethod(ctx, request.transaction, answer) : answer;
      } catch (error) {
        throw await signable(ctx, request, error);
      }
    },
  });
}

function keyOwnerOf({ account_number: accountNumber, environment }: RequestValues): KeyOwner {
  return { accountNumber, environment };
}

/** As they were sent: whether there is such an account is asked with them. */
function payeeOf({ sent }: RefusedBody): Payee {
  return { accountNumber: String(sent.account_number), countryCode: String(sent.country_code) };
}

/** Requests for one order wait for each other before they have a connection. */
function openKeyed(
  ctx: OpenerContext,
  request: PaymentRequest,
  { once }: { once(work: (tx: Tx) => Promise<Answer>): Promise<Answer> },
): Promise<Answer> {
  return queueForOrder(ctx, request.transaction, () =>
    once(async (tx) => answerOf(await openCheckout(ctx, tx, request))),
  );
}

export function answerOf({ url, transactionId }: OpenedCheckout): Answer {
  return ok({ url, transaction_id: transactionId });
}

/** JSON is what is kept under a key: a repeated request gets it in the form that it reads. */
function redirectOf(answer: Answer): Answer {
  const { url } = JSON.parse(bodyOf(answer).toString()) as { url: string };
  const redirect = seeOther(url);
  return { ...redirect, headers: { ...answer.headers, ...redirect.headers } };
}

/**
 * Gives when it was found that this merchant may be paid, and that the request may be its own; with
 * the terms that price it.
 */
async function demandMerchant(
  ctx: OpenerContext,
  request: PaymentRequest,
  signature: RequestSignature | undefined,
): Promise<TimedRequest> {
  const { transaction, email: customerEmail } = request;
  const { email, requiresSignature, at, own } = await ctx.opener.findMerchant(transaction);
  await demandSignature(ctx, transaction, { signature, isRequired: requiresSignature });
  if (email === customerEmail) throw new EmailIsTheMerchants();
  return { request: withTerms(request, own), at };
}

/** The guide that says what to send instead of the deprecated method. */
const GUIDE = "/docs/coming-from-another-integration";

/**
 * A request with the method `credit_card` is taken as `credit_card_co` (Decision 0064). Its answer
 * says so, and it is counted for its account. Which spelling was sent is seen in the body as it
 * came: the fields that were read are the same for both, and so is the request.
 */
function noteLegacyMethod(
  { v1Use, config }: OpenerContext,
  { accountNumber }: PaymentRequest["transaction"],
  answer: Answer,
): Answer {
  v1Use.note({ accountNumber, credential: NO_CREDENTIAL, name: DEPRECATED_METHOD.used });
  const link = `<${config.http.publicUrl}${GUIDE}>; rel="deprecation"`;
  return { ...answer, headers: { ...answer.headers, deprecation: "true", link } };
}

const SIGNED_REFUSALS = [
  OrderIdTaken,
  EmailIsTheMerchants,
  SignatureRequired,
  SignatureMismatch,
  BeyondLimits,
];

/** What is refused of a merchant who is known is signed with that merchant's secret. */
async function signable(
  { db, config }: OpenerContext,
  { transaction }: PaymentRequest,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || !SIGNED_REFUSALS.some((kind) => error instanceof kind))
    return error;
  return new KnownMerchantRefused(error, await paymentKeysOf(db, config, transaction));
}

/** Requests to show: what one needs, what more it may say, and one that is signed. */
function requestExamples(fields: RequestFields): Record<string, RequestExample> {
  const required = Object.entries(fields).flatMap(([name, one]) => (one.required ? [name] : []));
  const whole = Object.keys(fields).filter((name) => name !== "name" && name !== "signature");
  const signed = { ...exampleOfFields(fields, required), order_id: "order-3" };
  return {
    smallest: { about: "All that a request needs", body: exampleOfFields(fields, required) },
    whole: {
      about: "All that a request may say",
      body: { ...exampleOfFields(fields, whole), order_id: "order-2", method: "3co_simple" },
    },
    signed: {
      about: "Signed with the signing secret of the sandbox account, sandbox-signing-secret",
      body: { ...signed, signature: exampleSignature(signed) },
    },
  };
}

function exampleSignature(body: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(body).map(([name, value]): Parameter => [name, String(value)]);
  return formSignature(parameters, SANDBOX_KEYS.signingSecret).toString("hex");
}
