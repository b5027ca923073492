/** Bugs in what the console adds up and finds. */

import type { Mutant } from "./mutant.ts";

export const statementMutants: readonly Mutant[] = [
  {
    name: "entry-added-up-twice",
    breaks: "the last entry of each run is in the statement twice",
    change: {
      file: "src/modules/statements/add-up-statements.ts",
      find: "select ledger_account_id, until from chain",
      replace: "select ledger_account_id, greatest(until - 1, done + 1) from chain",
    },
    caughtBy: ["test/statements/races.test.ts"],
  },
  {
    name: "day-begins-at-utc-midnight",
    breaks: "what is paid in the evening is in the statement of the next day",
    change: {
      file: "src/modules/statements/sum-periods.ts",
      find: "periods[row.place - 1]?.push(negated(sum));",
      replace: "",
    },
    caughtBy: ["test/statements/midnight.test.ts"],
  },
  {
    name: "fees-left-out-of-payments",
    breaks: "a statement shows less than customers paid, and fees beside it",
    change: {
      file: "src/modules/statements/read-statement.ts",
      find: "lines[line] = addMoney(addMoney(lines[line], money(currency, movedMinor)), fee);",
      replace: "lines[line] = addMoney(lines[line], money(currency, movedMinor));",
    },
    caughtBy: ["test/statements/month.test.ts"],
  },
  {
    name: "search-reaches-other-environment",
    breaks: "a search by order, card or e-mail finds payments of the sandbox",
    change: {
      file: "src/modules/transactions/search-keys.ts",
      find: "ordered(filter, slice, which);",
      replace: 'ordered({ ...filter, environment: "sandbox" }, slice, which);',
    },
    caughtBy: ["test/api/transactions/search.test.ts"],
  },
];
