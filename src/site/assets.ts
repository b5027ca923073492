/** The style and the script of the site, and the route that serves them. */

import type { Route } from "../infra/http/route.ts";
import { assetRoute, assetServer, readAsset } from "../parts/assets.ts";

const ASSETS_PATH = "/docs/assets";

export const siteStyle = readAsset({
  base: ASSETS_PATH,
  name: "site",
  kind: "css",
  files: [
    "parts/tokens.css",
    "parts/style.css",
    "parts/code.css",
    "site/frame.css",
    "site/text.css",
    "site/code.css",
    "site/home.css",
  ],
});

/** Of the interactive reference, whose own style must not meet ours. */
export const tryStyle = readAsset({
  base: ASSETS_PATH,
  name: "try",
  kind: "css",
  files: ["parts/tokens.css", "site/try.css"],
});

export const siteScript = readAsset({
  base: ASSETS_PATH,
  name: "site",
  kind: "js",
  files: ["parts/copy.js", "site/language.js", "site/menu.js", "site/search.js"],
});

const serveAsset = assetServer([siteStyle, tryStyle, siteScript]);

export function siteAssetRoute<Ctx>(): Route<Ctx> {
  return assetRoute(ASSETS_PATH, serveAsset);
}
