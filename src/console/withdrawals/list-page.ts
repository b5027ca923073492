/** The page Withdrawals: what is there, where it goes, and every withdrawal with its state. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import type { Balance } from "../../modules/ledger/balances.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import type { WithdrawalRow } from "../../modules/withdrawals/withdrawal.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { linkButton } from "../../parts/form.ts";
import { moneyHtml } from "../../parts/money.ts";
import { pager } from "../../parts/pager.ts";
import { panel, panelGrid } from "../../parts/panel.ts";
import { stat, statRow } from "../../parts/stat.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { factsOfBank } from "./bank-words.ts";
import { type ListFilter, listFilters } from "./list-filter.ts";
import { bankPath, LISTS, PAY, WITHDRAW, WITHDRAWALS } from "./paths.ts";
import type { BankView } from "./read-banks.ts";
import { payeeOf, placeOf, statusBadge, TYPE_WORDS } from "./words.ts";

export interface WithdrawalsView {
  readonly balances: readonly Balance[];
  readonly banks: readonly BankView[];
  readonly rows: readonly WithdrawalRow[];
  /** How many fit the filters. */
  readonly total: number;
  readonly newer: string | undefined;
  readonly older: string | undefined;
  readonly filter: ListFilter;
}

export function withdrawalsPage(visitor: Visitor, view: WithdrawalsView): Answer {
  const { isMainMerchant } = visitor.account;
  return consolePage(visitor, {
    title: "Withdrawals",
    section: "Withdrawals",
    beside: [
      linkButton({ text: "Withdraw", href: WITHDRAW, kind: "primary" }),
      isMainMerchant && linkButton({ text: "Pay somebody", href: PAY }),
      isMainMerchant && linkButton({ text: "Pay a list", href: LISTS }),
    ],
    problem: view.filter.problem,
    content: [
      html`<div id="balances" data-live>${balances(view.balances)}</div>`,
      listPanel(visitor, view),
      bankPanels(visitor, view.banks),
    ],
  });
}

function balances(all: readonly Balance[]): Html {
  return statRow(
    ...all.map(({ balance, available, held }) =>
      stat({
        label: `Available in ${balance.currency}`,
        value: moneyHtml(available),
        note: html`${moneyHtml(held)} held, ${moneyHtml(balance)} in all`,
      }),
    ),
  );
}

function bankPanels(visitor: Visitor, banks: readonly BankView[]): Html {
  const { name } = platformOf(visitor.account.countryCode);
  const panels = banks.map((bank) => {
    const { type } = bank.kind;
    const place = type === "local" ? `in ${name}` : "abroad";
    const about = `the bank ${place}`;
    return panel({
      heading: `Bank ${place}`,
      text: `Withdrawals in ${bank.currency} go here.`,
      actions:
        bank.row === undefined
          ? linkButton({ text: "Add", href: bankPath(type), isSmall: true, about })
          : [
              linkButton({ text: "Change", href: bankPath(type), isSmall: true, about }),
              linkButton({
                text: "Remove",
                href: `${bankPath(type)}/remove`,
                isSmall: true,
                about,
              }),
            ],
      content:
        bank.row === undefined
          ? html`<p class="soft">There are no bank details for ${bank.currency} yet.</p>`
          : definitionList(factsOfBank(bank)),
    });
  });
  return panelGrid(panels);
}

function listPanel(visitor: Visitor, view: WithdrawalsView): Html {
  const { filter, rows, total, newer, older } = view;
  const isMain = visitor.account.isMainMerchant;
  return html`${listFilters(visitor, filter)}
${panel({ isFlush: true, live: "withdrawals", content: [listTable(visitor, view, isMain)] })}
${rows.length > 0 && pager({ shown: shownOf(rows.length, total), newer, older })}`;
}

function shownOf(count: number, total: number): string {
  const noun = total === 1 ? "withdrawal" : "withdrawals";
  return count === total ? `${total} ${noun}` : `${count} of ${total} ${noun}`;
}

function listTable({ timeZone }: Visitor, view: WithdrawalsView, isMain: boolean): Html {
  const kind = {
    label: "Kind",
    cell: ({ withdrawal_type }: WithdrawalRow) => TYPE_WORDS[withdrawal_type],
  };
  return table<WithdrawalRow>({
    caption: "Withdrawals",
    rows: view.rows,
    href: ({ transaction_id }) => `${WITHDRAWALS}/${transaction_id}`,
    columns: [
      {
        label: "Amount",
        phone: "lead",
        cell: ({ currency, amount_minor }) => moneyHtml(money(currency, amount_minor)),
      },
      { label: "State", phone: "side", cell: ({ status }) => statusBadge(status) },
      { label: "To", phone: "note", cell: toWhom },
      ...(isMain ? [kind] : []),
      {
        label: "Fee",
        align: "end",
        cell: ({ currency, fee_minor }) => moneyHtml(money(currency, fee_minor)),
      },
      { label: "Requested", cell: ({ created_at }) => timeHtml(created_at, timeZone) },
    ],
    empty: view.filter.isSet
      ? emptyState({
          heading: "No withdrawals match",
          text: "Remove a filter, or clear them all.",
        })
      : emptyState({
          icon: "withdrawals",
          heading: "No withdrawals yet",
          text: "Money that you withdraw to your bank shows here, with its state.",
          action: linkButton({ text: "Withdraw", href: WITHDRAW }),
        }),
  });
}

function toWhom(row: WithdrawalRow): HtmlValue {
  return row.withdrawal_type === "normal" ? placeOf(row) : `${payeeOf(row)}, ${placeOf(row)}`;
}
