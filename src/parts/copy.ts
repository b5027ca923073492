/** A value to take elsewhere: shown in full, with a button that copies it where scripts run. */

import { type Html, html } from "../kit/html.ts";
import { icon } from "./icon.ts";

/** `about`: what the value is, for the button's name: "Copy reference". */
export function copyable(value: string, about: string): Html {
  return html`<span class="copyable"><code>${value}</code>${copyButton(value, about)}</span>`;
}

export function copyButton(value: string, about: string): Html {
  return html`<button type="button" class="button quiet small copy" data-copy="${value}">
<span class="copy-text">${icon("copy")}Copy</span><span class="unseen"> ${about}</span></button>`;
}
