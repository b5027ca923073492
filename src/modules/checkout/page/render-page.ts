/**
 * A page of the checkout as text, made from what it shows and nothing else: no request, no
 * database, no clock. Each state of a payment is a function of its own (Decision 0041).
 */

import { type Html, html } from "../../../kit/html.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import { checkoutDocument, type PageLayout, type Refresh } from "./checkout-document.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { aroundStep } from "./order-summary.ts";
import { renderCardForm } from "./render-card-form.ts";
import { bankFrame, renderChallenge } from "./render-challenge.ts";
import { renderEnded, renderWorking } from "./render-waiting.ts";

/** Where scripts do not run, the page asks again by itself. */
const LOOK_AGAIN_SECONDS = 3;
/** Time to read how it ended before the browser goes on. */
const GO_ON_SECONDS = 3;

/** The nonce is the script's own, and new for every answer. */
export function renderPage(
  view: CheckoutView,
  { t, nonce }: { readonly t: Texts; readonly nonce: string },
): string {
  const title = t.title(view.merchant.name);
  const hasProblem = view.step.kind === "card" && view.step.problems.length > 0;
  return checkoutDocument({
    t,
    nonce,
    layout: view.layout,
    accent: view.merchant.accent,
    title: hasProblem ? t.titleWithProblem(title) : title,
    refresh: refreshOf(view),
    body: aroundStep(view, t, renderStep(view, t)),
  });
}

/** Around the gateway's document; alone in the window it also waits for the bank's answer. */
export function renderBankFrame({
  isSimple,
  nonce,
  ...bank
}: {
  readonly path: string;
  readonly attempts: number;
  readonly isAlone: boolean;
  /** The payment page around it is the simple one. */
  readonly isSimple: boolean;
  readonly t: Texts;
  readonly nonce: string;
}): string {
  const { t, isAlone } = bank;
  const layout = isAlone ? "full" : framedLayout(isSimple);
  return checkoutDocument({ t, nonce, layout, title: t.challenge.frame, body: bankFrame(bank) });
}

export interface PlainWords {
  readonly heading: string;
  readonly text: string;
  readonly link?: { readonly to: string; readonly text: string };
}

/**
 * A page that knows of no payment: nothing there, over, refused. In a frame of the payment page it
 * is quieter.
 */
export function renderPlainPage(
  { heading, text, link }: PlainWords,
  t: Texts,
  layout: PageLayout = "full",
): string {
  const body = html`<div class="sheet plain"><main>
<h1>${heading}</h1>
<p>${text}</p>
${link && html`<p><a class="button" href="${link.to}">${link.text}</a></p>`}
</main></div>`;
  return checkoutDocument({ t, layout, title: heading, body });
}

/** What stands in a frame of the payment page looks like the page around it. */
export function framedLayout(isSimple: boolean): PageLayout {
  return isSimple ? "framed simple" : "framed";
}

function renderStep(view: CheckoutView, t: Texts): Html {
  const { step } = view;
  switch (step.kind) {
    case "card":
      return renderCardForm(view, step, t);
    case "challenge":
      return renderChallenge(view, step, t);
    case "working":
      return renderWorking(view, step, t);
    case "ended":
      return renderEnded(view, step, t);
  }
}

function refreshOf({ path, step }: CheckoutView): Refresh | undefined {
  const again = `${path}?waiting=1`;
  switch (step.kind) {
    case "card":
    case "challenge":
      return { seconds: Math.ceil(step.secondsLeft) + 1, to: again };
    case "working":
      return { seconds: LOOK_AGAIN_SECONDS, to: again };
    case "ended":
      return step.goesOn ? { seconds: GO_ON_SECONDS, to: step.returnUrl } : undefined;
  }
}
