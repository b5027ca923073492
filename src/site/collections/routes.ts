/**
 * `/collections/`: requests to try, for the programs that developers try them with (Interface §9,
 * Decision 0052). The files are made from the routes that this process serves.
 */

import { DEMO_ACCOUNTS, DEMO_PASSWORD } from "../../demo-world.ts";
import type { Config } from "../../infra/config.ts";
import type { Infra } from "../../infra/context.ts";
import { openapiOf } from "../../infra/http/openapi/openapi.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { cachedAnswers, cachedAs, etagOf } from "../../infra/http/serve/etag-cache.ts";
import { NotFound } from "../../kit/errors.ts";
import { described } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { lazy } from "../../kit/lazy.ts";
import { Type } from "../../kit/schema.ts";
import { SANDBOX_KEYS } from "../../modules/checkout/result/payment-keys.ts";
import { HTML_TYPE } from "../page-shell.ts";
import type { OpenapiDocument } from "./document-values.ts";
import { type CollectionFile, collectionFiles } from "./files.ts";
import { indexPage, PAGE_POLICY } from "./index-page.ts";
import { makeCollection } from "./make-collection.ts";

const collectionBody = Type.Object(
  { info: Type.Optional({ description: "In Postman's form." }) },
  { additionalProperties: true, examples: [{ info: { name: "Windward 2.0.5" } }] },
);
const KEPT = cachedAnswers("The collection", collectionBody);
const NAMED = [...KEPT[200].headers, "Content-Disposition"] as const;

interface Made {
  readonly files: readonly CollectionFile[];
  readonly page: string;
  readonly pageEtag: string;
}

/** `routes` is asked late, because these are among them. */
export function collectionRoutes<Ctx extends Infra>(
  routes: () => readonly Route<Ctx>[],
): readonly Route<Ctx>[] {
  const ready = lazy(({ config }: Infra) => make(routes(), config));

  const index = publicRoute({
    method: "GET",
    path: "/collections/",
    summary: "Collections of requests to download",
    answers: cachedAnswers("A page that lists them", Type.String(), "text/html"),
    async run(ctx: Ctx, call) {
      const { page, pageEtag } = await ready(ctx);
      const headers = { "content-security-policy": PAGE_POLICY };
      return cachedAs(call, { body: page, etag: pageEtag, contentType: HTML_TYPE, headers });
    },
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
      200: { ...KEPT[200], headers: NAMED, alsoAs: "text/plain" },
      304: { ...KEPT[304], headers: NAMED },
      404: { about: "There is no such file", refusals: [new NotFound()] },
    },
    async run(ctx: Ctx, call) {
      const wanted = call.params.file;
      const { files } = await ready(ctx);
      const found = files.find(({ name, latest }) => [name, latest].includes(wanted));
      if (found === undefined) throw new NotFound("no such collection");
      const { bytes: body, contentType, etag, name } = found;
      const headers = { "content-disposition": `attachment; filename="${name}"` };
      return cachedAs(call, { body, etag, contentType, headers });
    },
  });
  return [index, file];
}

function make(routes: readonly Route<never>[], config: Config): Made {
  const shown = routes.filter((route) => !route.isHidden);
  const document = openapiOf(shown, config) as unknown as OpenapiDocument;
  const [merchant] = DEMO_ACCOUNTS;
  const collection = makeCollection(document, {
    email: merchant?.email ?? "",
    password: DEMO_PASSWORD,
    accountNumber: merchant?.accountNumber ?? "",
    signingSecret: SANDBOX_KEYS.signingSecret,
  });
  const files = collectionFiles(collection);
  const page = indexPage(files);
  return { files, page, pageEtag: etagOf(page) };
}
