/**
 * The documents: OpenAPI at `/openapi.json`, the reference at `/docs`, the guides and the errors
 * beneath it,
 * all from our own origin (Decision 0050). Each is made when somebody first asks, and kept.
 */

import type { Infra } from "../infra/context.ts";
import { JSON_TYPE } from "../infra/http/answer.ts";
import { openapiOf } from "../infra/http/openapi/openapi.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs, prepared } from "../infra/http/serve/etag-cache.ts";
import { Type } from "../kit/schema.ts";
import { errorRoutes } from "./error-routes.ts";
import { GUIDES, type Guide } from "./guides.ts";
import { GUIDE_POLICY, HTML_TYPE } from "./page-shell.ts";
import { REFERENCE_POLICY, readReference, referenceHtml } from "./reference-page.ts";

const SCRIPT = "text/javascript; charset=utf-8";

const documentBody = Type.Object(
  { openapi: Type.String({ description: "The version of OpenAPI." }) },
  { additionalProperties: true, examples: [{ openapi: "3.1.0", "…": "…" }] },
);

export function documentRoutes<Ctx extends Infra>(routes: readonly Route<Ctx>[]): Route<Ctx>[] {
  const shown = () => [...routes.filter((route) => !route.isHidden), ...documents];
  const document = prepared((ctx: Ctx) => JSON.stringify(openapiOf(shown(), ctx.config)));
  const reference = prepared(() => referenceHtml(shown()));
  const openapi = publicRoute({
    method: "GET",
    path: "/openapi.json",
    summary: "This interface as OpenAPI 3.1",
    answers: cachedAnswers("The document", documentBody),
    run: async (ctx: Ctx, call) =>
      cachedAs(call, { ...(await document(ctx)), contentType: JSON_TYPE }),
  });
  const page = publicRoute({
    method: "GET",
    path: "/docs",
    summary: "The reference, to read and try",
    answers: cachedAnswers("A page", Type.String(), "text/html"),
    run: async (ctx: Ctx, call) =>
      cachedAs(call, {
        ...(await reference(ctx)),
        contentType: HTML_TYPE,
        headers: { "content-security-policy": REFERENCE_POLICY },
      }),
  });
  const script = publicRoute({
    method: "GET",
    path: "/docs/reference.js",
    summary: "The script of the reference page",
    answers: {
      200: {
        about: "A script",
        body: Type.String(),
        contentType: "text/javascript",
        headers: ["Cache-Control", "Content-Encoding"],
      },
    },
    async run() {
      const headers = { "content-encoding": "gzip", "cache-control": "public, max-age=86400" };
      return { status: 200, body: await readReference(), contentType: SCRIPT, headers };
    },
  });
  const documents: Route<Ctx>[] = [
    openapi,
    page,
    script,
    ...GUIDES.map(guideRoute<Ctx>),
    ...errorRoutes<Ctx>(shown),
  ];
  return documents;
}

function guideRoute<Ctx extends Infra>(guide: Guide): Route<Ctx> {
  const html = prepared(async ({ config }: Ctx) => {
    // Only now: what reads Markdown is worth its memory to whoever has readers.
    const { guideHtml } = await import("./render-guide.ts");
    return guideHtml(guide, config.http.publicUrl);
  });
  return publicRoute({
    method: "GET",
    path: guide.path,
    summary: `A guide: ${guide.title.toLowerCase()}`,
    answers: cachedAnswers("A page", Type.String(), "text/html"),
    run: async (ctx: Ctx, call) =>
      cachedAs(call, {
        ...(await html(ctx)),
        contentType: HTML_TYPE,
        headers: { "content-security-policy": GUIDE_POLICY },
      }),
  });
}
