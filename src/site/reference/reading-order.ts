/**
 * The order of the requests within a chapter, where a newcomer needs another one than that in which
 * the routes are declared. What is not named follows, as it was.
 */

export const READING_ORDER: Readonly<Record<string, readonly string[]>> = {
  "Signing in": ["POST /auth/tokens", "POST /auth/tokens/refresh", "GET /auth/whoami"],
  Checkout: ["POST /plugins/payments/request"],
  Transactions: [
    "GET /transactions/{transaction_id}",
    "GET /transactions/",
    "POST /transactions/{transaction_id}/refund",
    "POST /transactions/{transaction_id}/receipt",
  ],
  "Trusted cards": [
    "POST /trusted-cards/",
    "POST /trusted-cards/{uuid}/verify",
    "POST /trusted-cards/{uuid}/charge",
  ],
  Withdrawals: [
    "POST /withdrawals/",
    "GET /withdrawals/meta",
    "GET /withdrawals/{transaction_id}",
    "GET /withdrawals/",
  ],
  User: ["GET /user/", "PATCH /user/password", "PATCH /user/phone", "GET /user/business"],
  Service: ["GET /docs", "GET /docs/errors", "GET /docs/errors/{code}", "GET /openapi.json"],
};

interface Placed {
  readonly method: string;
  readonly path: string;
}

export function inReadingOrder<Call extends Placed>(chapter: string, calls: Call[]): Call[] {
  const order = READING_ORDER[chapter] ?? [];
  const place = ({ method, path }: Placed) => {
    const at = order.indexOf(`${method} ${path}`);
    return at < 0 ? order.length : at;
  };
  return calls.toSorted((one, other) => place(one) - place(other));
}
