/** The style and the script of all pages but the payment page, and the route that serves them. */

import { publicRoute, type Route } from "../infra/http/route.ts";
import { text } from "../kit/fields/text.ts";
import { ASSET_ANSWERS, assetServer, readAsset } from "./assets.ts";

const ASSETS_PATH = "/assets";

export const consoleStyle = readAsset({
  base: ASSETS_PATH,
  name: "style",
  kind: "css",
  files: [
    "parts/tokens.css",
    "parts/logo.css",
    "parts/style.css",
    "parts/frame.css",
    "parts/data.css",
    "console/me.css",
  ],
});
export const consoleScript = readAsset({
  base: ASSETS_PATH,
  name: "script",
  kind: "js",
  files: ["parts/script.js"],
});

/** Only of pages that make or use a passkey. */
export const passkeyScript = readAsset({
  base: ASSETS_PATH,
  name: "passkey",
  kind: "js",
  files: ["console/passkey.js"],
});

const serveAsset = assetServer([consoleStyle, consoleScript, passkeyScript]);

export function assetRoutes<Ctx>(): readonly Route<Ctx>[] {
  return [
    publicRoute({
      method: "GET",
      path: `${ASSETS_PATH}/{name}`,
      summary: "The style and the script of our pages",
      isHidden: true,
      limit: "none",
      params: { name: text({ max: 64 }) },
      answers: ASSET_ANSWERS,
      run: async (_: Ctx, { params, header }) =>
        serveAsset(params.name, header("accept-encoding") ?? ""),
    }),
  ];
}
