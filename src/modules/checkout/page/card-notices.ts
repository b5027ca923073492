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

/** Why the form is shown again, in words; the script shows the same ones. */
export interface Notice {
  readonly heading: string;
  readonly texts: readonly string[];
}

/** The first that applies. */
export function noticeOf(step: CardStep, t: Texts): Notice | undefined {
  const { length } = step.problems;
  if (length > 0) return { heading: t.problems.heading(length), texts: [] };
  if (step.isLimited === true) return { heading: t.limited.heading, texts: [t.limited.text] };
  return step.declined && declinedNotice(step, step.declined, t);
}

function declinedNotice(
  { triesLeft }: CardStep,
  { card, message, ourFault, isUnreachable }: NonNullable<CardStep["declined"]>,
  { declined, notTaken }: Texts,
): Notice {
  if (ourFault !== undefined) {
    const { heading, again } = notTaken[ourFault];
    return { heading, texts: [message, again] };
  }
  const { heading, text, triesLeft: left } = declined;
  const noMoney = isUnreachable ? declined.noMoneyTryAgain : declined.noMoney;
  return { heading, texts: [text(card, message), `${noMoney} ${left(triesLeft)}`] };
}

/** It takes the focus. A browser that has sent a form by itself has lost the card with it. */
export function cardNotice(step: CardStep, t: Texts): HtmlValue {
  const notice = noticeOf(step, t);
  if (notice === undefined) return;
  const { problems } = step;
  const about = attributes({ role: "alert", tabindex: -1, id: "notice", autofocus: true });
  const items = problems.map(
    ({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`,
  );
  const texts = problems.length > 0 ? [t.problems.again] : notice.texts;
  return html`<div class="notice bad"${about}><h2>${notice.heading}</h2>
${problems.length > 0 && html`<ul>${items}</ul>\n`}${texts.map((text) => html`<p>${text}</p>\n`)}
</div>`;
}
