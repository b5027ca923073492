/** Moments in a given time zone, which is the account's, with UTC on hover. */

import { attributes, type Html, html } from "../kit/html.ts";
import { dayAt } from "../kit/local-day.ts";
import { type TimeStyle, timeIn } from "../words/locale.ts";

export function timeHtml(at: Date, zone: string, style: TimeStyle = "full"): Html {
  const utc = `UTC ${at.toISOString().slice(0, 19).replace("T", " ")}`;
  const about = attributes({ datetime: at.toISOString(), title: utc });
  return html`<time${about}>${timeText(at, zone, style)}</time>`;
}

/** In lists: the year stands only where it is not that of `now`. */
export function recentTimeHtml(at: Date, zone: string, now: Date): Html {
  const isThisYear = dayAt(at, zone).slice(0, 4) === dayAt(now, zone).slice(0, 4);
  return timeHtml(at, zone, isThisYear ? "recent" : "full");
}

export function timeText(at: Date, zone: string, style: TimeStyle = "full"): string {
  return timeIn("en", at, { zone, style });
}
