/**
 * A whole collection: the plan's requests as the OpenAPI document has them, and the variables that
 * pass values from one to the next, filled with those of the demo world (Decision 0052).
 */

import { type Collection, type CollectionRequest, RUN_VARIABLE } from "./collection.ts";
import type { OpenapiDocument } from "./document-values.ts";
import { makeRequest } from "./make-request.ts";
import { pageRequest } from "./page-request.ts";
import { PLAN } from "./plan.ts";
import { SECRET_VARIABLE, SIGNATURE_VARIABLE } from "./signing-script.ts";

/** Of the demo merchant; whoever has an account of their own changes them. */
export interface DemoValues {
  readonly email: string;
  readonly password: string;
  readonly accountNumber: string;
  readonly signingSecret: string;
}

const SCOPES = ["user", "transactions", "trusted-cards", "withdrawals", "accounts"];

export function makeCollection(document: OpenapiDocument, demo: DemoValues): Collection {
  const { title, version } = document.info;
  const requests = PLAN.flatMap(({ folder, steps }) =>
    steps.map((step) => {
      const made = step.page ? pageRequest(step, step.page) : makeRequest(document, step);
      return { ...made, folder, isApart: step.isApart ?? false };
    }),
  );
  return {
    name: `${title} ${version}`,
    version,
    about:
      "Runs from top to bottom against a development world; after the sign-in each request can " +
      "be sent alone. The variables hold that world's values: put yours in their place.",
    variables: {
      baseUrl: document.servers[0]?.url ?? "",
      email: demo.email,
      password: demo.password,
      new_password: `${demo.password}-new`,
      scopes: SCOPES.map((area) => `svc-${area}-all`).join(" "),
      account_number: demo.accountNumber,
      [SECRET_VARIABLE]: demo.signingSecret,
      [SIGNATURE_VARIABLE]: "",
      environment: "sandbox",
      response_url: "{{baseUrl}}/docs",
      webhook_url: "{{baseUrl}}/livez",
      [RUN_VARIABLE]: "1",
      ...keptVariables(requests),
    },
    requests,
  };
}

/** Empty until the request that keeps them has been sent. */
function keptVariables(requests: readonly CollectionRequest[]): Record<string, string> {
  const names = requests.flatMap(({ keeps }) => keeps.map(({ variable }) => variable));
  return Object.fromEntries(names.map((name) => [name, ""]));
}
