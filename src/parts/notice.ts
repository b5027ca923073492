/**
 * Messages above or within a page: something to know, the outcome of what was just done, or what is
 * wrong with a form.
 */

import { type Html, type HtmlValue, html } from "../kit/html.ts";
import type { Tone } from "./badge.ts";
import { type IconName, icon } from "./icon.ts";

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: "check",
  bad: "alert",
  warn: "alert",
  progress: "progress",
  plain: "info",
};

export interface NoticeParts {
  readonly tone: Tone;
  readonly heading?: string;
  readonly text?: HtmlValue;
  /** A link or a form. */
  readonly action?: Html;
}

export function notice(parts: NoticeParts): Html {
  return html`<div class="notice ${parts.tone}">${noticeBody(parts)}</div>`;
}

/** What the last form did, announced when the page comes. */
export function flash(parts: NoticeParts): Html {
  return html`<div class="notice ${parts.tone}" role="status">${noticeBody(parts)}</div>`;
}

function noticeBody({ tone, heading, text, action }: NoticeParts): Html {
  return html`${icon(ICONS[tone])}<div class="notice-text">
${heading !== undefined && html`<p class="notice-heading">${heading}</p>`}
${text !== undefined && html`<div>${text}</div>`}
</div>${action !== undefined && html`<div class="notice-action">${action}</div>`}`;
}

export interface FieldProblem {
  /** The id of its field; absent where no field is to blame. */
  readonly field?: string;
  readonly message: string;
}

/** Above a form that was refused; it takes the focus, and each line leads to its field. */
export function problemSummary(
  problems: readonly FieldProblem[],
  heading = problems.length === 1
    ? "Please check 1 field"
    : `Please check ${problems.length} fields`,
): Html {
  const lines = problems.map(({ field, message }) =>
    field === undefined
      ? html`<li>${message}</li>`
      : html`<li><a href="#${field}">${message}</a></li>`,
  );
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>
${icon("alert")}<div class="notice-text"><p class="notice-heading">${heading}</p>
<ul>${lines}</ul></div>
</div>`;
}
