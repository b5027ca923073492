/**
 * The site (Decision 0114): the home page, the documentation with guides, reference, errors and
 * search, and the OpenAPI document that the reference is made from. All of it comes from our own
 * origin (Decision 0050), and each page is made on the first request, then kept.
 */

import assert from "node:assert/strict";
import type { Config } from "../infra/config.ts";
import type { Infra } from "../infra/context.ts";
import { JSON_TYPE } from "../infra/http/answer.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs, preparedText } from "../infra/http/serve/client-caching.ts";
import { inSlices } from "../kit/in-slices.ts";
import { lazy } from "../kit/lazy.ts";
import { Type } from "../kit/schema.ts";
import { siteAssetRoute } from "./assets.ts";
import { docsHome } from "./docs-home.ts";
import { errorRoutes } from "./error-pages.ts";
import { GUIDES, TRY_PATH } from "./guides.ts";
import { homeRoute } from "./home-page.ts";
import { openapiSteps } from "./openapi/openapi.ts";
import { PAGE_ANSWERS, pageRoute, publicPage } from "./page.ts";
import { readReferenceScript } from "./page-scripts.ts";
import {
  type MakeOpenapi,
  referenceDocument,
  referenceRoutes,
} from "./reference/reference-pages.ts";
import { renderInThread, withBuffers } from "./render-in-thread.ts";
import { searchRoute } from "./search/search-page.ts";
import { siteFileRoutes } from "./site-files.ts";
import { TRY_POLICY, TRY_SCRIPT_PATH, tryHtml } from "./try-page.ts";
import { unknownGuideRoutes } from "./unknown-guide.ts";
import { welcomeRoute } from "./welcome/welcome-page.ts";

const documentBody = Type.Object(
  { openapi: Type.String({ description: "The version of OpenAPI." }) },
  { additionalProperties: true, examples: [{ openapi: "3.1.0", "…": "…" }] },
);

export function documentRoutes<Ctx extends Infra>(
  routes: readonly Route<Ctx>[],
  { http }: Pick<Config, "http">,
): Route<Ctx>[] {
  const shown = () => [...routes, ...documents].filter((route) => !route.isHidden);
  const openapi = lazy(({ config }: Infra) => inSlices(openapiSteps(shown(), config)));
  const reading = referenceDocument(openapi);
  const documents: Route<Ctx>[] = [
    openapiRoute<Ctx>(openapi),
    homeRoute<Ctx>(),
    pageRoute<Ctx>({
      path: "/docs",
      summary: "The documentation",
      isDocumented: true,
      html: (ctx) => docsHome(ctx, reading),
    }),
    pageRoute<Ctx>({
      path: TRY_PATH,
      summary: "The reference, to read and try",
      policy: TRY_POLICY,
      html: tryHtml,
    }),
    scriptRoute,
    ...guideRoutes<Ctx>(),
    ...referenceRoutes<Ctx>(openapi, reading),
    ...errorRoutes<Ctx>(shown, reading, http.publicUrl),
    searchRoute<Ctx>(reading),
    welcomeRoute<Ctx>(),
    siteAssetRoute<Ctx>(),
    ...siteFileRoutes<Ctx>(),
    ...unknownGuideRoutes<Ctx>(),
  ];
  return documents;
}

function openapiRoute<Ctx extends Infra>(openapi: MakeOpenapi): Route<Ctx> {
  const document = preparedText(async (ctx: Ctx) => JSON.stringify(await openapi(ctx)));
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
  path: TRY_SCRIPT_PATH,
  summary: "The script of the interactive reference",
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
  const pages = lazy(async ({ config: { http } }: Ctx) =>
    withBuffers(await renderInThread("guides", { publicUrl: http.publicUrl })),
  );
  return GUIDES.map(({ path, title }) =>
    publicRoute({
      method: "GET",
      path,
      summary: `A guide: ${title.toLowerCase()}`,
      isHidden: true,
      answers: PAGE_ANSWERS,
      async run(ctx: Ctx, call) {
        const page = (await pages(ctx)).get(path);
        assert(page !== undefined, "a thread renders every guide");
        return publicPage(call, page);
      },
    }),
  );
}
