/** The time that is left to pay; with scripts a clock takes the place of the words. */

import { MINUTE_SECONDS } from "../../../kit/clock.ts";
import { attributes, type Html, html } from "../../../kit/html.ts";
import type { Texts } from "../../../words/checkout/en.ts";

/** A page takes so long to arrive, and is not to show a minute less for it. */
const ARRIVAL_SECONDS = 1;

/** In words, rather less than more. They have one line, as the clock has. */
export function timeLeft({ secondsLeft }: { readonly secondsLeft: number }, { time }: Texts): Html {
  const seconds = Math.max(0, Math.floor(secondsLeft));
  const minutes = Math.floor((secondsLeft + ARRIVAL_SECONDS) / MINUTE_SECONDS);
  const words = time.left(minutes > 0 ? time.minutes(minutes) : time.seconds(seconds));
  const forScript = attributes({
    "data-seconds": secondsLeft,
    "data-label": time.label,
    "data-warnings": JSON.stringify(time.warnings),
    "data-over": time.over,
  });
  return html`<p class="time" id="time"${forScript}>${words}</p>
<p class="unseen" id="time-said" aria-live="assertive"></p>`;
}
