/** Terms of one account: whose they are, from when on, and what they must leave. */

import type { Mutant } from "./mutant.ts";

const TERMS = "test/operator/own-terms.test.ts";
const LIMITS = "test/operator/own-limits.test.ts";

export const ownTermsMutants: readonly Mutant[] = [
  {
    name: "own-limits-not-judged",
    breaks: "an account is paid more than its own limits allow",
    change: {
      file: "src/modules/checkout/request/known-orders.ts",
      find: 'demandPayable(request.transaction.total, "total", request.transaction.own);',
      replace: "",
    },
    caughtBy: [LIMITS],
  },
  {
    name: "own-limits-judged-for-a-known-payment",
    breaks: "a request that is sent again is refused although its payment is open",
    change: {
      file: "src/modules/checkout/request/known-orders.ts",
      find: "  if (same !== undefined) return same;\n  demandPayable",
      replace: "  if (same !== undefined && isWithinLimits(request)) return same;\n  demandPayable",
    },
    caughtBy: [LIMITS],
  },
  {
    name: "own-fees-on-every-platform",
    breaks: "the sandbox account is paid by its own terms on all platforms",
    change: {
      file: "src/modules/checkout/request/merchants.ts",
      find: "own: country_code === payee.countryCode ? ownTerms(own_terms) : {},",
      replace: "own: ownTerms(own_terms),",
    },
    caughtBy: [TERMS],
  },
  {
    name: "own-fees-before-they-begin",
    breaks: "a fee of next month prices the payments of today",
    change: {
      file: "src/modules/accounts/own-terms.ts",
      find: " and valid_from <= app_now()\n      order by valid_from desc, set_number desc limit 1",
      replace: "\n      order by valid_from desc, set_number desc limit 1",
    },
    caughtBy: [TERMS],
  },
  {
    name: "own-fees-that-leave-nothing",
    breaks: "a payment costs more than it brings",
    change: {
      file: "src/modules/operator/accounts/terms-from.ts",
      find: "if (quote.merchant.net.minor < LEFT_MINOR_MIN)",
      replace: "if (quote.merchant.net.minor < -LEFT_MINOR_MIN * 1000n)",
    },
    caughtBy: [TERMS],
  },
  {
    name: "own-fees-forgotten-by-a-request",
    breaks: "a payment is priced otherwise than GET /transactions/fees said",
    change: {
      file: "src/modules/transactions/new-transaction.ts",
      find: "feeStructure, at, own });",
      replace: "feeStructure, at });",
    },
    caughtBy: [TERMS],
  },
];
