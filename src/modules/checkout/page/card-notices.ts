/** What stands above the card form: test cards, and why it is shown again. */

import { attributes, type Html, type HtmlValue, html } from "../../../kit/html.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import type { CardStep } from "./checkout-view.ts";

export function testCards({ sandbox }: Texts): Html {
  const cards = [
    [sandbox.approved, "4111 1111 1111 1111"],
    [sandbox.declined, "4111 1111 1111 3333"],
    [sandbox.asked, "4111 1111 1111 2010"],
  ];
  const lines = cards.map(([term, number]) => html`<div><dt>${term}</dt><dd>${number}</dd></div>`);
  return html`<details class="sandbox">
<summary>${sandbox.note} <span>${sandbox.cards}</span></summary>
<dl>${lines}</dl></details>`;
}

/** The first that applies; it takes the focus. */
export function cardNotice(step: CardStep, t: Texts): HtmlValue {
  if (step.problems.length > 0) return problemNotice(step, t);
  if (step.isLimited === true)
    return alert(html`<h2>${t.limited.heading}</h2><p>${t.limited.text}</p>`);
  return step.declined && declinedNotice(step, step.declined, t);
}

function problemNotice({ problems }: CardStep, { problems: words }: Texts): Html {
  const items = problems.map(
    ({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`,
  );
  return alert(html`<h2>${words.heading(problems.length)}</h2>
<ul>${items}</ul>
<p>${words.again}</p>`);
}

function declinedNotice(
  { triesLeft }: CardStep,
  { card, message, ourFault }: NonNullable<CardStep["declined"]>,
  { declined, notTaken }: Texts,
): Html {
  if (ourFault !== undefined)
    return alert(html`<h2>${notTaken[ourFault].heading}</h2>
<p>${message}</p>
<p>${notTaken[ourFault].again}</p>`);
  return alert(html`<h2>${declined.heading}</h2>
<p>${declined.text(card, message)}</p>
<p>${declined.noMoney} ${declined.triesLeft(triesLeft)}</p>`);
}

function alert(content: Html): Html {
  const about = attributes({ role: "alert", tabindex: -1, id: "notice", autofocus: true });
  return html`<div class="notice bad"${about}>${content}</div>`;
}
