/**
 * Files that browsers, search engines and language models look for at fixed places (Decision 0114):
 * icons, the picture of link previews, `robots.txt`, `llms.txt`, the pictures and the Markdown of
 * the guides.
 */

import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Infra } from "../infra/context.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs, etagOf } from "../infra/http/serve/client-caching.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { lazy } from "../kit/lazy.ts";
import { Type } from "../kit/schema.ts";
import { guideText } from "./guide-text.ts";
import { GUIDES, markdownPath, NAVIGATION } from "./guides.ts";
import { publicAnswer, publicAnswers, publicText } from "./page.ts";

const WEB = new URL("../../web/site/", import.meta.url);
const IMAGES = new URL("../../docs/images/", import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  svg: "image/svg+xml",
  png: "image/png",
  webp: "image/webp",
  ico: "image/x-icon",
};
const ICONS = ["favicon.svg", "favicon.ico", "apple-touch-icon.png", "social-card.png"];
const TEXT_TYPE = "text/plain; charset=utf-8";
const MARKDOWN_TYPE = "text/markdown; charset=utf-8";
/** What is not for search engines: pages of one person, and the sandbox's interface. */
const PRIVATE = ["/checkout/", "/console", "/dev/", "/pay/", "/receipts/", "/sandbox/", "/sign-in"];

export function siteFileRoutes<Ctx extends Infra>(): Route<Ctx>[] {
  return [
    ...ICONS.map((name) => fileRoute<Ctx>(`/${name}`, new URL(name, WEB))),
    imageRoute<Ctx>(),
    textRoute<Ctx>("/robots.txt", TEXT_TYPE, () => ROBOTS),
    textRoute<Ctx>("/llms.txt", TEXT_TYPE, ({ config }) => llms(config.http.publicUrl)),
    ...GUIDES.map((guide) =>
      textRoute<Ctx>(markdownPath(guide), MARKDOWN_TYPE, ({ config }) =>
        guideText(guide, config.http.publicUrl),
      ),
    ),
  ];
}

function textRoute<Ctx extends Infra>(
  path: string,
  contentType: string,
  make: (ctx: Ctx) => string,
): Route<Ctx> {
  const made = lazy((ctx: Ctx) => publicText(make(ctx), contentType));
  return publicRoute({
    method: "GET",
    path,
    summary: "A text for programs",
    isHidden: true,
    answers: publicAnswers("The text", contentType.split(";")[0] ?? contentType),
    run: async (ctx: Ctx, call) => publicAnswer(call, await made(ctx)),
  });
}

function fileRoute<Ctx>(path: string, file: URL): Route<Ctx> {
  const read = lazy(() => readPicture(file));
  return publicRoute({
    method: "GET",
    path,
    summary: "A picture",
    isHidden: true,
    limit: "none",
    answers: cachedAnswers("The picture", Type.String(), typeOf(path)),
    run: async (_: Ctx, call) => cachedAs(call, await read()),
  });
}

function imageRoute<Ctx>(): Route<Ctx> {
  const pictures = new Map(
    readdirSync(IMAGES).map((name) => [name, lazy(() => readPicture(new URL(name, IMAGES)))]),
  );
  const answers = cachedAnswers("The picture", Type.String(), TYPES.webp);
  return publicRoute({
    method: "GET",
    path: "/docs/images/{name}",
    summary: "A picture of a guide",
    isHidden: true,
    limit: "none",
    params: { name: text({ max: 64 }) },
    answers: { ...answers, 404: { about: "There is no such picture" } },
    async run(_: Ctx, call) {
      const read = pictures.get(call.params.name);
      if (read === undefined) throw new NotFound("no such picture");
      return cachedAs(call, await read());
    },
  });
}

async function readPicture(file: URL) {
  const body = await readFile(file);
  return { body, etag: etagOf(body.toString("base64")), contentType: typeOf(file.pathname) };
}

function typeOf(name: string): string {
  return TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
}

const ROBOTS = ["User-agent: *", ...PRIVATE.map((path) => `Disallow: ${path}`), ""].join("\n");

/** Every guide with one line, leading to its Markdown. */
function llms(publicUrl: string): string {
  const groups = NAVIGATION.map(({ group, pages }) => {
    const lines = pages.map((page) => {
      const guide = GUIDES.find(({ path }) => path === page.path);
      const path = guide === undefined ? page.path : markdownPath(guide);
      return `- [${page.title}](${publicUrl}${path}): ${page.about}`;
    });
    return `## ${group}\n\n${lines.join("\n")}\n`;
  });
  return `# Windward

> Payments and accounts for merchants in Barbados, Grenada, Guyana, Jamaica and Trinidad and Tobago:
> hosted checkout, signed results, webhooks, saved cards, refunds, withdrawals, a sandbox.

The whole interface as OpenAPI 3.1: ${publicUrl}/openapi.json. Amounts are texts with two decimals
beside their currency; sandbox and live are told apart by \`environment\`.

${groups.join("\n")}`;
}
