/**
 * `/collections/`: requests to try in the programs that developers use (Interface §9, Decision
 * 0052), made from the routes that this process serves on the first request, then kept.
 */

import type { Infra } from "../../infra/context.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { cachedAnswers, cachedAs } from "../../infra/http/serve/client-caching.ts";
import { NotFound } from "../../kit/errors.ts";
import { described } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { inSlices } from "../../kit/in-slices.ts";
import { lazy } from "../../kit/lazy.ts";
import { Type } from "../../kit/schema.ts";
import { openapiSteps } from "../openapi/openapi.ts";
import { pageRoute } from "../page.ts";
import type { OpenapiDocument } from "./document-values.ts";
import { collectionFiles } from "./files.ts";
import { indexPage } from "./index-page.ts";
import { makeCollection } from "./make-collection.ts";

const collectionBody = Type.Object(
  { info: Type.Optional({ description: "In Postman's form." }) },
  { additionalProperties: true, examples: [{ info: { name: "Windward 2.0.5" } }] },
);
const CACHED = cachedAnswers("The collection", collectionBody);
const HEADERS = [...CACHED[200].headers, "Content-Disposition"] as const;

/** `routes` is a function because these routes are among them. */
export function collectionRoutes<Ctx extends Infra>(
  routes: () => readonly Route<Ctx>[],
): readonly Route<Ctx>[] {
  const readFiles = lazy(async ({ config }: Infra) => {
    const shown = routes().filter((route) => !route.isHidden);
    const document = await inSlices(openapiSteps(shown, config));
    return collectionFiles(makeCollection(document as unknown as OpenapiDocument));
  });

  const index = pageRoute<Ctx>({
    path: "/collections/",
    summary: "Collections of requests to download",
    isDocumented: true,
    html: async (ctx) => indexPage(await readFiles(ctx), ctx.config.http.publicUrl),
  });

  const file = publicRoute({
    method: "GET",
    path: "/collections/{file}",
    summary: "One collection, of a version or the latest",
    params: {
      file: described(
        text({ max: 64 }),
        "A name that the page lists.",
        "windward-latest.postman_collection.json",
      ),
    },
    answers: {
      200: { ...CACHED[200], headers: HEADERS, alsoAs: "text/plain" },
      304: { ...CACHED[304], headers: HEADERS },
      404: { about: "There is no such file", refusals: [new NotFound()] },
    },
    async run(ctx: Ctx, call) {
      const files = await readFiles(ctx);
      const found = files.find(({ name, latest }) => [name, latest].includes(call.params.file));
      if (found === undefined) throw new NotFound("no such collection");
      const { body, etag, contentType, name } = found;
      const headers = { "content-disposition": `attachment; filename="${name}"` };
      return cachedAs(call, { body, etag, contentType, headers });
    },
  });
  return [index, file];
}
