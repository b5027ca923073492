/**
 * What a payment would cost, and its limits, on the caller's platform (Interface §4.5, Decision
 * 0025).
 */

import type { Infra } from "../../infra/context.ts";
import { ok } from "../../infra/http/answer.ts";
import { protectedRoute } from "../../infra/http/route.ts";
import { limitedAmount } from "../../kit/fields/amount.ts";
import { notOneOf, oneOf } from "../../kit/fields/choice.ts";
import { described, field } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import { formatMoney, type Money, money } from "../../kit/money.ts";
import {
  amountSchema,
  saidWith,
  textSchema,
  textsSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { scopes } from "../../kit/scopes.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { readOwnTerms, readTermsNow } from "../accounts/own-terms.ts";
import { demandPayable, FEE_STRUCTURES, quoteFee } from "../platforms/fee-quote.ts";
import { paymentLimitsOf } from "../platforms/limits.ts";
import { platformOf } from "../platforms/platform.ts";

const group = "Transactions";

/** The caller's platform is not known here, and its currencies alone would be right. */
const currencyText = field({ type: "string" }, asText);

const feesAnswer = saidWith(
  Type.Object({
    fee_structure: wordSchema(FEE_STRUCTURES, "Who pays the fee.", "split"),
    currency: textSchema("Of every amount here.", "USD"),
    amount: amountSchema("What would be asked for.", "100.00"),
    fee: Type.Object(
      {
        percentage: amountSchema("The part that grows with the amount.", "3.50"),
        fixed: amountSchema("The part that does not.", "0.25"),
        tax: amountSchema("The tax on both.", "0.00"),
        total: amountSchema("All of it.", "3.75"),
      },
      { description: "What the payment costs." },
    ),
    customer: Type.Object(
      {
        fee: amountSchema("The customer's share of the fee.", "1.88"),
        total: amountSchema("What the customer pays.", "101.88"),
      },
      { description: "For who pays." },
    ),
    merchant: Type.Object(
      {
        fee: amountSchema("The merchant's share of the fee.", "1.87"),
        net: amountSchema("What the merchant gets.", "98.13"),
      },
      { description: "For who is paid." },
    ),
  }),
);

export const readFeesRoute = protectedRoute({
  method: "GET",
  path: "/transactions/fees",
  group,
  summary: "Work out the fee of a payment",
  about: "The same figures, to the cent, as a payment of that amount would have at this moment.",
  access: { credentials: "either", anyScope: scopes("transactions", "get-fees") },
  query: {
    fee_structure: described(oneOf(FEE_STRUCTURES), "Who pays the fee.", "split"),
    currency: described(currencyText, "One of the two of the caller's platform.", "USD"),
    amount: described(
      limitedAmount(),
      "Within the currency's limits, which are in the metadata.",
      "100.00",
    ),
  },
  answers: {
    200: { about: "The fee, its parts and who pays them", body: feesAnswer },
    400: {
      about: "A field is malformed, or beyond the platform's limits",
      refusals: [
        () => demandPayable(money("USD", 0n), "amount"),
        notOneOf("currency", platformOf("TT").currencies),
      ],
    },
  },
  async run(ctx: Infra, { query }, caller) {
    const { fee_structure: feeStructure } = query;
    const platform = platformOf(caller.countryCode);
    const currency = platform.currencies.find((one) => one === query.currency);
    if (currency === undefined) throw notOneOf("currency", platform.currencies);
    const amount = money(currency, query.amount);
    const { at, own } = await readTermsNow(ctx.db, caller);
    demandPayable(amount, "amount", own);
    const quote = quoteFee({ platform, currency, amount, feeStructure, at, own });
    const { percentage, fixed, tax, total, customer, merchant } = quote;
    return ok({
      data: {
        fee_structure: feeStructure,
        currency,
        amount: formatMoney(amount),
        fee: formatEach({ percentage, fixed, tax, total }),
        customer: formatEach({ fee: customer.fee, total: customer.total }),
        merchant: formatEach({ fee: merchant.fee, net: merchant.net }),
      },
    });
  },
});

function formatEach(amounts: Readonly<Record<string, Money>>) {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [name, formatMoney(amount)]),
  );
}

const metaAnswer = saidWith(
  Type.Object({
    currencies: textsSchema("The two of the caller's platform.", ["TTD", "USD"]),
    environments: textsSchema("Where a payment may be made.", ENVIRONMENTS),
    fee_structures: textsSchema("Who may pay the fee.", FEE_STRUCTURES),
    totals: Type.Record(
      Type.Object({
        minimum: Type.Number({ description: "The least that may be asked for." }),
        maximum: Type.Number({ description: "The most." }),
      }),
      {
        description: "By currency.",
        examples: [{ TTD: { minimum: 5, maximum: 20400 }, USD: { minimum: 0.74, maximum: 3000 } }],
      },
    ),
  }),
);

export const readMetaRoute = protectedRoute({
  method: "GET",
  path: "/transactions/meta",
  group,
  summary: "Read what may be paid",
  access: { credentials: "either", anyScope: scopes("transactions", "retrieve") },
  answers: { 200: { about: "Currencies, environments, fee structures, limits", body: metaAnswer } },
  async run({ db }: Infra, _call, caller) {
    const { currencies } = platformOf(caller.countryCode);
    const own = await readOwnTerms(db, caller);
    // Limits are small and have two decimals, so the number prints as it is meant.
    const asNumber = (limit: Money) => Number(formatMoney(limit));
    const limits = currencies.map((currency) => {
      const { minimum, maximum } = paymentLimitsOf(currency, own);
      return [currency, { minimum: asNumber(minimum), maximum: asNumber(maximum) }];
    });
    return ok({
      data: {
        currencies,
        environments: ENVIRONMENTS,
        fee_structures: FEE_STRUCTURES,
        totals: Object.fromEntries(limits),
      },
    });
  },
});
