/**
 * The order of the requests of a collection and the values that pass from one to the next (Decision
 * 0052). Requests themselves come from the OpenAPI document; only values that must match the demo
 * world or an earlier answer stand here.
 *
 * Run from top to bottom on a fresh development world, every request succeeds.
 */

import type { Kept } from "./collection.ts";

export interface Step {
  /** Method and path of the document; those of the hosted page are not in it. */
  readonly calls: string;
  /** Instead of the document's summary. */
  readonly name?: string;
  /** The whole address, where an earlier answer contains it. */
  readonly at?: string;
  /** Of parameters in the path and the query, and of fields; `null` omits a field. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly keeps?: readonly Kept[];
  /** Instead of the first success that the document lists. */
  readonly expects?: number;
  /** The body is signed; names the document's example with a fixed signature. */
  readonly signedExample?: string;
  /** What the customer does on the hosted page. */
  readonly page?: "open" | "pay" | "confirm";
}

const json = (variable: string, path: string): Kept => ({ variable, from: { json: path } });

const TOKENS = [json("token", "access_token"), json("refresh_token", "refresh_token")];
const PAGE = json("checkout_url", "url");

/** What a customer's browser without scripts sends, so that a run needs no browser. */
const paying = (page: "pay" | "confirm", keeps: readonly Kept[] = []): Step[] => [
  {
    calls: "GET {{checkout_url}}",
    name: "The customer opens the page",
    page: "open",
    keeps: [{ variable: "form_token", from: { text: 'name="form_token" value="([^"]+)"' } }],
  },
  {
    calls: "POST {{checkout_url}}",
    name: page === "pay" ? "The customer pays by card" : "The customer enters the security code",
    page,
    expects: 303,
    keeps,
  },
];

const PASSWORDS = ["{{password}}", "{{new_password}}"] as const;
const changing = ([from, to]: readonly [string, string], name: string): Step => ({
  calls: "PATCH /user/password",
  name,
  values: { old_password: from, new_password: to, confirm_password: to },
});

/** A new one for each run: an aborted run leaves its endpoint behind. */
const HOOK_URL = "{{webhook_url}}?run={{run}}";
const HOOK = { id: "{{webhook_id}}" };
const LINK = { id: "{{link_id}}" };
const WITHDRAWAL = { transaction_id: "{{withdrawal_id}}" };
const ACCOUNT = { account_number: "{{new_account_number}}" };

/** The folder of requests that are not part of a run. */
export const BY_HAND = "By hand";

/** Steps by folder. */
export const PLAN: Readonly<Record<string, readonly Step[]>> = {
  "Sign in": [
    {
      calls: "POST /auth/tokens",
      values: { email: "{{email}}", password: "{{password}}", scopes: "{{scopes}}" },
      keeps: TOKENS,
    },
    { calls: "GET /auth/whoami" },
    {
      calls: "POST /auth/tokens/refresh",
      values: { refresh_token: "{{refresh_token}}" },
      keeps: TOKENS,
    },
    { calls: "GET /.well-known/jwks.json" },
  ],
  // First, so that there are deliveries by the time they are listed.
  "Subscribe to webhooks": [
    {
      calls: "POST /webhooks",
      values: { url: HOOK_URL },
      keeps: [json("webhook_id", "data.id")],
    },
  ],
  "Take a payment": [
    { calls: "GET /plugins/get/currencies" },
    { calls: "GET /plugins/get/environments" },
    { calls: "GET /plugins/get/fee_structures" },
    { calls: "GET /plugins/get/states" },
    {
      // Before the other, which the customer then pays.
      calls: "POST /plugins/payments/request",
      name: "Ask for a payment, signed",
      signedExample: "signed",
      values: {
        account_number: "{{account_number}}",
        order_id: "signed-{{run}}",
        response_url: "{{response_url}}",
        signature: "{{signature}}",
      },
    },
    {
      calls: "POST /plugins/payments/request",
      values: {
        account_number: "{{account_number}}",
        order_id: "order-{{run}}",
        response_url: "{{response_url}}",
        // Without it the page would ask.
        email: "customer@example.com",
      },
      keeps: [json("transaction_id", "transaction_id"), PAGE],
    },
    ...paying("pay"),
    { calls: "GET /user/payment-key" },
    // With true, requests that are not signed would be refused from here on.
    { calls: "PATCH /user/payment-key", values: { require_signature: false } },
  ],
  Transactions: [
    { calls: "GET /transactions/" },
    { calls: "GET /transactions/{transaction_id}" },
    { calls: "GET /transactions/fees" },
    { calls: "GET /transactions/meta" },
    { calls: "POST /transactions/{transaction_id}/receipt" },
    { calls: "POST /transactions/{transaction_id}/refund" },
  ],
  "Payment links": [
    {
      calls: "POST /payment-links",
      values: { amount_min: null, amount_max: null, items: null },
      keeps: [json("link_id", "data.id")],
    },
    { calls: "GET /payment-links" },
    { calls: "GET /payment-links/{id}", values: LINK },
    { calls: "PATCH /payment-links/{id}", values: { ...LINK, active: false } },
  ],
  "Trusted cards": [
    {
      calls: "POST /trusted-cards/",
      values: { response_url: "{{response_url}}" },
      keeps: [PAGE],
    },
    ...paying("pay", [{ variable: "amount", from: { redirect: "total" } }]),
    { calls: "GET /trusted-cards/", keeps: [json("uuid", "data[0].uuid")] },
    { calls: "GET /trusted-cards/{uuid}" },
    { calls: "POST /trusted-cards/{uuid}/verify", values: { amount: "{{amount}}" } },
    {
      calls: "POST /trusted-cards/{uuid}/charge",
      values: { order_id: "charge-{{run}}", response_url: "{{response_url}}" },
      keeps: [PAGE],
    },
    ...paying("confirm"),
    { calls: "DELETE /trusted-cards/{uuid}" },
  ],
  Withdrawals: [
    { calls: "GET /withdrawals/meta" },
    { calls: "POST /withdrawals/", keeps: [json("withdrawal_id", "data.transaction_id")] },
    { calls: "GET /withdrawals/" },
    { calls: "GET /withdrawals/{transaction_id}", values: WITHDRAWAL },
    { calls: "DELETE /withdrawals/{transaction_id}", values: WITHDRAWAL },
  ],
  "Make it happen in the sandbox": [
    {
      calls: "POST /plugins/payments/request",
      name: "Ask for a payment that nobody pays by hand",
      values: {
        account_number: "{{account_number}}",
        order_id: "simulated-{{run}}",
        response_url: "{{response_url}}",
        email: "customer@example.com",
      },
      keeps: [json("simulated_id", "transaction_id")],
    },
    {
      calls: "POST /sandbox/transactions/{transaction_id}/simulate",
      values: { transaction_id: "{{simulated_id}}", code: null },
    },
    { calls: "POST /withdrawals/", keeps: [json("withdrawal_id", "data.transaction_id")] },
    {
      calls: "POST /sandbox/withdrawals/{transaction_id}/simulate",
      values: { ...WITHDRAWAL, reason: null },
    },
    { calls: "POST /sandbox/webhooks/{id}/simulate", values: { ...HOOK, seconds: 1 } },
  ],
  User: [
    { calls: "PATCH /user/phone" },
    { calls: "POST /user/picture", expects: 201 },
    { calls: "GET /user/", keeps: [json("picture_url", "data.profile_picture")] },
    { calls: "GET /pictures/{picture_id}", at: "{{picture_url}}" },
    { calls: "PATCH /user/picture" },
    { calls: "DELETE /user/picture" },
    { calls: "PATCH /user/business" },
    // The demo shop has one, which a new one would replace with 200.
    { calls: "DELETE /user/logo" },
    { calls: "POST /user/logo", expects: 201 },
    { calls: "GET /user/business", keeps: [json("logo_url", "data.logo_url")] },
    { calls: "GET /logos/{logo_id}", at: "{{logo_url}}" },
    changing(PASSWORDS, "Change the password"),
    changing([PASSWORDS[1], PASSWORDS[0]], "Change the password back"),
  ],
  "Bank details": [
    { calls: "GET /user/banks" },
    ...["local", "foreign"].flatMap((type) =>
      ["GET", "DELETE", "POST", "PATCH"].map((method) => ({
        calls: `${method} /user/banks/${type}`,
      })),
    ),
  ],
  Accounts: [
    {
      calls: "POST /accounts",
      values: { email: "shop-{{run}}@example.com" },
      keeps: [json("new_account_number", "data.account_number")],
    },
    { calls: "GET /accounts/{account_number}", values: ACCOUNT },
    { calls: "PATCH /accounts/{account_number}", values: { ...ACCOUNT, email: null } },
    { calls: "DELETE /accounts/{account_number}", values: ACCOUNT },
  ],
  "API keys": [
    { calls: "POST /auth/keys", keeps: [json("kid", "data.kid")] },
    { calls: "GET /auth/keys" },
    { calls: "GET /auth/keys/{kid}" },
    { calls: "PATCH /auth/keys/{kid}" },
    { calls: "POST /auth/keys/{kid}/rotate", keeps: [json("kid", "data.kid")] },
    { calls: "DELETE /auth/keys/{kid}" },
  ],
  "Events and webhooks": [
    { calls: "GET /webhooks" },
    { calls: "GET /webhooks/{id}", values: HOOK },
    { calls: "PATCH /webhooks/{id}", values: { ...HOOK, url: HOOK_URL } },
    { calls: "POST /webhooks/{id}/rotate", values: HOOK },
    { calls: "POST /webhooks/{id}/test", values: HOOK },
    {
      calls: "GET /webhooks/{id}/deliveries",
      values: HOOK,
      keeps: [json("delivery_id", "data[0].id")],
    },
    {
      calls: "POST /webhooks/{id}/deliveries/{delivery}/resend",
      values: { ...HOOK, delivery: "{{delivery_id}}" },
    },
    { calls: "POST /webhooks/{id}/replay", values: HOOK },
    { calls: "DELETE /webhooks/{id}", values: HOOK },
    { calls: "GET /events", keeps: [json("event_id", "data[0].id")] },
    { calls: "POST /events/{id}/resend", values: { id: "{{event_id}}" } },
    { calls: "GET /events/resent" },
  ],
  "Look at requests": [
    { calls: "GET /requests", keeps: [json("request_id", "data[0].request_id")] },
    { calls: "GET /requests/{request_id}", values: { request_id: "{{request_id}}" } },
  ],
  "The service, and signing out": [
    { calls: "GET /livez" },
    { calls: "GET /readyz" },
    { calls: "GET /openapi.json" },
    { calls: "DELETE /auth/tokens" },
  ],
  // It would replace the key that the merchant's shop verifies results with.
  [BY_HAND]: [{ calls: "POST /user/payment-key/rotate" }],
};
