/**
 * A whole collection: the plan's requests as the OpenAPI document has them, and the variables that
 * pass values between them, filled with those of the demo merchant (Decision 0052).
 */

import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "../../demo-world.ts";
import { SANDBOX_KEYS } from "../../modules/checkout/result/payment-keys.ts";
import { type Collection, RUN_VARIABLE } from "./collection.ts";
import type { OpenapiDocument } from "./document-values.ts";
import { makeRequest } from "./make-request.ts";
import { BY_HAND, PLAN } from "./plan.ts";
import { SECRET_VARIABLE, SIGNATURE_VARIABLE } from "./scripts.ts";

const SCOPES = ["user", "transactions", "trusted-cards", "links", "withdrawals", "accounts"];

export function makeCollection(document: OpenapiDocument): Collection {
  const { title, version } = document.info;
  const made = Object.entries(PLAN).flatMap(([folder, steps]) =>
    steps.map((step) => ({ ...makeRequest(document, step), folder })),
  );
  const last = made.findLastIndex(({ folder }) => folder !== BY_HAND);
  const kept = made.flatMap(({ keeps }) => keeps.map(({ variable }) => variable));
  const [merchant] = DEMO_ACCOUNTS;
  return {
    name: `${title} ${version}`,
    version,
    about:
      "Runs from top to bottom against a development world; after the sign-in each request can " +
      "be sent alone. The variables hold that world's values: put yours in their place.",
    variables: {
      baseUrl: document.servers[0]?.url ?? "",
      email: merchant?.email ?? "",
      password: DEMO_PASSWORD,
      new_password: `${DEMO_PASSWORD}-new`,
      scopes: SCOPES.map((area) => `svc-${area}-all`).join(" "),
      account_number: merchant?.accountNumber ?? "",
      [SECRET_VARIABLE]: SANDBOX_KEYS.signingSecret,
      [SIGNATURE_VARIABLE]: "",
      environment: "sandbox",
      response_url: "{{baseUrl}}/docs/welcome",
      webhook_url: "{{baseUrl}}/livez",
      [RUN_VARIABLE]: "1",
      // Empty until the request that keeps them has been sent.
      ...Object.fromEntries(kept.map((name) => [name, ""])),
    },
    requests: made.map((request, at) => ({ ...request, isFirst: at === 0, isLast: at === last })),
  };
}
