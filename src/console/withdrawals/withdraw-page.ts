/** The form of a withdrawal to the account's own bank: how much, what it costs, where it goes. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import { type Currency, type Money, money, subtractMoney } from "../../kit/money.ts";
import type { Balance } from "../../modules/ledger/balances.ts";
import { withdrawalTermsOf } from "../../modules/platforms/limits.ts";
import { selectField, textField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, linkButton, postForm } from "../../parts/form.ts";
import { moneyHtml, moneyText } from "../../parts/money.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { oneTimeField } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { bankPath, WITHDRAW, WITHDRAWALS } from "./paths.ts";
import { type BankView, bankInWords } from "./read-banks.ts";
import { whenPaid } from "./when-paid.ts";

export interface WithdrawForm {
  readonly balances: readonly Balance[];
  readonly banks: readonly BankView[];
  readonly sent?: SentForm;
  readonly refused?: RefusedForm;
}

/** A bank that can be paid, and what is there for it. */
interface Way {
  readonly bank: BankView;
  readonly available: Money;
  readonly fee: Money;
  /** The most that can be withdrawn at once: what is left pays the fee. */
  readonly most: Money;
}

export function withdrawPage(visitor: Visitor, view: WithdrawForm): Answer {
  const ways = view.banks.map((bank) => wayOf(bank, view.balances));
  const open = ways.filter(({ bank }) => bank.row !== undefined);
  return consolePage(visitor, {
    title: "Withdraw",
    section: "Withdrawals",
    back: { name: "Withdrawals", href: WITHDRAWALS },
    problem: view.refused?.summary,
    content: [
      open.length === 0 ? noBank(ways) : panel({ content: form(visitor, view, open) }),
      panel({ heading: "What you can withdraw", isFlush: true, content: wayTable(ways) }),
    ],
  });
}

function wayOf(bank: BankView, balances: readonly Balance[]): Way {
  const { currency } = bank;
  const none = money(currency, 0n);
  const available = balances.find((each) => each.balance.currency === currency)?.available ?? none;
  const { fee } = withdrawalTermsOf(currency);
  const rest = subtractMoney(available, fee);
  return { bank, available, fee, most: rest.minor > 0n ? rest : none };
}

function noBank(ways: readonly Way[]): Html {
  return notice({
    tone: "warn",
    heading: "Add your bank details first",
    text: "Money is withdrawn to a bank account of yours.",
    action: html`${ways.map(({ bank }) =>
      linkButton({
        text: bank.kind.type === "local" ? "Add a local bank" : "Add a bank abroad",
        href: bankPath(bank.kind.type),
      }),
    )}`,
  });
}

function form(visitor: Visitor, { sent = {}, refused }: WithdrawForm, open: readonly Way[]): Html {
  return postForm({
    action: WITHDRAW,
    csrf: visitor.formToken,
    content: html`${oneTimeField()}
${textField({
  name: "amount",
  label: "Amount",
  inputmode: "decimal",
  isCode: true,
  autocomplete: "off",
  required: true,
  placeholder: "100.00",
  value: sent.amount ?? "",
  error: refused?.errorOf("amount"),
})}
${selectField({
  name: "currency",
  label: "Currency",
  value: sent.currency ?? richest(open),
  options: open.map(({ bank, most }) => ({
    value: bank.currency,
    text: `${bank.currency}, up to ${moneyText(most)}`,
  })),
  error: refused?.errorOf("currency"),
})}
${textField({
  name: "data",
  label: "Note",
  optional: "optional",
  hint: "Shown with the withdrawal and sent with its events.",
  maxlength: 4096,
  value: sent.data ?? "",
  error: refused?.errorOf("data"),
})}
<p class="soft">${feeWords(open)} Amount and fee are held at once. You can cancel until it is sent
to the bank.</p>
<p class="soft">${whenPaid(visitor)}</p>
${buttonRow(button({ text: "Withdraw", kind: "primary" }), cancelLink(WITHDRAWALS))}`,
  });
}

/** "The fee is TTD 5.00." The same stands in the table below, which a phone does not show. */
function feeWords(open: readonly Way[]): string {
  const fees = open.map(({ fee }) => moneyText(fee));
  return `The fee is ${new Intl.ListFormat("en", { type: "disjunction" }).format(fees)}.`;
}

function richest(open: readonly Way[]): Currency | undefined {
  return (open.find(({ most }) => most.minor > 0n) ?? open[0])?.bank.currency;
}

function wayTable(ways: readonly Way[]): Html {
  return table<Way>({
    caption: "What you can withdraw",
    rows: ways,
    columns: [
      { label: "Currency", phone: "lead", cell: ({ bank }) => bank.currency },
      { label: "Available", align: "end", cell: ({ available }) => moneyHtml(available) },
      { label: "Fee", align: "end", cell: ({ fee }) => moneyHtml(fee) },
      { label: "At most", align: "end", cell: ({ most }) => moneyHtml(most) },
      {
        label: "Goes to",
        cell: ({ bank }) =>
          bankInWords(bank) ??
          html`<a href="${bankPath(bank.kind.type)}">Add bank details
<span class="unseen">for ${bank.currency}</span></a>`,
      },
    ],
    empty: html``,
  });
}
