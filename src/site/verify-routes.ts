/**
 * The page that verifies redirects, webhooks and payment requests in the browser (Decision 0054).
 * For people, so not in the documents.
 *
 * The rule that matters: a key is pasted there, so the page may connect to nothing. It runs the
 * scripts of this origin and no other, sends no form, and cannot be framed.
 */

import type { Infra } from "../infra/context.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs } from "../infra/http/serve/etag-cache.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { Type } from "../kit/schema.ts";
import { HTML_TYPE } from "./page-shell.ts";
import { ASSETS_PATH, readVerifyPage } from "./verify-page.ts";

const PAGE_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src data:",
    "connect-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-frame-options": "DENY",
};

/** Asked for again each time and sent again only when it changed. */
const KEPT = { "cache-control": "no-cache" };
const ASSET_ANSWERS = cachedAnswers("A script or the style", Type.String(), "text/javascript");

export const verifyRoutes: readonly Route<Infra>[] = [
  publicRoute({
    method: "GET",
    path: "/verify",
    summary: "Verify a redirect, a webhook or a payment request in the browser",
    isHidden: true,
    answers: { 200: { about: "The page", contentType: "text/html" } },
    async run() {
      const { html } = await readVerifyPage();
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
      const { assets } = await readVerifyPage();
      const asset = assets.get(call.params.name);
      if (asset === undefined) throw new NotFound("no such style or script");
      const { contentType, etag, plain } = asset;
      return cachedAs(call, { body: plain, etag, contentType, headers: KEPT });
    },
  }),
];
