/** The style and the script of all pages but the payment page, and the route that serves them. */

import type { Route } from "../infra/http/route.ts";
import { assetRoute, assetServer, readAsset } from "./assets.ts";

const ASSETS_PATH = "/assets";

export const consoleStyle = readAsset({
  base: ASSETS_PATH,
  name: "style",
  kind: "css",
  files: [
    "parts/tokens.css",
    "parts/logo.css",
    "parts/style.css",
    "parts/code.css",
    "parts/frame.css",
    "parts/data.css",
    "console/me.css",
  ],
});
export const consoleScript = readAsset({
  base: ASSETS_PATH,
  name: "script",
  kind: "js",
  files: ["parts/copy.js", "parts/share.js", "parts/script.js"],
});

/** Only of pages that follow their account, behind the one of every page. */
export const liveScript = readAsset({
  base: ASSETS_PATH,
  name: "live",
  kind: "js",
  files: ["parts/live.js"],
});

/** Only of pages that make or use a passkey. */
export const passkeyScript = readAsset({
  base: ASSETS_PATH,
  name: "passkey",
  kind: "js",
  files: ["console/passkey.js"],
});

const serveAsset = assetServer([consoleStyle, consoleScript, liveScript, passkeyScript]);

export function consoleAssetRoute<Ctx>(): Route<Ctx> {
  return assetRoute(ASSETS_PATH, serveAsset);
}
