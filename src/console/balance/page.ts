/** The ledger's statement by day, on the page and to print. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import type { Money } from "../../kit/money.ts";
import type { Balance } from "../../modules/ledger/balances.ts";
import { LINES, type StatementDay } from "../../modules/statements/read-statement.ts";
import type { Tab } from "../../parts/console-frame.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { linkButton, printButton } from "../../parts/form.ts";
import { moneyHtml, moneyText } from "../../parts/money.ts";
import { panel } from "../../parts/panel.ts";
import { stat, statRow } from "../../parts/stat.ts";
import { table } from "../../parts/table.ts";
import { timeText } from "../../parts/time.ts";
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
  ["Returned", "returned"],
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
    tabs: { label: "Currency", items: currencyTabs(statement) },
    content: [
      html`<div id="balances" data-live>${balanceStats(balances)}</div>`,
      panel({
        heading: `Statement of ${monthName(month)}`,
        text: `Days in ${placeOf(visitor.timeZone)} time, in ${currency}`,
        isFlush: true,
        live: "statement",
        actions: [
          linkButton({ text: "CSV", href: `${BALANCE}/statement.csv?${query}` }),
          linkButton({ text: "Print", href: `${BALANCE}/statement?${query}` }),
        ],
        content: statementTable(statement),
      }),
      html`<nav class="pager" aria-label="Months">
${monthLink(earlier, currency)}
${later !== undefined && monthLink(later, currency)}
</nav>`,
    ],
  });
}

function monthLink(month: string, currency: string): Html {
  const href = linkTo(month, currency);
  return html`<a class="button secondary" href="${href}" data-swap>${monthName(month)}</a>`;
}

function linkTo(month: string, currency: string): string {
  return `${BALANCE}?month=${month}&currency=${currency}`;
}

export function balanceStats(balances: readonly Balance[]): Html {
  return statRow(
    ...balances.map(({ balance, available, held }) =>
      stat({
        label: `Balance in ${balance.currency}`,
        value: moneyHtml(balance),
        note: [
          html`${moneyHtml(available)} available`,
          held.minor !== 0n && html`, ${moneyHtml(held)} held`,
        ],
      }),
    ),
  );
}

function currencyTabs({ currencies, currency, month }: MonthStatement): Tab[] {
  return currencies.map((each) => ({
    name: each,
    href: linkTo(month, each),
    isCurrent: each === currency,
  }));
}

function statementTable({ days, totals, month }: MonthStatement): Html {
  const lines = COLUMNS.filter(([, name]) => ALWAYS.includes(name) || totalsMove(days, name));
  const moved = days.filter((day) => LINES.some((name) => day[name].minor !== 0n));
  return table<StatementDay>({
    caption: `Statement of ${monthName(month)}`,
    // Days on which nothing moved say nothing: the closing of one is the opening of the next.
    rows: moved,
    columns: [
      { label: "Day", phone: "lead", cell: ({ day }) => dayHtml(day) },
      ...lines.map(([label, name]) => ({
        label,
        align: "end" as const,
        cell: (day: StatementDay) => amountOf(day[name], name),
      })),
    ],
    foot: {
      Day: "Month",
      ...Object.fromEntries(lines.map(([label, name]) => [label, figureHtml(totals[name])])),
    },
    empty: emptyState({
      heading: "Nothing moved in this month",
      text: html`It opened and closed with ${moneyHtml(totals.closing)}.`,
    }),
  });
}

/** What every statement has; the other lines only when something moved on them. */
const ALWAYS: readonly string[] = [
  "opening",
  "payments",
  "fees",
  "refunds",
  "withdrawals",
  "closing",
];

function totalsMove(days: readonly StatementDay[], name: keyof Omit<StatementDay, "day">): boolean {
  return days.some((day) => day[name].minor !== 0n);
}

/** A day of the statement stands for itself in any zone. */
function dayHtml(day: string): Html {
  const at = new Date(`${day}T12:00:00Z`);
  return html`<time class="nowrap" datetime="${day}">${timeText(at, "UTC", "day")}</time>`;
}

/** "Port of Spain". */
function placeOf(timeZone: string): string {
  return (timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ");
}

/** A line on which nothing moved is left empty: what did is seen at once. */
function amountOf(amount: Money, name: string): Html | false {
  if (amount.minor === 0n && name !== "opening" && name !== "closing") return false;
  return figureHtml(amount);
}

/** The heading shows the currency of all figures: in each of nine columns it would not fit. */
function figureHtml(amount: Money): Html {
  const code = `${amount.currency}\u00a0`;
  const [sign = "", figures = ""] = moneyText(amount).split(code);
  return html`<span class="money">${sign}<span class="unseen">${code}</span>${figures}</span>`;
}

/** Alone on a page: the style leaves out the frame when it is printed. */
export function printedStatement(visitor: Visitor, statement: MonthStatement): Answer {
  const { account, environment, timeZone } = visitor;
  const { month, currency } = statement;
  const { name, holder, accountNumber } = account;
  const names = name === holder ? name : `${name} (${holder})`;
  const mark = environment === "sandbox" ? ", sandbox: no real money" : "";
  return consolePage(visitor, {
    title: `Statement of ${monthName(month)}`,
    section: "Balance",
    back: { name: "Balance", href: linkTo(month, currency) },
    beside: printButton(),
    content: html`<div class="for-print">${panel({
      heading: `${names}, account ${accountNumber}${mark}`,
      text: `Days in ${placeOf(timeZone)} time, in ${currency}`,
      isFlush: true,
      content: statementTable(statement),
    })}</div>`,
  });
}
