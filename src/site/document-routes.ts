/**
 * The documents: OpenAPI at `/openapi.json`, the reference at `/docs`, guides and errors beneath
 * it, all from our own origin (Decision 0050). Each is made on the first request, then kept.
 */

import type { Infra } from "../infra/context.ts";
import { JSON_TYPE } from "../infra/http/answer.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs, preparedText } from "../infra/http/serve/client-caching.ts";
import { Type } from "../kit/schema.ts";
import { errorRoutes } from "./error-pages.ts";
import { GUIDES } from "./guides.ts";
import { openapiOf } from "./openapi/openapi.ts";
import { pageRoute } from "./page.ts";
import { readReferenceScript } from "./page-scripts.ts";
import { REFERENCE_POLICY, referenceHtml } from "./reference-page.ts";

const documentBody = Type.Object(
  { openapi: Type.String({ description: "The version of OpenAPI." }) },
  { additionalProperties: true, examples: [{ openapi: "3.1.0", "…": "…" }] },
);

export function documentRoutes<Ctx extends Infra>(routes: readonly Route<Ctx>[]): Route<Ctx>[] {
  const shown = () => [...routes.filter((route) => !route.isHidden), ...documents];
  const documents: Route<Ctx>[] = [
    openapiRoute<Ctx>(shown),
    pageRoute<Ctx>({
      path: "/docs",
      summary: "The reference, to read and try",
      policy: REFERENCE_POLICY,
      html: () => referenceHtml(shown()),
    }),
    scriptRoute,
    ...guideRoutes<Ctx>(),
    ...errorRoutes<Ctx>(shown),
  ];
  return documents;
}

function openapiRoute<Ctx extends Infra>(shown: () => readonly Route<never>[]): Route<Ctx> {
  const document = preparedText(({ config }: Ctx) => JSON.stringify(openapiOf(shown(), config)));
  return publicRoute({
    method: "GET",
    path: "/openapi.json",
    summary: "This interface as OpenAPI 3.1",
    answers: cachedAnswers("The document", documentBody),
    run: async (ctx: Ctx, call) =>
      cachedAs(call, { ...(await document(ctx)), contentType: JSON_TYPE }),
  });
}

const scriptRoute = publicRoute({
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
  run: async () => ({
    status: 200,
    body: await readReferenceScript(),
    contentType: "text/javascript; charset=utf-8",
    headers: { "content-encoding": "gzip", "cache-control": "public, max-age=86400" },
  }),
});

function guideRoutes<Ctx extends Infra>(): Route<Ctx>[] {
  return GUIDES.map((guide) =>
    pageRoute<Ctx>({
      path: guide.path,
      summary: `A guide: ${guide.title.toLowerCase()}`,
      async html({ config }) {
        // Loaded on demand: the Markdown parser takes memory that most processes never need.
        const { guideHtml } = await import("./render-guide.ts");
        return guideHtml(guide, config.http.publicUrl);
      },
    }),
  );
}
