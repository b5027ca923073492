/** Moments in a given time zone, which is the account's, with UTC on hover. */

import { attributes, type Html, html } from "../kit/html.ts";

const STYLES = {
  full: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  seconds: {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
  date: { day: "numeric", month: "short", year: "numeric" },
  day: { day: "numeric", month: "short" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

export type TimeStyle = keyof typeof STYLES;

export function timeHtml(at: Date, zone: string, style: TimeStyle = "full"): Html {
  const utc = `UTC ${at.toISOString().slice(0, 19).replace("T", " ")}`;
  const about = attributes({ datetime: at.toISOString(), title: utc });
  return html`<time${about}>${timeText(at, zone, style)}</time>`;
}

export function timeText(at: Date, zone: string, style: TimeStyle = "full"): string {
  return formatOf(zone, style).format(at);
}

/** Making one takes longer than using it a hundred times. Zones are few and ours. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, style: TimeStyle): Intl.DateTimeFormat {
  const key = `${zone} ${style}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", { ...STYLES[style], timeZone: zone });
  formats.set(key, made);
  return made;
}
