/** One withdrawal: what it is, where it goes, how far it is, and taking it back. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import { addMoney, money } from "../../kit/money.ts";
import {
  mayMove,
  type WithdrawalRow,
  type WithdrawalStatus,
} from "../../modules/withdrawals/withdrawal.ts";
import type { WithdrawalStep } from "../../modules/withdrawals/withdrawal-history.ts";
import type { Tone } from "../../parts/badge.ts";
import { copyable } from "../../parts/copy.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { moneyHtml, moneyText } from "../../parts/money.ts";
import { panel, panelGrid } from "../../parts/panel.ts";
import { timeHtml } from "../../parts/time.ts";
import { timeline } from "../../parts/timeline.ts";
import { oneTimeButton } from "../one-time-form.ts";
import { atRecord, otherEnvironment } from "../other-environment.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm } from "../refused.ts";
import type { Simulated } from "../simulate-panel.ts";
import type { Visitor } from "../visitor.ts";
import { wordsOfField } from "./bank-words.ts";
import { WITHDRAWALS } from "./paths.ts";
import { simulateWithdrawalPanel } from "./simulate-withdrawal-panel.ts";
import { whenThisIsPaid } from "./when-paid.ts";
import {
  documentName,
  ending,
  MONEY_WORDS,
  STATUS_WORDS,
  statusBadge,
  TYPE_WORDS,
} from "./words.ts";

export interface WithdrawalView {
  readonly row: WithdrawalRow;
  readonly steps: readonly WithdrawalStep[];
  readonly refused?: RefusedForm;
  /** A simulation that was refused. */
  readonly simulated?: Simulated;
}

export function withdrawalPage(visitor: Visitor, view: WithdrawalView): Answer {
  const { row, steps, simulated, refused = simulated?.refused } = view;
  const isOpen = mayMove(row.status, "cancelled");
  return consolePage(atRecord(visitor, row), {
    title: `Withdrawal of ${moneyText(amountOf(row))}`,
    section: "Withdrawals",
    back: { name: "Withdrawals", href: WITHDRAWALS },
    problem: refused?.summary,
    content: [
      otherEnvironment(visitor, row, "withdrawal"),
      panelGrid(
        panel({
          heading: "State",
          live: "state",
          ...(isOpen && { actions: cancelButton(visitor, row) }),
          content: [
            html`<p>${statusBadge(row.status)}</p>`,
            whenThisIsPaid(visitor, row),
            history(visitor, steps),
          ],
        }),
        panel({
          heading: "Withdrawal",
          live: "facts",
          content: definitionList(factsOf(visitor, row)),
        }),
      ),
      panel({
        heading: MONEY_WORDS[row.status].payee,
        live: "payee",
        content: definitionList(payeeFacts(row)),
      }),
      simulateWithdrawalPanel(visitor, row, simulated),
    ],
  });
}

/** In one click: nothing is lost by it, and the same can be asked for again. */
function cancelButton(visitor: Visitor, { transaction_id }: WithdrawalRow): Html {
  const action = `${WITHDRAWALS}/${transaction_id}/cancel`;
  return oneTimeButton(visitor, { action, text: "Cancel", kind: "danger" });
}

function history({ timeZone }: Visitor, steps: readonly WithdrawalStep[]): Html {
  return timeline(
    "What happened",
    steps.map(({ status, at, description, isReleased }, index) => ({
      tone: stepTone(status, index === steps.length - 1),
      title: isReleased ? "Released" : STATUS_WORDS[status].text,
      at: timeHtml(at, timeZone, "seconds"),
      detail: description,
    })),
  );
}

/** Only the last step can be under way. */
function stepTone(status: WithdrawalStatus, isLast: boolean): Tone {
  const { tone } = STATUS_WORDS[status];
  return tone === "progress" && !isLast ? "plain" : tone;
}

function factsOf({ timeZone }: Visitor, row: WithdrawalRow) {
  const fee = feeOf(row);
  return [
    { term: "Amount", value: moneyHtml(amountOf(row)) },
    { term: "Fee", value: moneyHtml(fee) },
    { term: MONEY_WORDS[row.status].total, value: moneyHtml(addMoney(amountOf(row), fee)) },
    { term: "Kind", value: TYPE_WORDS[row.withdrawal_type] },
    { term: "Requested", value: timeHtml(row.created_at, timeZone, "seconds") },
    { term: "Id", value: copyable(row.transaction_id, "id") },
    { term: "Bank reference", value: copyable(row.reference, "bank reference") },
    { term: "Your data", value: row.data !== "" && html`<code>${row.data}</code>` },
  ].filter(({ value }) => value !== false);
}

function payeeFacts(row: WithdrawalRow) {
  const abroad = Object.entries(row.foreign_bank ?? {}).map(([name, value]) => ({
    term: wordsOfField(name).label,
    value: value ?? "",
  }));
  const documentEnd = row.id_number_last_four;
  return [
    { term: "Recipient", value: row.recipient_name ?? "" },
    { term: "Bank", value: row.bank_name ?? "" },
    {
      term: "Account",
      value: row.bank_account_last_four === null ? "" : ending(row.bank_account_last_four),
    },
    { term: "Name at the bank", value: row.name_in_bank ?? "" },
    { term: "Kind of account", value: row.bank_account_type ?? "" },
    { term: "Branch", value: row.bank_branch ?? "" },
    ...abroad,
    { term: "E-mail", value: row.email ?? "" },
    { term: "Phone", value: row.phone ?? "" },
    {
      term: "Document",
      value: documentEnd === null ? "" : `${documentName(row.id_type)} ${ending(documentEnd)}`,
    },
  ];
}

function amountOf({ currency, amount_minor }: WithdrawalRow) {
  return money(currency, amount_minor);
}

function feeOf({ currency, fee_minor }: WithdrawalRow) {
  return money(currency, fee_minor);
}
