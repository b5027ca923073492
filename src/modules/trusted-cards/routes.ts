/** Saving, verifying, charging and deleting cards (Interface §4.5, Decisions 0042 and 0043). */

import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import { ok, plainJson } from "../../infra/http/answer.ts";
import { type Caller, environmentOf, reachOf } from "../../infra/http/caller.ts";
import { protectedRoute, type Route } from "../../infra/http/route.ts";
import { amount } from "../../kit/fields/amount.ts";
import { described } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { pageAnswer, pageBody, pageFields } from "../../kit/page.ts";
import {
  EXAMPLE,
  said,
  saidOnly,
  saidWith,
  textSchema,
  transactionIdSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { fieldsForAccount } from "../checkout/request/account-limits.ts";
import { type OpenerContext, queueForOrder } from "../checkout/request/checkout-opener.ts";
import { EmailIsTheMerchants } from "../checkout/request/merchants.ts";
import { type FieldRules, rulesOf } from "../checkout/request/request-fields.ts";
import { answerOf } from "../checkout/request/routes.ts";
import { ONLY_HTTPS_LIVE } from "../checkout/result/response-url.ts";
import { AccountTakesNoPayments, OrderIdTaken } from "../transactions/new-transaction.ts";
import { CARD_REFUSALS, chargeCard, readyCharge } from "./charge-card.ts";
import { CardIsBeingCharged, deleteCard } from "./delete-card.ts";
import { chargeFields, environmentField, saveFields } from "./request-fields.ts";
import { readySave, saveCard } from "./save-card.ts";
import { cardView, findCard, listCards, viewCard, type WantedCard } from "./trusted-card.ts";
import {
  AlreadyVerified,
  AmountIncorrect,
  demandCorrect,
  INCORRECT,
  verifyCard,
} from "./verify-card.ts";

const group = "Trusted cards";
const params = { uuid: described(text({ max: 64 }), "Of the card.", EXAMPLE.uuid) };
const access = (action: Parameters<typeof scopes<"trusted-cards">>[1]) =>
  ({
    credentials: "either",
    changes: "environment",
    anyScope: scopes("trusted-cards", action),
  }) as const;

const gone = { 404: { about: "No such card of this account within the credential's reach" } };
const opened = {
  about: "The page is open",
  body: Type.Object(
    {
      message: said("OK"),
      url: textSchema(
        "Of the page, for the customer's browser.",
        "https://pay.example.com/checkout/9vJx2Kc7",
        { format: "uri" },
      ),
      transaction_id: transactionIdSchema("Keep it: everything is reconciled by it."),
    },
    { title: "OpenedCheckout" },
  ),
};
const oneCard = saidWith(cardView);

function wantedOf(
  { accountNumber, credential }: Caller,
  uuid: string,
  environment: Environment | undefined,
): WantedCard {
  return { uuid, accountNumber, environment: reachOf(credential, environment) };
}

const saveCardRoute = (rules: FieldRules): Route<OpenerContext> =>
  protectedRoute({
    method: "POST",
    path: "/trusted-cards/",
    group,
    summary: "Ask a customer to save a card",
    about:
      "Answers with the address of a page at which the customer enters a card. A small amount " +
      "between 0.50 and 0.99 USD is charged to prove it; the customer reads it from the card's " +
      "statement, you verify the card with it, and it is returned. The browser comes back to " +
      "`response_url` with `status`, `transaction_id`, the card's `uuid` and, in the sandbox " +
      "alone, the amount as `total`.",
    idempotent: true,
    access: access("create"),
    body: saveFields(rules),
    answers: {
      200: opened,
      400: {
        about: "A field is invalid, or the account cannot take payments",
        refusals: [new AccountTakesNoPayments(), ONLY_HTTPS_LIVE],
      },
    },
    async run(ctx: OpenerContext, { body, onceReady }, caller) {
      return onceReady(
        () => readySave(ctx, caller, { values: body, rules }),
        async (tx, check) => answerOf(await saveCard(ctx, tx, caller, check)),
      );
    },
  });

const listCardsRoute = protectedRoute({
  method: "GET",
  path: "/trusted-cards/",
  group,
  summary: "List cards",
  access: access("retrieve"),
  query: {
    environment: described(environmentField, "Absent: that of the API key, or live.", "sandbox"),
    ...pageFields,
  },
  answers: { 200: { about: "The cards, newest first", body: pageAnswer(cardView) } },
  async run(ctx: Infra, { query, url }, caller) {
    const { accountNumber } = caller;
    const environment = environmentOf(caller, query.environment);
    const found = await listCards(ctx.db, { accountNumber, environment }, query);
    return plainJson(pageBody(query, { ...found, rows: found.rows.map(viewCard) }, url));
  },
});

const readCardRoute = protectedRoute({
  method: "GET",
  path: "/trusted-cards/{uuid}",
  group,
  summary: "Read one card",
  access: access("retrieve"),
  params,
  query: { environment: environmentField },
  answers: { 200: { about: "The card", body: oneCard }, ...gone },
  async run(ctx: Infra, { params: { uuid }, query }, caller) {
    const wanted = wantedOf(caller, uuid, query.environment);
    return ok({ data: viewCard(await findCard(ctx.db, wanted)) });
  },
});

const verifyCardRoute = protectedRoute({
  method: "POST",
  path: "/trusted-cards/{uuid}/verify",
  group,
  summary: "Verify a card",
  about:
    "With the small amount that its holder read from the statement, within 24 hours. The third " +
    "wrong amount deletes the card. Either way the amount is returned.",
  idempotent: true,
  access: access("verify"),
  limit: { name: "verify", per: "account" },
  params,
  body: {
    environment: environmentField,
    amount: described(amount(), "In US dollars.", "0.73"),
  },
  answers: {
    200: { about: "The card may be charged", body: oneCard },
    400: {
      about: "A field is invalid, or the amount is incorrect, which is counted",
      refusals: [new AmountIncorrect()],
      headers: ["Idempotent-Replayed"],
    },
    ...gone,
    409: {
      about: "The card is verified; or the same Idempotency-Key is still running",
      refusals: [new AlreadyVerified()],
    },
  },
  async run(_ctx: Infra, { params: { uuid }, body, once }, caller) {
    const wanted = wantedOf(caller, uuid, body.environment);
    return demandCorrect(
      await once(async (tx) => {
        const card = await verifyCard(tx, caller, wanted, body.amount);
        return card === undefined ? INCORRECT : ok({ data: viewCard(card) });
      }),
    );
  },
});

const chargeCardRoute = (rules: FieldRules): Route<OpenerContext> =>
  protectedRoute({
    method: "POST",
    path: "/trusted-cards/{uuid}/charge",
    group,
    summary: "Ask for a payment with a saved card",
    about:
      "Answers with the address of a page at which the customer enters the card's security code " +
      "and, where the card's bank asks, confirms the payment. Everything else is as with a " +
      "payment request: the redirect, its hash, the transaction and its events.",
    idempotent: true,
    access: access("charge-request"),
    params,
    body: chargeFields(rules),
    bodyFor: ({ countryCode }) => chargeFields(rules, countryCode),
    bodyAfterRefusal: fieldsForAccount({
      rules,
      payeeOf: (_refused, caller) => caller,
      fields: (by, { countryCode }) => chargeFields(by, countryCode),
    }),
    answers: {
      200: opened,
      400: {
        about: "A field is invalid, the account cannot take it, or the order was paid or tried",
        refusals: [
          new AccountTakesNoPayments(),
          new OrderIdTaken(""),
          new EmailIsTheMerchants(),
          ONLY_HTTPS_LIVE,
        ],
      },
      ...gone,
      409: {
        about:
          "The card is not verified, has expired, or is live where no live gateway is " +
          "configured; or the same Idempotency-Key is running",
        refusals: CARD_REFUSALS,
      },
    },
    async run(ctx: OpenerContext, { params: { uuid }, body, onceReady }, caller) {
      const { environment, ...values } = body;
      const wanted = wantedOf(caller, uuid, environment);
      const order = {
        accountNumber: caller.accountNumber,
        // A guess where the card has it. A wrong one only waits for the order's lock instead.
        environment: environmentOf(caller, environment),
        orderId: values.order_id,
      };
      return queueForOrder(ctx, order, () =>
        onceReady(
          () => readyCharge(ctx, caller, { wanted, values, rules }),
          async (tx, request) => answerOf(await chargeCard(ctx, tx, caller, { wanted, request })),
        ),
      );
    },
  });

const deleteCardRoute = protectedRoute({
  method: "DELETE",
  path: "/trusted-cards/{uuid}",
  group,
  summary: "Delete a card",
  about: "Nobody can charge it any more. If it was not verified, the small amount is returned.",
  access: access("delete"),
  params,
  query: { environment: environmentField },
  answers: {
    200: { about: "It is gone", body: saidOnly() },
    ...gone,
    409: {
      about: "A charge of the card is undecided",
      refusals: [new CardIsBeingCharged("")],
      headers: ["Retry-After"],
    },
  },
  async run(ctx: Infra, { params: { uuid }, query }, caller) {
    const wanted = wantedOf(caller, uuid, query.environment);
    await ctx.db.transaction((tx) => deleteCard(tx, caller, wanted));
    return ok();
  },
});

export function trustedCardRoutes(config: Config): readonly Route<OpenerContext>[] {
  const rules = rulesOf(config);
  return [
    saveCardRoute(rules),
    listCardsRoute,
    readCardRoute,
    verifyCardRoute,
    chargeCardRoute(rules),
    deleteCardRoute,
  ];
}
