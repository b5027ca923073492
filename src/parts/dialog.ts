/**
 * Dialogs: a form over the page it belongs to. The script opens one; without it the same button
 * leads to a page with the same form, so every dialog has an address.
 */

import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import { type ButtonKind, button } from "./form.ts";
import { icon } from "./icon.ts";

/** `href`: the page with the same form, without a query. */
export function dialogButton(parts: {
  readonly dialog: string;
  readonly href: string;
  readonly text: string;
  readonly kind?: ButtonKind;
}): Html {
  const { href: action, dialog: opens } = parts;
  const about = attributes({ method: "get", action, "data-dialog": opens });
  return html`<form class="inline-form"${about}>${button(parts)}</form>`;
}

export function dialog(parts: {
  readonly id: string;
  readonly heading: string;
  readonly content: HtmlValue;
}): Html {
  const { id, heading, content } = parts;
  return html`<dialog id="${id}" aria-labelledby="${id}-heading">
<div class="dialog-head"><h2 id="${id}-heading">${heading}</h2>
<form method="dialog">
<button class="button quiet close" aria-label="Close">${icon("cross")}</button></form></div>
<div class="dialog-body">${content}</div>
</dialog>`;
}
