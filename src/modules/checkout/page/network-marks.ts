/** The networks that are taken, inside the field of the card number. */

import type { CardNetwork } from "../../../kit/card-network.ts";
import { attributes, type Html, html } from "../../../kit/html.ts";
import type { Texts } from "../../../words/checkout/en.ts";

/** `only`: the one that the merchant takes for this order. */
export function networkMarks(only: CardNetwork | undefined, { card }: Texts): Html {
  const { detected, networks } = card;
  const forScript = attributes({
    "data-visa": detected.visa,
    "data-mastercard": detected.mastercard,
  });
  return html`<p class="networks" id="networks"${forScript}>
<span class="unseen" aria-live="polite" id="network-said"></span>
${only !== "mastercard" && visaMark(networks.visa)}
${only !== "visa" && mastercardMark(networks.mastercard)}
</p>`;
}

function visaMark(name: string): Html {
  return html`<svg class="visa"${picture(name)}><rect width="38" height="24" rx="4"/>
<text x="19" y="16.5" text-anchor="middle" font-size="11" font-weight="800"
font-style="italic" letter-spacing=".5">VISA</text></svg>`;
}

function mastercardMark(name: string): Html {
  return html`<svg class="mastercard"${picture(name)}><rect width="38" height="24" rx="4"/>
<circle cx="15" cy="12" r="7" fill="#eb001b"/>
<circle cx="23" cy="12" r="7" fill="#f79e1b" fill-opacity=".85"/></svg>`;
}

function picture(name: string): Html {
  return attributes({
    width: 38,
    height: 24,
    viewBox: "0 0 38 24",
    role: "img",
    "aria-label": name,
  });
}
