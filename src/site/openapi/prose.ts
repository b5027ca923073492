/** The prose of the document: its introduction, its chapters and its credentials. */

import type { Route } from "../../infra/http/route.ts";
import { SCOPES } from "../../kit/scopes.ts";

export const ABOUT = `Payments and accounts for merchants in Barbados, Grenada, Guyana, Jamaica and
Trinidad and Tobago.

New here? [Getting started](/docs/start) leads from nothing to a paid order, with every step in
curl, TypeScript, PHP and Python.

- **Bodies** are JSON or form data. Numbers, amounts and booleans may be sent as text in either;
  an empty text counts as absent; unknown fields are ignored.
- **Answers** are JSON with a \`message\`, which in an error is one sentence and, unless the
  reference says otherwise, all there is. Fields may be added: ignore those you do not know.
- **Errors** have their code in \`X-SVC-Error\`; [/docs/errors](/docs/errors) says what each means
  and what to do. With \`Accept: application/problem+json\` the body has code, field and hint, too.
- **Credentials** go into \`Authorization: Bearer …\` or \`X-SVC-Key\`, never both.
- **Money** is a text with two decimals, such as \`100.00\`, beside its currency.
- **Times** are ISO 8601 in UTC.
- **Every answer** has an \`X-Request-Id\` and the \`X-SVC-Version\`. Where requests are counted,
  \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\` say how many are left this minute; too many
  are a 429 with \`Retry-After\`.
- **Requests that are sent twice** have one effect where an \`Idempotency-Key\` is accepted.`;

const SERVICE = "Service";
const V1_PATHS = "Paths of 1.x";

export function groupOf({ group = SERVICE, successors }: Route<never>): string {
  return successors === undefined ? group : V1_PATHS;
}

/** In the order of the reference. */
export const TAGS = [
  { name: "Signing in", description: "Getting, refreshing and revoking tokens." },
  { name: "API keys", description: "Credentials of a business for its own servers." },
  { name: "Checkout", description: "Requesting payments, and the keys that verify their results." },
  { name: "Transactions", description: "Payments, their fees and refunds." },
  {
    name: "Payment links",
    description: "Addresses and QR codes by which a merchant is paid without a shop.",
  },
  { name: "Trusted cards", description: "Cards that customers save with a merchant." },
  { name: "Withdrawals", description: "Taking money out of the account." },
  { name: "Events", description: "Everything that happened, in order." },
  { name: "Requests", description: "What was requested lately, and why it was refused." },
  { name: "Webhooks", description: "Endpoints that events are sent to, and their deliveries." },
  {
    name: "Sandbox",
    description: "Makes happen what customers and banks would do, and moves time; sandbox only.",
  },
  { name: "User", description: "Profile, password and picture of the caller." },
  { name: "Bank details", description: "The bank accounts that withdrawals are paid to." },
  { name: "Accounts", description: "Accounts that a main merchant opens and manages." },
  { name: V1_PATHS, description: "For clients of 1.x. Each is answered by its successor." },
  { name: SERVICE, description: "Health, metrics and the documents themselves." },
] as const;

const scopeList = SCOPES.map((scope) => `\`${scope}\``).join(", ");

export const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "The `access_token` of `POST /auth/tokens`. It is valid for 12 hours and has the requested " +
      `scopes, among ${scopeList}. An \`-all\` stands for every scope of its kind.`,
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-SVC-Key",
    description:
      "A key of `POST /auth/keys`: `svc_test_…` reaches the sandbox, `svc_live_…` live data. For " +
      "BUSINESS accounts, and never together with a bearer token.",
  },
} as const;
