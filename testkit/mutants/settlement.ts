/** Bugs in what the acquirer paid out, and in how the live gateway is chosen and tried. */

import type { Mutant } from "./mutant.ts";

const SETTLEMENT = "src/modules/settlement";

export const settlementMutants: readonly Mutant[] = [
  {
    name: "settled-amount-not-compared",
    breaks: "a sale that the acquirer settled for less passes for settled",
    change: {
      file: `${SETTLEMENT}/judge-line.ts`,
      find: "if (ours.minor !== amount.minor)",
      replace: "if (ours.minor === -1n)",
    },
    caughtBy: ["test/settlement/import.test.ts"],
  },
  {
    name: "settled-twice-unnoticed",
    breaks: "two lines settle one sale",
    change: {
      file: `${SETTLEMENT}/judge-line.ts`,
      find: "(settledBy.get(claim) ?? lineId) !== lineId",
      replace: 'settledBy.get(claim) === "" && lineId === claim',
    },
    caughtBy: ["test/settlement/import.test.ts"],
  },
  {
    name: "settled-refund-of-another-amount",
    breaks: "a line settles a refund of another amount",
    change: {
      file: `${SETTLEMENT}/judge-line.ts`,
      find: "one.amount_minor === amount.minor",
      replace: "one.amount_minor > 0n",
    },
    caughtBy: ["test/settlement/import.test.ts"],
  },
  {
    name: "settlement-not-judged-again",
    breaks: "a line that was unknown stays so, although its sale is known by now",
    change: {
      file: `${SETTLEMENT}/import-lines.ts`,
      find: 'before.get(lineId)?.state !== "matched"',
      replace: "!before.has(lineId)",
    },
    caughtBy: ["test/settlement/import.test.ts"],
  },
  {
    name: "settlement-by-order-of-lines",
    breaks: "only lines that agree are booked, so that the books depend on which came first",
    change: {
      file: `${SETTLEMENT}/import-lines.ts`,
      find: "if (accountNumber === null) return [];",
      replace: 'if (accountNumber === null || row.state !== "matched") return [];',
    },
    caughtBy: ["test/settlement/books.test.ts"],
  },
  {
    name: "clearing-with-withdrawals",
    breaks: "what our bank paid to merchants counts as settled by the acquirer",
    change: {
      file: `${SETTLEMENT}/clearing.ts`,
      find: "(coalesce(paid_out, 0) - balance)",
      replace: "(coalesce(paid_out, 0) * 0 - balance)",
    },
    caughtBy: ["test/settlement/clearing.test.ts"],
  },
];
