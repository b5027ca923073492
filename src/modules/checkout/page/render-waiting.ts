/** While the customer waits, and how it ended. */

import { attributes, type Html, html } from "../../../kit/html.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import { receiptWords } from "../../../words/receipt/receipt-words.ts";
import type { CheckoutView, EndedStep, WorkingStep } from "./checkout-view.ts";
import { amountTexts } from "./order-summary.ts";

export function renderWorking(view: CheckoutView, step: WorkingStep, t: Texts): Html {
  const { working } = t;
  const again = attributes({ href: `${view.path}?waiting=1` });
  return html`<div class="working"${pollsFor(view.path, step)}>
<div class="spinner" aria-hidden="true"></div>
<h1>${working.heading}</h1>
<p role="status">${step.isLong ? working.long : working.text}</p>
<p class="soft">${working.stay}</p>
<noscript><p><a class="button quiet"${again}>${working.look}</a></p></noscript>
</div>
${hiddenWaiting(view, t)}`;
}

/** The script asks there how it stands, and leaves a step that is over. */
export function pollsFor(
  path: string,
  { kind, attempts }: { readonly kind: "working" | "challenge"; readonly attempts: number },
): Html {
  return attributes({
    "data-poll": `${path}/status`,
    "data-step": kind,
    "data-attempts": attempts,
  });
}

/** What the script shows in place of a step: while a form is under way, and when it is over. */
export function hiddenWaiting({ path, reference, merchant }: CheckoutView, t: Texts): Html {
  const { working, ended } = t;
  return html`<div class="working" id="waiting" hidden data-poll-later="${path}/status">
<div class="spinner" aria-hidden="true"></div>
<h1 tabindex="-1">${working.heading}</h1>
<p role="status" id="waiting-text">${working.text}</p>
<p class="soft" id="waiting-more">${working.stay}</p>
<p class="soft small" id="waiting-reference" hidden>${ended.reference}
<span class="reference">${reference}</span></p>
<p id="waiting-on" hidden><a class="button" href="">${ended.returnUrl(merchant.name)}</a></p>
</div>`;
}

export function renderEnded(view: CheckoutView, step: EndedStep, t: Texts): Html {
  const { heading, text } = endWords(view, step, t);
  const { name } = view.merchant;
  const { ended } = t;
  return html`<div class="ended ${step.outcome}">
${mark(step)}
<h1>${heading}</h1>
<p>${text}</p>
${step.newer && newerLink(step.newer, t)}
<dl class="facts">
${step.message && fact(ended.message, step.message)}
${step.card && fact(ended.card, step.card)}
<div><dt>${ended.reference}</dt><dd class="reference">${view.reference}</dd></div>
</dl>
<p class="soft small">${ended.referenceHelp}</p>
${view.receiptUrl !== undefined && receiptLink(view.receiptUrl, t)}
${step.goesOn && html`<p role="status">${ended.forward(name)}</p>`}
${step.returnUrl !== "" && returnLink(step, name, t)}
</div>`;
}

/** In a window of its own: the page may stand in a frame, and the browser goes on from here. */
function receiptLink(href: string, { language }: Texts): Html {
  const about = attributes({ href, target: "_blank", rel: "noreferrer" });
  return html`<p class="small"><a id="receipt"${about}>${receiptWords(language).see}</a></p>`;
}

/** How it ended, in words; the script shows the same ones. */
export function endWords(view: CheckoutView, { outcome }: EndedStep, t: Texts) {
  const { heading, text } = t.ended[outcome];
  if (typeof text === "string") return { heading, text };
  return { heading, text: text(amountTexts(view, t).total, view.merchant.name) };
}

/** A sign for each outcome, inside the same circle. */
const SIGNS: Readonly<Record<EndedStep["outcome"], string>> = {
  paid: "M17 29l8 8 15-17",
  notPaid: "M18 28h20",
  notKnown: "M21 22a7 7 0 1 1 10 6c-2 1-3 2-3 4M28 40v.1",
  expired: "M28 15v13l8 6",
  replaced: "M17 28h22M31 20l8 8-8 8",
};

function mark({ outcome }: EndedStep): Html {
  return html`<svg class="mark" width="56" height="56" viewBox="0 0 56 56" fill="none"
stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"
aria-hidden="true"><circle cx="28" cy="28" r="25"/><path d="${SIGNS[outcome]}"/></svg>`;
}

function fact(term: string, value: string): Html {
  return html`<div><dt>${term}</dt><dd>${value}</dd></div>`;
}

function newerLink({ url, leavesFrame }: NonNullable<EndedStep["newer"]>, { ended }: Texts): Html {
  const about = attributes({ href: url, target: leavesFrame ? "_top" : undefined });
  return html`<p><a class="button" id="newer"${about}>${ended.toNewer}</a></p>
<p class="soft small">${ended.newerHelp}</p>`;
}

function returnLink({ returnUrl, goesOn, outcome }: EndedStep, name: string, t: Texts): Html {
  const about = attributes({ href: returnUrl, rel: "noreferrer", "data-goes-on": goesOn });
  const stuck = html`<p class="soft small">${t.ended.stuck(name)}</p>`;
  return html`<p><a class="button" id="return-url"${about}>${t.ended.returnUrl(name)}</a></p>
${outcome !== "replaced" && stuck}`;
}
