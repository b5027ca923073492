/**
 * Re-adds the books and matches the records to them now, as jobs do every hour; the exit code is 1
 * when something differs.
 */

import { type Difference, describeDifference, viewDifference } from "../ledger/difference.ts";
import { reconcile as reAdd } from "../ledger/reconcile.ts";
import { acquirerClearing, viewOwed } from "../settlement/clearing.ts";
import { reconcileSettlements } from "../settlement/reconcile-settlements.ts";
import { reconcileRecords } from "../transactions/reconcile-records.ts";
import { reconcileChecks } from "../trusted-cards/reconcile-checks.ts";
import {
  HELD_FOR_WITHDRAWALS,
  reconcileWithdrawals,
} from "../withdrawals/reconcile-withdrawals.ts";
import { defineRead } from "./command.ts";

export const reconcile = defineRead({
  name: "reconcile",
  right: {
    terminalOnly:
      "It re-adds all books, which takes longer than a page may; `reconciliation` is there.",
  },
  about:
    "re-add the books, match payments, card checks, withdrawals and settlement reports to them, " +
    "and name what differs",
  more:
    "The exit code is 1 when something differs. Payments go on meanwhile. " +
    "The reconciliation command shows what the hourly jobs found last, without adding up again.",
  fields: {},
  example: {
    given: "",
    shows:
      "The books balance: 5 ledger accounts, 16 entries re-added, " +
      "1 payments, 0 card checks, 0 withdrawals and 0 settlement lines matched.",
  },
  async run({ db, config }) {
    const books = await reAdd(db);
    const records = await reconcileRecords({ db, otherHolds: [HELD_FOR_WITHDRAWALS] });
    const checks = await reconcileChecks(db);
    const withdrawals = await reconcileWithdrawals(db);
    const settled = await reconcileSettlements(db, config.settlement.days);
    const owed = await acquirerClearing(db);
    const all = [books, records, checks, withdrawals, settled];
    const differences = all.flatMap((one): readonly Difference[] => one.differences);
    const differenceCount = all.reduce((sum, one) => sum + one.differenceCount, 0);
    const { matchedCount, notMatchedCount } = settled;
    const counted =
      `${books.accountCount} ledger accounts, ${books.entryCount} entries re-added, ` +
      `${records.recordCount} payments, ${checks.recordCount} card checks, ` +
      `${withdrawals.recordCount} withdrawals and ${matchedCount} settlement lines matched` +
      (notMatchedCount === 0 ? "" : `, ${notMatchedCount} settlement lines not`);
    const data = {
      account_count: books.accountCount,
      entry_count: books.entryCount,
      payment_count: records.recordCount,
      card_check_count: checks.recordCount,
      withdrawal_count: withdrawals.recordCount,
      settlement_line_count: matchedCount,
      settlement_line_not_matched_count: notMatchedCount,
      acquirer_owes: viewOwed(owed),
      difference_count: differenceCount,
      differences: differences.map(viewDifference),
    };
    if (differenceCount === 0) return { data, text: `The books balance: ${counted}.` };
    const shown = differences.map((one) => `  ${describeDifference(one)}`);
    const head = `The books differ in ${differenceCount} places: ${counted}.`;
    return { data, text: [head, ...shown].join("\n"), isBad: true };
  },
});
