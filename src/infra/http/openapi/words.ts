/** What the document says of itself, of its chapters and of credentials. */

import { SCOPES } from "../../../kit/scopes.ts";
import type { Route } from "../route.ts";

export const ABOUT = `Payments and accounts for merchants in Barbados, Grenada, Guyana, Jamaica and
Trinidad and Tobago.

New here? [Getting started](/docs/start) leads from nothing to a paid order, with every step in
curl, TypeScript, PHP and Python.

- **Bodies** are JSON or form data, as you like. Numbers, amounts and booleans may be sent as
  text in either; an empty text counts as absent; fields that are not known are passed over.
- **Answers** are JSON. A good one has a \`message\`, an error one sentence in \`message\` and
  nothing else, where nothing else is said. Fields may be added: pass over what you do not know.
- **Errors** have their code in \`X-SVC-Error\`; [/docs/errors](/docs/errors) says what each means
  and what to do. With \`Accept: application/problem+json\` the body has code, field and hint, too.
- **Credentials** go into \`Authorization: Bearer …\` or \`X-SVC-Key\`, never both.
- **Money** is a text with two decimals, such as \`100.00\`, beside its currency.
- **Times** are ISO 8601 in UTC.
- **Every answer** has an \`X-Request-Id\` and the \`X-SVC-Version\`. Where requests are counted,
  \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\` tell how many are left this minute; too many
  are a 429 with \`Retry-After\`.
- **Requests that are sent twice** have one effect where an \`Idempotency-Key\` is taken.`;

const SERVICE = "Service";
const FORMER = "Paths of 1.x";

export function groupOf({ group = SERVICE, successors }: Route<never>): string {
  return successors === undefined ? group : FORMER;
}

/** In the order in which somebody meets them. */
export const TAGS = [
  { name: "Signing in", description: "Tokens: getting them, keeping them, ending them." },
  { name: "API keys", description: "Credentials of a business for its own servers." },
  { name: "Checkout", description: "Asking for payments, and the keys that check their results." },
  { name: "Transactions", description: "What was paid, what it costs, and giving it back." },
  { name: "Trusted cards", description: "Cards that customers leave with a merchant." },
  { name: "Withdrawals", description: "Taking money out of the account." },
  { name: "Events", description: "Everything that happened, in order." },
  { name: "Webhooks", description: "Where events are sent, and what became of them." },
  { name: "User", description: "What the caller keeps about itself." },
  { name: "Bank details", description: "Where withdrawals go." },
  { name: "Accounts", description: "Accounts that a main merchant makes and answers for." },
  { name: FORMER, description: "For clients of 1.x. Each is answered by what took its place." },
  { name: SERVICE, description: "Health, metrics and the documents themselves." },
] as const;

const scopeList = SCOPES.map((scope) => `\`${scope}\``).join(", ");

export const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "The `access_token` of `POST /auth/tokens`. It lives 12 hours and has the scopes that were " +
      `asked for, among ${scopeList}. An \`-all\` stands for every scope of its kind.`,
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
