/**
 * The documents: OpenAPI at `/openapi.json`, the reference at `/docs` and the guide at
 * `/docs/start`, all from our own origin (Decision 0050).
 */

import { Type } from "typebox";
import type { Config } from "../../config.ts";
import type { Infra } from "../../context.ts";
import { JSON_TYPE } from "../answer.ts";
import { etagOf, keptAnswers, keptAs } from "../kept-answer.ts";
import { publicRoute, type Route } from "../route.ts";
import { openapiOf } from "./openapi.ts";
import { readReference, referenceHtml } from "./reference-page.ts";

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** The reference draws its own styles and reads the document; nothing comes from another origin. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-" +
  "ancestors 'none'";

const documentBody = Type.Object(
  { openapi: Type.String({ description: "The version of OpenAPI." }) },
  { additionalProperties: true, examples: [{ openapi: "3.1.0", "…": "…" }] },
);

export function documentRoutes<Ctx extends Infra>(routes: readonly Route<Ctx>[]): Route<Ctx>[] {
  // Made when somebody first asks: it takes a moment, and most processes are never asked.
  let made: { body: string; etag: string; contentType: string } | undefined;
  const documentOf = (config: Config) => {
    const shown = [...routes.filter((route) => !route.isHidden), ...documents];
    const body = made?.body ?? JSON.stringify(openapiOf(shown, config));
    made ??= { body, etag: etagOf(body), contentType: JSON_TYPE };
    return made;
  };
  const openapi = publicRoute({
    method: "GET",
    path: "/openapi.json",
    summary: "This interface as OpenAPI 3.1",
    answers: keptAnswers("The document", documentBody),
    run: async (ctx: Ctx, call) => keptAs(call, documentOf(ctx.config)),
  });
  const page = publicRoute({
    method: "GET",
    path: "/docs",
    summary: "The reference, to read and try",
    answers: { 200: { about: "A page", body: Type.String(), contentType: "text/html" } },
    async run() {
      const headers = { "content-security-policy": PAGE_POLICY };
      return { status: 200, body: referenceHtml(), contentType: HTML, headers };
    },
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
  const documents: Route<Ctx>[] = [openapi, page, script];
  return documents;
}
