/**
 * The page at `/verify` that verifies redirects, webhooks and payment requests in the browser
 * (Decision 0054). Its script is the verifier of the SDK itself, file by file without types.
 *
 * A key is pasted there, so the page may connect to nothing: it runs scripts of this origin only,
 * sends no form, and cannot be framed. It is for people and not in the OpenAPI document.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Infra } from "../infra/context.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs } from "../infra/http/serve/client-caching.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { lazy } from "../kit/lazy.ts";
import { Type } from "../kit/schema.ts";
import { brandMark } from "../parts/icon.ts";
import { documentPolicy, HTML_TYPE } from "../parts/page.ts";
import { readVerifyScripts } from "./page-scripts.ts";

const FOLDER = new URL("../../web/verify/", import.meta.url);
const ICON = new URL("../../web/site/favicon.svg", import.meta.url);
const ASSETS_PATH = "/verify/assets";
const ENTRY = "page.js";
const STYLE = "style.css";

const PAGE_HEADERS = {
  "content-security-policy": documentPolicy({
    "script-src": "'self'",
    // An image of this origin could carry a key away in its address; the icon is in the page.
    "img-src": "data:",
    "connect-src": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
  }),
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-frame-options": "DENY",
};

const readPage = lazy(async () => {
  const [scripts, icon, style, page] = await Promise.all([
    readVerifyScripts(),
    readFile(ICON, "base64"),
    readFile(new URL(STYLE, FOLDER), "utf8"),
    readFile(new URL("page.html", FOLDER), "utf8"),
  ]);
  const files = new Map([...scripts, [STYLE, style]]);
  const assets = new Map([...files].map(([name, file]) => [name, assetOf(name, file)]));
  const tags = [...assets.values()].map(({ tag }) => tag);
  const html = page
    .replace("<!-- icon -->", `data:image/svg+xml;base64,${icon}`)
    .replace("<!-- loaded -->", tags.join("\n    "))
    .replace("<!-- mark -->", brandMark().toString());
  return { html, assets };
});

function assetOf(name: string, file: string) {
  const digest = createHash("sha384").update(file).digest("base64");
  return {
    tag: tagOf(name, `"${ASSETS_PATH}/${name}" integrity="sha384-${digest}"`),
    answer: {
      body: Buffer.from(file),
      etag: `"${digest.slice(0, 24)}"`,
      contentType: `text/${name === STYLE ? "css" : "javascript"}; charset=utf-8`,
      // Revalidated on each use, so that page and scripts are always of the same version.
      headers: { "cache-control": "no-cache" },
    },
  };
}

/** Modules are preloaded with their digests; an import then uses the loaded one. */
function tagOf(name: string, source: string): string {
  if (name === STYLE) return `<link rel="stylesheet" href=${source} />`;
  if (name === ENTRY) return `<script type="module" src=${source}></script>`;
  return `<link rel="modulepreload" href=${source} />`;
}

const ASSET_ANSWERS = cachedAnswers("A script or the style", Type.String(), "text/javascript");

export const verifyRoutes: readonly Route<Infra>[] = [
  publicRoute({
    method: "GET",
    path: "/verify",
    summary: "Verify a redirect, a webhook or a payment request in the browser",
    isHidden: true,
    answers: { 200: { about: "The page", contentType: "text/html" } },
    async run() {
      const { html } = await readPage();
      return { status: 200, body: html, contentType: HTML_TYPE, headers: PAGE_HEADERS };
    },
  }),
  publicRoute({
    method: "GET",
    path: `${ASSETS_PATH}/{name}`,
    summary: "The style and the scripts of the verifier's page",
    isHidden: true,
    limit: "none",
    params: { name: text({ max: 64 }) },
    answers: { ...ASSET_ANSWERS, 200: { ...ASSET_ANSWERS[200], alsoAs: "text/css" } },
    async run(_ctx: Infra, call) {
      const { assets } = await readPage();
      const asset = assets.get(call.params.name);
      if (asset === undefined) throw new NotFound("no such style or script");
      return cachedAs(call, asset.answer);
    },
  }),
];
