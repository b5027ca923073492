/** While the card's bank asks: the payment page's step, and the document around a real bank. */

import { attributes, type Html, html } from "../../../kit/html.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import type { ChallengeStep, CheckoutView } from "./checkout-view.ts";
import { giveUpForm } from "./give-up-form.ts";
import { hiddenWaiting, pollsFor } from "./render-waiting.ts";
import { timeLeft } from "./time-left.ts";

export function renderChallenge(view: CheckoutView, step: ChallengeStep, t: Texts): Html {
  const words = step.needsScripts ? t.challenge.checking : t.challenge;
  const inWindow = attributes({ href: `${view.path}/challenge?window=1` });
  return html`<div class="head">
<h1>${words.heading}</h1>
${timeLeft(step, t)}
</div>
<div class="bank" id="bank-window">
${step.needsScripts ? withoutScripts(view, t) : wholeWindow(view, t)}
</div>
<div class="bank" id="bank-frame" hidden${pollsFor(view.path, step)}>
<p>${words.text}</p>
${innerFrame(`${view.path}/challenge`, t)}
<p class="small center" id="bank-more"><a${inWindow}>${t.challenge.fallback}</a></p>
</div>
${giveUpForm(view, step, t)}
${hiddenWaiting(view, t)}`;
}

function withoutScripts({ path }: CheckoutView, { challenge: { scripts } }: Texts): Html {
  return html`<noscript><div class="bank"><div class="notice bad"><h2>${scripts.heading}</h2>
<p>${scripts.text}</p><p>${scripts.onPage}</p></div>
<p><a class="button" href="${path}">${scripts.reload}</a></p></div></noscript>`;
}

function wholeWindow({ path }: CheckoutView, { challenge }: Texts): Html {
  return html`<p>${challenge.fullText}</p>
<p><a class="button" href="${path}/challenge">${challenge.full}</a></p>`;
}

/**
 * A bank may run scripts under its own origin, send forms and open popups, but never navigate the
 * window (Decision 0083). The script gives the frame its address.
 */
const SANDBOX = "allow-scripts allow-forms allow-same-origin allow-popups";

function innerFrame(source: string, { challenge }: Texts): Html {
  const about = attributes({
    id: "bank",
    title: challenge.frame,
    "data-src": source,
    sandbox: SANDBOX,
    referrerpolicy: "no-referrer",
  });
  return html`<iframe${about}></iframe>`;
}

/** Around a real gateway's document: alone in a window, or in the payment page's frame. */
export function bankFrame(parts: {
  readonly path: string;
  readonly attempts: number;
  readonly isAlone: boolean;
  readonly t: Texts;
}): Html {
  const { path, attempts, isAlone, t } = parts;
  const { scripts, checking, frame } = t.challenge;
  const polls = isAlone && pollsFor(path, { kind: "challenge", attempts });
  return html`<div class="sheet plain"><main aria-label="${frame}">
<div id="bank-window"><noscript><div class="bank">
<h1>${scripts.heading}</h1>
<p>${scripts.text}</p>
<p><a class="button" href="${path}">${scripts.back}</a></p>
</div></noscript></div>
<div class="bank" id="bank-frame" hidden${polls}>
${isAlone && html`<h1>${checking.heading}</h1>\n<p>${checking.text}</p>`}
${innerFrame(`${path}/challenge/document`, t)}
${isAlone && html`<p class="small center"><a href="${path}">${scripts.back}</a></p>`}
</div>
</main></div>`;
}
