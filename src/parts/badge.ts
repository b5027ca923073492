/** A state in one or two words, with a shape of its own beside its colour. */

import { type Html, html } from "../kit/html.ts";
import { type IconName, icon } from "./icon.ts";

const ICONS = {
  good: "check",
  bad: "cross",
  warn: "alert",
  progress: "progress",
  plain: "dash",
} as const satisfies Readonly<Record<string, IconName>>;

export type Tone = keyof typeof ICONS;

export function badge(tone: Tone, text: string): Html {
  return html`<span class="badge ${tone}">${toneIcon(tone)}${text}</span>`;
}

export function toneIcon(tone: Tone): Html {
  return icon(ICONS[tone]);
}
