/**
 * A page of the checkout as text, made from what it shows and nothing else: no request, no
 * database, no clock. Each state of a payment is one template of `web/checkout/` (Decision 0041).
 */

import { script, style } from "./assets.ts";
import type { CheckoutView, EndedStep } from "./checkout-view.ts";
import { renderCardForm } from "./render-card-form.ts";
import { showAmount, templates, timeAttributes } from "./templates.ts";
import type { Texts } from "./texts-en.ts";

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
  return templates.page({
    t,
    nonce,
    style,
    script,
    layout: view.layout,
    title: hasProblem ? t.titleWithProblem(title) : title,
    refresh: refreshOf(view),
    body: templates.frame({
      t,
      view,
      amounts: amountsOf(view, t),
      initial: [...view.merchant.name.trim()][0]?.toLocaleUpperCase() ?? "",
      feeWords: feeWordsOf(view, t),
      main: renderStep(view, t),
    }),
  });
}

/** Around the gateway's document; alone in the window it also waits for the bank's answer. */
export function renderBankFrame({
  path,
  attempts,
  isAlone,
  isSimple,
  t,
  nonce,
}: {
  readonly path: string;
  readonly attempts: number;
  readonly isAlone: boolean;
  /** The payment page around it is the simple one. */
  readonly isSimple: boolean;
  readonly t: Texts;
  readonly nonce: string;
}): string {
  const body = templates.bank({ t, path, attempts, isAlone });
  const layout = isAlone ? "full" : framedLayout(isSimple);
  return templates.page({ t, nonce, style, script, layout, title: t.challenge.frame, body });
}

export interface PlainWords {
  readonly heading: string;
  readonly text: string;
  readonly link?: { readonly to: string; readonly text: string };
}

/** A page that knows of no payment; in a frame of the payment page it is quieter. */
export function renderPlainPage(words: PlainWords, t: Texts, layout = "full"): string {
  const body = templates.plain(words);
  return templates.page({ t, style, layout, title: words.heading, body });
}

/** What stands in a frame of the payment page looks like the page around it. */
export function framedLayout(isSimple: boolean): string {
  return isSimple ? "framed simple" : "framed";
}

function renderStep(view: CheckoutView, t: Texts): string {
  const { step } = view;
  const amounts = amountsOf(view, t);
  const waiting = templates.waiting({ t, view });
  switch (step.kind) {
    case "card":
      return renderCardForm({ view, step, t, amounts, waiting });
    case "challenge":
      return templates.challenge({ view, step, t, waiting, ...timeAttributes(step, t) });
    case "working":
      return templates.working({ view, step, t, waiting });
    case "ended": {
      const { heading, text } = endWords(view, step, t);
      return templates.ended({ view, step, t, words: { heading }, sentence: text });
    }
  }
}

/** How it ended, in words; the script shows the same ones. */
export function endWords(view: CheckoutView, { outcome }: EndedStep, t: Texts) {
  const { heading, text } = t.ended[outcome];
  if (typeof text === "string") return { heading, text };
  return { heading, text: text(amountsOf(view, t).total, view.merchant.name) };
}

function amountsOf({ amounts }: CheckoutView, { summary: { secret } }: Texts) {
  if (amounts === undefined) return { price: secret, fee: secret, total: secret };
  return {
    price: showAmount(amounts.price),
    fee: showAmount(amounts.fee),
    total: showAmount(amounts.total),
  };
}

function feeWordsOf(view: CheckoutView, t: Texts): string {
  const { fee } = amountsOf(view, t);
  const { summary } = t;
  switch (view.feeIs) {
    case "customer's":
      return summary.feePaidByCustomer(fee);
    case "shared":
      return summary.feeShared(fee);
    case "merchant's":
      return summary.feeNone;
  }
}

function refreshOf({ path, step }: CheckoutView) {
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
