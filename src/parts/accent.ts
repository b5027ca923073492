/**
 * A business's own colour on its pages (Decision 0093). It stands behind text in the very tone that
 * the business chose, and the text is black or white, whichever is read better: of the two, one has
 * a contrast of at least 4.5 : 1 on every colour there is.
 *
 * The policy of the pages allows no style inside them, so each colour is a small file.
 */

import { type Asset, assetOf } from "./assets.ts";

const NAME = /^accent-(?<colour>[0-9a-f]{6})\./;
const BLACK = "#000";
const WHITE = "#fff";

/** Of a colour as `#rrggbb`, in small letters. */
export function accentStyle(base: string, colour: string): Asset {
  const text = textOn(colour);
  // Under the pointer it moves away from its text, so the contrast only grows.
  const away = text === BLACK ? WHITE : BLACK;
  const css =
    `:root{--accent:${colour};--on-accent:${text};` +
    `--accent-over:color-mix(in srgb,${colour} 85%,${away});` +
    `--accent-edge:color-mix(in srgb,${colour} 50%,var(--ink))}\n`;
  return assetOf(Buffer.from(css), { base, name: `accent-${colour.slice(1)}`, kind: "css" });
}

/** Undefined: no colour of ours has this name. */
export function accentNamed(base: string, name: string): Asset | undefined {
  const colour = NAME.exec(name)?.groups?.colour;
  const asset = colour === undefined ? undefined : accentStyle(base, `#${colour}`);
  return asset?.name === name ? asset : undefined;
}

export function textOn(colour: string): typeof BLACK | typeof WHITE {
  const light = luminance(colour);
  // As WCAG 2.2 defines contrast, with black 0 and white 1.
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? BLACK : WHITE;
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
