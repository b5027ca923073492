/**
 * The documents: OpenAPI at `/openapi.json` and the reference page at `/docs`, both from our own
 * origin.
 */

import { Type } from "typebox";
import type { Infra } from "../../context.ts";
import { plainJson } from "../answer.ts";
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

export function documentRoutes<Ctx extends Infra>(routes: readonly Route<Ctx>[]): Route<Ctx>[] {
  const openapi = publicRoute({
    method: "GET",
    path: "/openapi.json",
    summary: "This interface as OpenAPI 3.1",
    answers: { 200: { about: "The document", body: Type.Object({ openapi: Type.String() }) } },
    async run(ctx: Ctx) {
      return plainJson(
        openapiOf([...routes.filter((route) => !route.isHidden), ...documents], ctx.config),
        {
          "cache-control": "public, max-age=60",
        },
      );
    },
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
    answers: { 200: { about: "A script", body: Type.String(), contentType: "text/javascript" } },
    async run() {
      const headers = { "content-encoding": "gzip", "cache-control": "public, max-age=86400" };
      return { status: 200, body: await readReference(), contentType: SCRIPT, headers };
    },
  });
  const documents: Route<Ctx>[] = [openapi, page, script];
  return documents;
}
