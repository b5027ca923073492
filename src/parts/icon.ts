/**
 * The icons: one weight, drawn on a grid of 20, in the colour of the text beside them. An icon
 * never stands alone for its meaning; words stand beside it or name its button.
 */

import { type Html, html, trusted } from "../kit/html.ts";

const PATHS = {
  alert: '<path d="M10 3.2 18 17H2z"/><path d="M10 8v4M10 14.4v.1"/>',
  balance: '<path d="M3 17h14M5 14V9M10 14V4M15 14v-3"/>',
  cards: '<rect x="2.5" y="4.5" width="15" height="11" rx="2"/><path d="M2.5 8.5h15M6 12.5h3"/>',
  check: '<path d="m4.5 10.5 3.5 3.5 7.5-8"/>',
  chevron: '<path d="m6 8 4 4 4-4"/>',
  clock: '<circle cx="10" cy="10" r="7"/><path d="M10 6v4l2.5 2"/>',
  copy: '<rect x="7" y="7" width="9.5" height="9.5" rx="1.5"/><path d="M13 4.5H3.5v9.5"/>',
  cross: '<path d="m5.5 5.5 9 9m0-9-9 9"/>',
  dash: '<path d="M5 10h10"/>',
  developers: '<path d="m6.5 6-4 4 4 4M13.5 6l4 4-4 4M11.5 4l-3 12"/>',
  dot: '<circle cx="10" cy="10" r="3.5" fill="currentColor" stroke="none"/>',
  down: '<path d="M10 4v12m-4.5-4.5L10 16l4.5-4.5"/>',
  home: '<path d="M3 9.5 10 3.5l7 6V16a1 1 0 0 1-1 1h-3.5v-5h-5v5H4a1 1 0 0 1-1-1z"/>',
  info: '<circle cx="10" cy="10" r="7.2"/><path d="M10 9.3v4.2M10 6.5v.1"/>',
  inbox: '<path d="M3 11.5 5 4.5h10l2 7V16H3zM3 11.5h4l1 2h4l1-2h4"/>',
  links:
    '<path d="M8.5 11.5a3 3 0 0 0 4.2 0l2.8-2.8a3 3 0 0 0-4.2-4.2l-1 1"/>' +
    '<path d="M11.5 8.5a3 3 0 0 0-4.2 0l-2.8 2.8a3 3 0 0 0 4.2 4.2l1-1"/>',
  payments: '<path d="M2.5 7h12M11.5 4l3 3-3 3M17.5 13h-12M8.5 10l-3 3 3 3"/>',
  progress: '<path d="M10 3a7 7 0 1 1-7 7"/>',
  search: '<circle cx="9" cy="9" r="5.5"/><path d="m13 13 4 4"/>',
  settings:
    '<path d="M3 6h8M15 6h2M3 14h2M9 14h8"/>' +
    '<circle cx="13" cy="6" r="2"/><circle cx="7" cy="14" r="2"/>',
  up: '<path d="M10 16V4M5.5 8.5 10 4l4.5 4.5"/>',
  withdrawals: '<path d="M10 3v9m-3.5-3.5L10 12l3.5-3.5M3 13v3h14v-3"/>',
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): Html {
  const drawing = trusted(PATHS[name]);
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${drawing}</svg>`;
}

/** The sign of the service: two sails. */
export function brandMark(): Html {
  return html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
<rect width="24" height="24" rx="6"/>
<path d="M11.2 4.5v11H5.4zM13 7.6v7.9h5.2zM5 17.6h14l-1.6 2.2H6.6z"/></svg>`;
}
