/** The ledger's statement by day, on the page and to print. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import type { Money } from "../../kit/money.ts";
import type { Balance } from "../../modules/ledger/balances.ts";
import type { StatementDay } from "../../modules/statements/read-statement.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { linkButton } from "../../parts/form.ts";
import { moneyHtml } from "../../parts/money.ts";
import { panel } from "../../parts/panel.ts";
import { stat, statRow } from "../../parts/stat.ts";
import { table } from "../../parts/table.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { type MonthStatement, monthName } from "./month.ts";

export const BALANCE = "/console/balance";

const COLUMNS = [
  ["Opening", "opening"],
  ["Payments", "payments"],
  ["Fees", "fees"],
  ["Refunds", "refunds"],
  ["Disputes", "disputes"],
  ["Withdrawals", "withdrawals"],
  ["Other", "other"],
  ["Closing", "closing"],
] as const;

export function balancePage(
  visitor: Visitor,
  statement: MonthStatement,
  balances: readonly Balance[],
): Answer {
  const { month, currency, earlier, later } = statement;
  const query = `month=${month}&currency=${currency}`;
  return consolePage(visitor, {
    title: "Balance",
    section: "Balance",
    content: [
      panel({ live: "balances", content: balanceRow(balances) }),
      panel({
        heading: `Statement of ${monthName(month)}`,
        text: `Days of ${visitor.timeZone.replace("_", " ")}, in ${currency}`,
        isFlush: true,
        live: "statement",
        actions: [
          linkButton({ text: "CSV", href: `${BALANCE}/statement.csv?${query}` }),
          linkButton({ text: "Print", href: `${BALANCE}/statement?${query}` }),
        ],
        content: [currencyLinks(statement), statementTable(statement)],
      }),
      html`<nav class="pager" aria-label="Months">
<a class="button secondary" href="${linkTo(earlier, currency)}" data-swap>${monthName(earlier)}</a>
${later !== undefined && html`<a class="button secondary" href="${linkTo(later, currency)}" data-swap>${monthName(later)}</a>`}
</nav>`,
    ],
  });
}

function linkTo(month: string, currency: string): string {
  return `${BALANCE}?month=${month}&currency=${currency}`;
}

export function balanceRow(balances: readonly Balance[]): Html {
  return statRow(
    ...balances.map(({ balance, available, held }) =>
      stat({
        label: `Balance in ${balance.currency}`,
        value: moneyHtml(balance),
        note: html`${moneyHtml(available)} available${held.minor !== 0n && html`, ${moneyHtml(held)} held`}`,
      }),
    ),
  );
}

function currencyLinks({ currencies, currency, month }: MonthStatement): Html {
  const links = currencies.map(
    (each) =>
      html`<a href="${linkTo(month, each)}" data-swap${each === currency && html` aria-current="page"`}>${each}</a>`,
  );
  return html`<nav class="tabs" aria-label="Currency">${links}</nav>`;
}

function statementTable({ days, totals, month }: MonthStatement): Html {
  const moved = days.filter((day) =>
    COLUMNS.slice(1, -1).some(([, name]) => day[name].minor !== 0n),
  );
  return table<StatementDay>({
    caption: `Statement of ${monthName(month)}`,
    // Days on which nothing moved say nothing: the closing of one is the opening of the next.
    rows: moved,
    columns: [
      { label: "Day", phone: "lead", cell: ({ day }) => day },
      ...COLUMNS.map(([label, name]) => ({
        label,
        align: "end" as const,
        cell: (day: StatementDay) => amountOf(day[name], name),
      })),
    ],
    foot: {
      Day: "Month",
      ...Object.fromEntries(COLUMNS.map(([label, name]) => [label, moneyHtml(totals[name])])),
    },
    empty: emptyState({
      heading: "Nothing moved in this month",
      text: html`It opened and closed with ${moneyHtml(totals.closing)}.`,
    }),
  });
}

/** A line on which nothing moved is left empty: what did is seen at once. */
function amountOf(amount: Money, name: string): Html | false {
  if (amount.minor === 0n && name !== "opening" && name !== "closing") return false;
  return moneyHtml(amount);
}

/** Alone on a page: the style leaves out the frame when it is printed. */
export function printedStatement(visitor: Visitor, statement: MonthStatement): Answer {
  const { account, environment, timeZone } = visitor;
  const { month, currency } = statement;
  const mark = environment === "sandbox" ? ", sandbox: no real money" : "";
  return consolePage(visitor, {
    title: `Statement of ${monthName(month)}`,
    section: "Balance",
    back: { name: "Balance", href: linkTo(month, currency) },
    content: panel({
      heading: `${account.name}, account ${account.accountNumber}${mark}`,
      text: `Days of ${timeZone.replace("_", " ")}, in ${currency}`,
      isFlush: true,
      content: statementTable(statement),
    }),
  });
}
