/** What is known of a request for a second person: for its page, and for the form that decides. */

import type { HtmlValue } from "../kit/html.ts";
import { type Currency, parseMoney, readFormatted } from "../kit/money.ts";
import type { viewApproval } from "../modules/operator/approvals/approval.ts";
import { definitionList } from "../parts/definition-list.ts";
import { moneyText } from "../parts/money.ts";
import { panel } from "../parts/panel.ts";
import { ACTION_WORDS, labelFor } from "./actions/action-words.ts";
import { linked, utcTime } from "./cells.ts";
import { inPageWords } from "./page-words.ts";

export type ListedApproval = ReturnType<typeof viewApproval>;

export function titleOf({ command, currency, amount }: ListedApproval): string {
  const name = ACTION_WORDS[command]?.button ?? command;
  return `${name}: ${moneyText(readFormatted(currency as Currency, amount))}`;
}

/** As it was typed, which is an amount without its currency. */
function typedText({ currency }: ListedApproval, name: string, typed: string): string {
  const amount = name === "amount" ? parseMoney(currency, typed) : undefined;
  return amount === undefined ? typed : moneyText(amount);
}

export function approvalFacts(shown: ListedApproval): HtmlValue {
  const fact = (term: string, value: string | null) => ({ term, value: value ?? undefined });
  return panel({
    content: definitionList([
      fact("Action", titleOf(shown)),
      { term: "Record", value: linked("record", shown.transaction_id ?? "") },
      { term: "Account", value: linked("account", shown.account_number ?? "") },
      ...Object.entries(shown.input)
        .filter(([name]) => name !== "transaction_id")
        .map(([name, value]) => fact(labelFor(name), typedText(shown, name, value))),
      fact("Asked by", shown.asked_by),
      fact("Reason", shown.why),
      { term: "Asked", value: utcTime(shown.asked_at) },
      { term: "To be decided by", value: utcTime(shown.expires_at) },
      { term: "Decided", value: shown.decided_at ? utcTime(shown.decided_at) : undefined },
      fact("Decided by", shown.decided_by),
      fact("Because", shown.decided_because),
      fact("Outcome", shown.outcome && inPageWords(shown.outcome)),
    ]),
  });
}
