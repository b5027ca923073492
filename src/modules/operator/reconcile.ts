/** Re-adds the books now, as the job does every hour; the exit code tells whether they balance. */

import { formatMoney } from "../../kit/money.ts";
import { describeDifference, reconcile as reAdd } from "../ledger/reconcile.ts";
import { defineRead } from "./command.ts";

export const reconcile = defineRead({
  name: "reconcile",
  about: "re-add the books, and name what differs",
  more: "The exit code is 1 when something differs. Payments go on meanwhile.",
  fields: {},
  example: {
    given: "",
    shows: "The books balance: 5 ledger accounts, 16 entries re-added.",
  },
  async run({ db }) {
    const report = await reAdd(db);
    const counted = `${report.accountCount} ledger accounts, ${report.entryCount} entries re-added`;
    const data = {
      account_count: report.accountCount,
      entry_count: report.entryCount,
      difference_count: report.differenceCount,
      differences: report.differences.map(({ where, expected, found, brokenLink }) => ({
        where,
        currency: expected.currency,
        expected: formatMoney(expected),
        found: formatMoney(found),
        broken_link:
          brokenLink === undefined
            ? null
            : { posting_id: brokenLink.postingId, leg: brokenLink.leg, entry: brokenLink.entry },
      })),
    };
    if (report.differenceCount === 0) return { data, text: `The books balance: ${counted}.` };
    const shown = report.differences.map((one) => `  ${describeDifference(one)}`);
    const head = `The books differ in ${report.differenceCount} places: ${counted}.`;
    return { data, text: [head, ...shown].join("\n"), isBad: true };
  },
});
