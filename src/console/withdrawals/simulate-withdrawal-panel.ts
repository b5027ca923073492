/** What can be made to happen to a sandbox withdrawal, in words for people. */

import type { HtmlValue } from "../../kit/html.ts";
import {
  allowedWithdrawalOutcomes,
  TAKE_REASON,
  type WithdrawalOutcome,
} from "../../modules/sandbox-controls/simulate-withdrawal.ts";
import type { WithdrawalRow } from "../../modules/withdrawals/withdrawal.ts";
import { textField } from "../../parts/field.ts";
import { type Simulated, simulatePanel } from "../simulate-panel.ts";
import type { Visitor } from "../visitor.ts";
import { WITHDRAWALS } from "./paths.ts";

export const WITHDRAWAL_OUTCOME_WORDS: Readonly<Record<WithdrawalOutcome, string>> = {
  process: "The bank gets the order",
  complete: "The bank pays it",
  fail: "The bank rejects it",
  hold: "It is held",
  release: "It goes on",
  return: "The bank sends it back",
};

export function simulateWithdrawalPanel(
  visitor: Visitor,
  row: WithdrawalRow,
  simulated: Simulated | undefined,
): HtmlValue {
  if (row.environment !== "sandbox") return undefined;
  const outcomes = allowedWithdrawalOutcomes(row);
  return simulatePanel(visitor, {
    href: `${WITHDRAWALS}/${row.transaction_id}`,
    choice: { name: "outcome", label: "What happens" },
    options: outcomes.map((value) => ({ value, text: WITHDRAWAL_OUTCOME_WORDS[value] })),
    more:
      outcomes.some((one) => TAKE_REASON.includes(one)) &&
      textField({
        name: "reason",
        label: "Reason",
        hint: "Optional. Shown when it is held, rejected or sent back.",
        value: simulated?.sent.reason ?? "",
        error: simulated?.refused.errorOf("reason"),
        autocomplete: "off",
      }),
    simulated,
  });
}
