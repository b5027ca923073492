/** The card form: a new card with its billing details, or the code of a saved one. */

import { attributes, type Html, html } from "../../../kit/html.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import {
  type CardForm,
  CVV,
  EMAIL,
  EXPIRY,
  HOLDER,
  input,
  NUMBER,
  STORED_CVV,
} from "./card-form-fields.ts";
import { cardNotice, testCards } from "./card-notices.ts";
import type { CardStep, CheckoutView } from "./checkout-view.ts";
import { giveUpForm } from "./give-up-form.ts";
import { networkMarks } from "./network-marks.ts";
import { payWords } from "./order-summary.ts";
import { renderBilling } from "./render-billing.ts";
import { hiddenWaiting } from "./render-waiting.ts";
import { scriptWords } from "./script-words.ts";
import { timeLeft } from "./time-left.ts";

export function renderCardForm(view: CheckoutView, step: CardStep, t: Texts): Html {
  const form = { view, step, t };
  const about = attributes({
    method: "post",
    action: view.path,
    id: "card",
    autocomplete: "on",
    "data-avs": step.isAvs,
    "data-words": JSON.stringify(scriptWords(form)),
  });
  return html`<div class="head">
<h1>${t.card.heading}</h1>
${timeLeft(step, t)}
</div>
${view.isSandbox && !step.stored && testCards(t)}
${cardNotice(step, t)}
<form${about}>
<input type="hidden" name="form_token" value="${step.formToken}">
<input type="hidden" name="attempts" value="${step.attempts}">
${step.stored ? storedCard(form, step.stored) : newCard(form)}
<button class="pay" id="pay">${payWords(view, t)}</button>
<p class="soft small center safe">${t.card.safe}</p>
</form>
${giveUpForm(view, step, t)}
${hiddenWaiting(view, t)}`;
}

function storedCard(form: CardForm, stored: NonNullable<CardStep["stored"]>): Html {
  const { card } = form.t;
  return html`<div class="saved"><p class="soft small">${card.saved}</p>
<p><strong>${stored.card}</strong>
<span class="soft small">${card.expires(stored.expiry)}</span></p></div>
${input(form, STORED_CVV)}`;
}

function newCard(form: CardForm): Html {
  const { step, t } = form;
  return html`<div class="number">
${input(form, NUMBER)}
${networkMarks(step.only, t)}
</div>
<div class="pair">
${input(form, EXPIRY)}
${input(form, CVV)}
</div>
${input(form, HOLDER)}
${step.asksEmail && input(form, EMAIL)}
${renderBilling(form)}`;
}
