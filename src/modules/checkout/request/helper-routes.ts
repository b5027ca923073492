/**
 * What a payment request may say, for forms that offer a choice (Interface §4.4): public, the same
 * for everybody, and cached by clients until it changes.
 */

import type { Infra } from "../../../infra/context.ts";
import { publicRoute, type Route } from "../../../infra/http/route.ts";
import { cachedAnswers, kept } from "../../../infra/http/serve/client-caching.ts";
import { oneOf } from "../../../kit/fields/choice.ts";
import { described, optional } from "../../../kit/fields/field.ts";
import { text } from "../../../kit/fields/text.ts";
import { CURRENCIES } from "../../../kit/money.ts";
import { Type } from "../../../kit/schema.ts";
import { COUNTRY_CODES, ENVIRONMENTS } from "../../../kit/vocabulary.ts";
import type { FeeStructure } from "../../platforms/fee-quote.ts";
import { platformOf } from "../../platforms/platform.ts";
import { subdivisionsOf } from "../../platforms/subdivisions.ts";

const group = "Checkout";

const FEE_STRUCTURE_NAMES: Readonly<Record<FeeStructure, string>> = {
  customer_pay: "Customer Pay",
  merchant_absorb: "Merchant Absorb",
  split: "Split",
};

const names = (example: readonly string[]) => Type.Array(Type.String(), { examples: [example] });
const namesByCode = (example: Readonly<Record<string, string>>) =>
  Type.Record(Type.String(), { examples: [example] });

const statesRoute = publicRoute({
  method: "GET",
  path: "/plugins/get/states",
  group,
  summary: "List the states of a country",
  query: {
    country_code: described(
      text({ max: 2, pattern: /^[A-Z]{2}$/ }),
      "Any country, by its ISO 3166-1 code.",
      "US",
    ),
  },
  answers: cachedAnswers(
    "Names by ISO 3166-2 code; none for a country without any",
    namesByCode({ "US-CA": "California", "US-NY": "New York" }),
  ),
  run: async (_ctx: Infra, call) => kept(call, subdivisionsOf(call.query.country_code)),
});

const currenciesRoute = publicRoute({
  method: "GET",
  path: "/plugins/get/currencies",
  group,
  summary: "List the currencies",
  query: {
    country_code: described(
      optional(oneOf(COUNTRY_CODES)),
      "Of this platform; absent: of all of them.",
      "TT",
    ),
  },
  answers: cachedAnswers("Currency codes", names(CURRENCIES)),
  async run(_ctx: Infra, call) {
    const { country_code: platform } = call.query;
    return kept(call, platform === undefined ? CURRENCIES : platformOf(platform).currencies);
  },
});

const environmentsRoute = publicRoute({
  method: "GET",
  path: "/plugins/get/environments",
  group,
  summary: "List the environments",
  answers: cachedAnswers("Names of environments", names(ENVIRONMENTS)),
  run: async (_ctx: Infra, call) => kept(call, ENVIRONMENTS),
});

const feeStructuresRoute = publicRoute({
  method: "GET",
  path: "/plugins/get/fee_structures",
  group,
  summary: "List the fee structures",
  answers: cachedAnswers("Names by code", namesByCode(FEE_STRUCTURE_NAMES)),
  run: async (_ctx: Infra, call) => kept(call, FEE_STRUCTURE_NAMES),
});

export const helperRoutes: readonly Route<Infra>[] = [
  statesRoute,
  currenciesRoute,
  environmentsRoute,
  feeStructuresRoute,
];
