/** Volume, success, reasons of declines and fees over some days, beside the days before. */

import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { type Currency, type Money, money } from "../../kit/money.ts";
import type { Figures } from "../../modules/statements/read-figures.ts";
import { barChart } from "../../parts/bar-chart.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { choiceLink } from "../../parts/form.ts";
import { lineChart } from "../../parts/line-chart.ts";
import { moneyHtml, moneyText } from "../../parts/money.ts";
import { panel, panelGrid } from "../../parts/panel.ts";
import { rankedBars } from "../../parts/ranked-bars.ts";
import { changeOf, changeOfRate, stat, statRow } from "../../parts/stat.ts";
import { timeText } from "../../parts/time.ts";
import { resultWords } from "../payments/result-words.ts";

export const PERIODS = [7, 30, 90] as const;

export type Period = (typeof PERIODS)[number];

type OfCurrency = Figures["currencies"][number];

export interface FiguresView {
  readonly figures: Figures;
  readonly days: Period;
  /** The currency that was chosen, where the account has several. */
  readonly currency: Currency | undefined;
}

export function figuresPanels(view: FiguresView): HtmlValue {
  const { figures, days } = view;
  const shown = shownCurrency(view);
  return [
    html`<div class="page-title"><h2>Last ${days} days</h2>
<nav class="buttons" aria-label="Period">
${PERIODS.map((each) => periodLink(each, view))}</nav></div>`,
    html`<div id="figures" data-live>${
      isQuiet(figures) ? QUIET : figureStats(figures, days)
    }</div>`,
    figures.currencies.length > 1 && currencyLinks(view, shown),
    html`<div id="charts" data-live>${isQuiet(figures) ? undefined : charts(figures, shown)}</div>`,
  ];
}

const QUIET = panel({
  content: emptyState({
    heading: "No payments in this period",
    text: "Volume, success rate and fees show here, compared with the period before.",
  }),
});

/** Four empty charts would say no more than one sentence. */
function isQuiet({ currencies, total, totalBefore }: Figures): boolean {
  const finished = [total, totalBefore].map(({ paid, failed, left }) => paid + failed + left);
  return currencies.length === 0 && finished.every((count) => count === 0);
}

function periodLink(each: Period, { days, currency }: FiguresView): Html {
  return choiceLink({
    text: `${each} days`,
    href: homeHref(each, currency),
    isCurrent: each === days,
  });
}

function currencyLinks({ figures, days }: FiguresView, shown: OfCurrency | undefined): Html {
  const links = figures.currencies.map(({ currency }) =>
    choiceLink({
      text: currency,
      href: homeHref(days, currency),
      isCurrent: currency === shown?.currency,
    }),
  );
  return html`<nav class="buttons" aria-label="Currency of the charts">
<span class="soft">Charts in</span>${links}</nav>`;
}

function homeHref(days: Period, currency: Currency | undefined): string {
  return `/console?days=${days}${currency === undefined ? "" : `&currency=${currency}`}`;
}

/** The one with the most payments, unless another was chosen. */
function shownCurrency({ figures, currency }: FiguresView): OfCurrency | undefined {
  const { currencies } = figures;
  const most = currencies.toSorted((a, b) => b.total.paid - a.total.paid)[0];
  return currencies.find((each) => each.currency === currency) ?? most;
}

function figureStats(figures: Figures, days: Period): Html {
  const before = `in the ${days} days before`;
  const { total, totalBefore } = figures;
  const volumes = figures.currencies.map(({ currency, total: now, totalBefore: then }) =>
    stat({
      label: `Volume in ${currency}`,
      value: moneyHtml(now.volume),
      change: changeOf(unitsOf(now.volume), unitsOf(then.volume), before),
      note: html`Fees ${moneyHtml(now.fees)}`,
    }),
  );
  const rate = total.successRate;
  const success = stat({
    label: "Success rate",
    value: rate === undefined ? "–" : rateText(rate),
    change:
      rate === undefined || totalBefore.successRate === undefined
        ? undefined
        : changeOfRate(rate, totalBefore.successRate, before),
    note: `${counted(total.paid)} paid, ${counted(total.failed)} failed${leftWords(total.left)}`,
  });
  return statRow(...volumes, success);
}

/** A payment in which no card was tried says nothing about cards. */
function leftWords(left: number): string {
  return left === 0 ? "" : `; not counted: ${counted(left)} that customers left`;
}

function charts(figures: Figures, shown: OfCurrency | undefined): HtmlValue {
  const heads = { label: "Day", value: "Amount" };
  const amounts = (of: (day: OfCurrency["days"][number]) => Money) =>
    (shown?.days ?? []).map((day) => ({ label: dayText(day.day), value: unitsOf(of(day)) }));
  const currency = shown?.currency;
  const format = (value: number) => (currency ? moneyText(fromUnits(currency, value)) : `${value}`);
  const rates = figures.days.map(({ day, successRate }) => ({
    label: dayText(day),
    value: successRate,
  }));
  return panelGrid(
    chartPanel(
      barChart({
        id: "volume",
        title: "Volume",
        note: currency,
        points: amounts(({ volume }) => volume),
        heads,
        format,
        empty: "Nothing was paid in this period",
      }),
    ),
    chartPanel(
      lineChart({
        id: "success",
        title: "Success rate",
        points: rates,
        heads: { label: "Day", value: "Rate" },
        format: rateText,
        formatTick: rateText,
        upTo: 1,
        empty: "No payment was finished in this period",
      }),
    ),
    chartPanel(reasonsChart(figures)),
    chartPanel(
      barChart({
        id: "fees",
        title: "Fees",
        note: currency,
        points: amounts(({ fees }) => fees),
        heads,
        format,
        empty: "There were no fees in this period",
      }),
    ),
  );
}

function reasonsChart({ reasons, otherReasons }: Figures): Html {
  // Several codes may say the same.
  const counts = new Map<string, number>();
  for (const { message, count } of reasons) {
    const label = reasonText(message);
    counts.set(label, (counts.get(label) ?? 0) + count);
  }
  const points = [...counts].map(([label, value]) => ({ label, value }));
  const others = otherReasons === 0 ? [] : [{ label: "Other reasons", value: otherReasons }];
  return rankedBars({
    id: "reasons",
    title: "Why payments were not paid",
    points: [...points, ...others],
    heads: { label: "Reason", value: "Payments" },
    format: counted,
    empty: "Every payment of this period was paid",
  });
}

function reasonText(message: string): string {
  return resultWords(message).replace(/\.$/, "") || "No reason given";
}

function chartPanel(content: Html): Html {
  return panel({ content });
}

/** Charts take numbers; all that is read of them goes back to cents. */
function unitsOf({ minor }: Money): number {
  return Number(minor) / 100;
}

function fromUnits(currency: Currency, value: number): Money {
  return money(currency, BigInt(Math.round(value * 100)));
}

function rateText(rate: number): string {
  return `${Math.round(rate * 1000) / 10}%`;
}

function counted(count: number): string {
  return count.toLocaleString("en-GB");
}

function dayText(day: string): string {
  return timeText(new Date(`${day}T12:00:00Z`), "UTC", "day");
}
