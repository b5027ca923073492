/**
 * The style and the script of the payment page (Decision 0041), as `parts/assets.ts` serves them.
 * The style begins with the tokens that all our pages share; beside these two the page loads
 * only its merchant's colour and logo.
 */

import { accentNamed } from "../../../parts/accent.ts";
import { assetServer, readAsset } from "../../../parts/assets.ts";

export const ASSETS_PATH = "/checkout/assets";

/** One behind the other: each uses only those before it. */
const SCRIPTS = [
  "page",
  "card-checks",
  "card-fields",
  "time-left",
  "status",
  "notice",
  "send-card",
  "frame-height",
  "start",
];

export const style = readAsset({
  base: ASSETS_PATH,
  name: "style",
  kind: "css",
  files: ["parts/tokens.css", "parts/logo.css", "checkout/style.css"],
});
export const script = readAsset({
  base: ASSETS_PATH,
  name: "checkout",
  kind: "js",
  files: SCRIPTS.map((name) => `checkout/${name}.js`),
});

export const serveAsset = assetServer([style, script], (name) => accentNamed(ASSETS_PATH, name));
