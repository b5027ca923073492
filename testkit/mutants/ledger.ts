/** Bugs in the books themselves, and in what a payment costs. */

import type { Mutant } from "./mutant.ts";

export const ledgerMutants: readonly Mutant[] = [
  {
    name: "fee-rounded-down",
    breaks: "every fee with half a cent is a cent short",
    change: {
      file: "src/modules/platforms/fee-quote.ts",
      find: "return (dividend + divisor / 2n) / divisor;",
      replace: "return dividend / divisor;",
    },
    caughtBy: ["src/modules/platforms/fee-quote.test.ts"],
  },
  {
    name: "half-cent-to-the-merchant",
    breaks: "a split fee is divided otherwise than it is told",
    change: {
      file: "src/modules/platforms/fee-quote.ts",
      find: "return (feeMinor + 1n) / 2n;",
      replace: "return feeMinor / 2n;",
    },
    caughtBy: ["src/modules/platforms/fee-quote.test.ts"],
  },
  {
    name: "least-payment-refused",
    breaks: "the least amount that may be paid is refused",
    change: {
      file: "src/modules/platforms/fee-quote.ts",
      find: "compareMoney(amount, minimum) >= 0",
      replace: "compareMoney(amount, minimum) > 0",
    },
    caughtBy: ["test/api/transactions/price.test.ts", "src/modules/platforms/fee-quote.test.ts"],
  },
  {
    name: "tax-left-in-the-fee",
    breaks: "we keep the state's part of every fee",
    change: {
      file: "src/modules/ledger/recipes.ts",
      find: '["gateway_clearing", "tax", tax],',
      replace: '["gateway_clearing", "fee_income", tax],',
    },
    caughtBy: ["src/modules/ledger/recipes.test.ts"],
  },
  {
    name: "posting-id-taken-for-a-repeat",
    breaks: "another posting under a known id is swallowed as if it were the first",
    change: {
      file: "src/modules/ledger/post.ts",
      find: '(await isStored(tx, entry)) ? "repeated" : new PostingIdReused(entry.posting)',
      replace: '"repeated"',
    },
    caughtBy: ["test/ledger/post.test.ts"],
  },
  {
    name: "balances-not-locked",
    breaks: "two who post at once both read the balance before either moves it",
    change: {
      sql: `do $$ begin execute replace(pg_get_functiondef('post_to_ledger'::regproc),
        'for no key update of balance', ''); end $$`,
    },
    caughtBy: ["test/ledger/races.test.ts"],
  },
  {
    name: "balance-below-zero",
    breaks: "nothing but the code in front keeps a merchant from owing us",
    change: {
      sql: `alter table ledger_balances
        drop constraint balance_stays_at_or_above_zero_unless_allowed`,
    },
    caughtBy: ["test/ledger/rules.test.ts"],
  },
  {
    name: "postings-can-be-changed",
    breaks: "direct SQL can rewrite what happened",
    change: { sql: "drop trigger ledger_postings_are_never_changed on ledger_postings" },
    caughtBy: ["test/ledger/append-only.test.ts"],
  },
  {
    name: "money-out-of-nothing-unseen",
    breaks: "a balance that no transfer explains is not found by the nightly count",
    change: { sql: "drop trigger a_balance_moves_only_by_transfers on ledger_balances" },
    caughtBy: ["test/ledger/rules.test.ts"],
  },
];
