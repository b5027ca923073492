/** One figure, and how it stands against the period before, in words. */

import { type Html, type HtmlValue, html } from "../kit/html.ts";
import { type IconName, icon } from "./icon.ts";

export interface Change {
  readonly direction: "up" | "down" | "same";
  readonly text: string;
}

const ICONS: Readonly<Record<Change["direction"], IconName>> = {
  up: "up",
  down: "down",
  same: "dash",
};

export function stat(parts: {
  readonly label: string;
  readonly value: HtmlValue;
  readonly change?: Change | undefined;
  readonly note?: HtmlValue;
}): Html {
  const { label, value, change, note } = parts;
  return html`<div class="stat">
<p class="stat-label">${label}</p>
<p class="stat-value">${value}</p>
${change !== undefined && changeHtml(change)}
${note !== undefined && html`<p class="stat-change">${note}</p>`}
</div>`;
}

function changeHtml({ direction, text }: Change): Html {
  return html`<p class="stat-change">${icon(ICONS[direction])}${text}</p>`;
}

export function statRow(...stats: readonly HtmlValue[]): Html {
  return html`<div class="stats">${stats}</div>`;
}

/** "12% more than in the 30 days before". `before` names the period: "in the 30 days before". */
export function changeOf(now: number, then: number, before: string): Change {
  if (now === then) return { direction: "same", text: `the same as ${before}` };
  const direction = now > then ? "up" : "down";
  if (then === 0) return { direction, text: `nothing ${before}` };
  const percent = Math.round((Math.abs(now - then) / Math.abs(then)) * 100);
  const size = percent === 0 ? "less than 1%" : `${percent.toLocaleString("en-GB")}%`;
  return { direction, text: `${size} ${now > then ? "more" : "less"} than ${before}` };
}

/** Of rates from 0 to 1: "1.5 points higher than in the 30 days before". */
export function changeOfRate(now: number, then: number, before: string): Change {
  const points = Math.round(Math.abs(now - then) * 1000) / 10;
  if (points === 0) return { direction: "same", text: `the same as ${before}` };
  const unit = points === 1 ? "point" : "points";
  if (now > then) return { direction: "up", text: `${points} ${unit} higher than ${before}` };
  return { direction: "down", text: `${points} ${unit} lower than ${before}` };
}
