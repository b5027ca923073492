/**
 * What the hourly jobs found when they last checked the books (Decision 0133): read at once,
 * however long the books are.
 */

import type { DifferenceView } from "../ledger/difference.ts";
import { lastReconciliations } from "../ledger/last-reconciliation.ts";
import { amountIn } from "./amount-cell.ts";
import { defineRead } from "./command.ts";
import { type Block, reportBlocks, tableBlock, words } from "./render.ts";

/** In the order in which they run. */
export const CHECKS: Readonly<Record<string, string>> = {
  "reconcile-ledger": "ledger entries",
  "reconcile-records": "payments with refunds and disputes",
  "reconcile-withdrawals": "withdrawals",
  "reconcile-card-checks": "card checks",
  "reconcile-settlements": "settlement lines",
};

export const reconciliation = defineRead({
  name: "reconciliation",
  right: "audit",
  about: "show what the hourly jobs found when they last checked the books",
  more: "The exit code is 1 when something differed. reconcile checks all of it now.",
  fields: {},
  example: {
    given: "",
    shows: `Last checks
  of                                  when                  counted  differences
  ledger entries                      2026-11-15 06:23:00Z  16       0
  payments with refunds and disputes  -                     -        -
  withdrawals                         -                     -        -
  card checks                         -                     -        -
  settlement lines                    -                     -        -
Nothing differed in what was checked so far.`,
  },
  async run({ db }) {
    const last = new Map((await lastReconciliations(db)).map((one) => [one.job, one]));
    const checks = Object.entries(CHECKS).map(([job, of]) => ({ of, ...last.get(job) }));
    const differences = checks.flatMap((one) => one.differences ?? []);
    const count = checks.reduce((sum, one) => sum + Number(one.difference_count ?? 0), 0);
    const table = tableBlock("Last checks", checks, {
      of: "of",
      when: "checked_at",
      counted: "counted",
      differences: "difference_count",
    });
    const data = { checks, difference_count: count, differences };
    if (count === 0) {
      const missing = checks.filter(({ checked_at }) => checked_at === undefined).length;
      return reportBlocks(data, [table, words(inWords(missing, checks.length))]);
    }
    const blocks = [words(`Differences: ${count}.`), differencesBlock(differences), table];
    return { ...reportBlocks(data, blocks), isBad: true };
  },
});

function inWords(missing: number, all: number): string {
  if (missing === all) return "Nothing was checked yet: each is checked once an hour.";
  return missing === 0 ? "Nothing differed." : "Nothing differed in what was checked so far.";
}

function differencesBlock(differences: readonly DifferenceView[]): Block {
  return tableBlock("Differences", differences, {
    where: "where",
    difference: "what",
    expected: ({ currency, expected }) => currency && amountIn(currency, expected),
    found: ({ currency, found }) => currency && amountIn(currency, found),
  });
}
