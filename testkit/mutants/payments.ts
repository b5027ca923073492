/** Bugs of payments' records and refunds. Those of the hosted checkout stand in `checkout.ts`. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of other files

import type { Mutant } from "./mutant.ts";

const TRANSACTIONS = "src/modules/transactions";

export const paymentMutants: readonly Mutant[] = [
  {
    name: "transaction-of-another-tenant",
    breaks: "a merchant reads and refunds the payments of others",
    change: {
      file: `${TRANSACTIONS}/find-transaction.ts`,
      find: "on account_number = owner and environment",
      replace: "on account_number is not null and environment",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "transaction-of-the-other-environment",
    breaks: "a test key reaches live payments",
    change: {
      file: `${TRANSACTIONS}/find-transaction.ts`,
      find: "and environment = coalesce(reach, environment)",
      replace: "and environment is not null",
    },
    caughtBy: ["test/reach.test.ts"],
  },
  {
    name: "refund-of-all-refused",
    breaks: "what is left can be refunded but for its last cent",
    change: {
      file: `${TRANSACTIONS}/request-refund.ts`,
      find: "compareMoney(amount, left) > 0",
      replace: "compareMoney(amount, left) >= 0",
    },
    caughtBy: ["test/api/transactions/refund.test.ts"],
  },
  {
    name: "card-number-in-a-refund",
    breaks: "a card number stands in the record of a refund, which can never be changed",
    change: {
      file: `${TRANSACTIONS}/refund-routes.ts`,
      find: "optional(withoutCardNumber(lines(REASON_LENGTH_MAX)))",
      replace: "optional(lines(REASON_LENGTH_MAX))",
    },
    caughtBy: ["test/api/http/card-numbers.test.ts"],
  },
  {
    name: "refund-without-lock",
    breaks: "two refunds at once count the same money as left",
    change: {
      file: `${TRANSACTIONS}/refund.ts`,
      find: "\n    for no key update`);",
      replace: "`);",
    },
    caughtBy: ["test/api/transactions/refund-races.test.ts", "test/api/transactions/locks.test.ts"],
  },
  {
    name: "refund-ordered-again-unasked",
    breaks: "after a lost answer the order is sent again without asking what became of it",
    change: {
      file: "src/modules/gateway/settle-order.ts",
      find: "if (tryCount > 1) {",
      replace: "if (tryCount > 99) {",
    },
    caughtBy: ["test/api/transactions/refund-second-try.test.ts"],
  },
  {
    name: "refund-hold-released-twice",
    breaks: "a refund that has ended ends again, and its hold is released a second time",
    change: {
      file: `${TRANSACTIONS}/refund.ts`,
      find: "where refund_id = ${refund_id} and ended_at is null",
      replace: "where refund_id = ${refund_id}",
    },
    caughtBy: [
      "test/api/transactions/refund-settle.test.ts",
      "test/api/transactions/refund-lease.test.ts",
    ],
  },
  {
    name: "more-goes-back-than-was-paid",
    breaks: "nothing but the code in front keeps refunds within the payment",
    change: { sql: "alter table transactions drop constraint no_more_goes_back_than_was_paid" },
    caughtBy: [
      "test/api/transactions/refund-rules.test.ts",
      "test/api/transactions/states.test.ts",
    ],
  },
];
