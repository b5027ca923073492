/** Made by `npm run generate` from the routes of the service. Do not edit by hand. */

/** Those that take an `Idempotency-Key`. */
export const KEYED_OPERATIONS: ReadonlySet<string> = new Set([
  "POST /auth/keys",
  "POST /auth/keys/{kid}/rotate",
  "POST /user/picture",
  "POST /transactions/{transaction_id}/refund",
  "POST /user/payment-key/rotate",
  "POST /withdrawals/",
  "POST /accounts",
  "POST /user/banks/local",
  "POST /user/banks/foreign",
  "POST /webhooks",
  "POST /webhooks/{id}/rotate",
  "POST /webhooks/{id}/test",
  "POST /webhooks/{id}/deliveries/{delivery}/resend",
  "POST /webhooks/{id}/replay",
  "POST /plugins/payments/request",
  "POST /trusted-cards/",
  "POST /trusted-cards/{uuid}/verify",
  "POST /trusted-cards/{uuid}/charge",
]);

/** Those that ask for no credential. */
export const OPEN_OPERATIONS: ReadonlySet<string> = new Set([
  "POST /auth/tokens",
  "POST /auth/tokens/refresh",
  "GET /.well-known/jwks.json",
  "GET /pictures/{picture_id}",
  "GET /withdrawals/meta",
  "POST /plugins/payments/request",
  "GET /plugins/get/states",
  "GET /plugins/get/currencies",
  "GET /plugins/get/environments",
  "GET /plugins/get/fee_structures",
  "GET /livez",
  "GET /readyz",
  "GET /metrics",
  "GET /collections/",
  "GET /collections/{file}",
  "GET /openapi.json",
  "GET /docs",
  "GET /docs/reference.js",
  "GET /docs/start",
  "GET /docs/sandbox",
  "GET /docs/events",
  "GET /docs/verify",
]);
