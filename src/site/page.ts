/**
 * Pages that are the same for everybody: made on the first request, then kept by us and by
 * browsers. They hold no secret, so they are compressed. Their policy allows styles and scripts of
 * this origin and nothing inline (Decision 0089).
 */

import { gzipSync } from "node:zlib";
import type { Infra } from "../infra/context.ts";
import type { Answer } from "../infra/http/answer.ts";
import { publicRoute, type Route } from "../infra/http/route.ts";
import { cachedAnswers, cachedAs, etagOf } from "../infra/http/serve/client-caching.ts";
import { lazy } from "../kit/lazy.ts";
import { Type } from "../kit/schema.ts";
import { HTML_TYPE, PAGE_HEADERS } from "../parts/page.ts";

const { "cache-control": _, ...KEPT_HEADERS } = PAGE_HEADERS;
/** Of a page with a policy of its own, whose script comes without a digest. */
const { "integrity-policy": __, ...LOOSE_HEADERS } = KEPT_HEADERS;

/** What a route for such texts says of its answers. */
export function publicAnswers(about: string, contentType: string) {
  const { 200: whole, 304: known } = cachedAnswers(about, Type.String(), contentType);
  return { 200: { ...whole, headers: [...whole.headers, "Content-Encoding"] }, 304: known };
}

export const PAGE_ANSWERS = publicAnswers("A page", "text/html");

/** A text that everybody may read, with what it is served as. */
export interface PublicText {
  readonly plain: Buffer;
  readonly packed: Buffer;
  readonly etag: string;
  readonly contentType: string;
}

export function publicText(text: string, contentType: string): PublicText {
  const plain = Buffer.from(text);
  return { plain, packed: gzipSync(plain), etag: etagOf(text), contentType };
}

type Asking = Parameters<typeof cachedAs>[0];

/** With 304 for a reader that has it. */
export function publicAnswer(
  call: Asking,
  { plain, packed, etag, contentType }: PublicText,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const isPacked = /\bgzip\b/i.test(call.header("accept-encoding") ?? "");
  const encoding = isPacked ? { "content-encoding": "gzip" } : {};
  const ready = { body: isPacked ? packed : plain, etag, contentType, headers };
  const answer = cachedAs(call, ready, "accept-encoding");
  if (answer.status !== 200) return answer;
  return { ...answer, headers: { ...answer.headers, ...encoding } };
}

/** A whole HTML document. `policy`: where the page needs another one than all others. */
export function publicPage(call: Asking, page: PublicText, policy?: string): Answer {
  if (policy === undefined) return publicAnswer(call, page, KEPT_HEADERS);
  return publicAnswer(call, page, { ...LOOSE_HEADERS, "content-security-policy": policy });
}

export function htmlText(document: string): PublicText {
  return publicText(document, HTML_TYPE);
}

export function pageRoute<Ctx extends Infra>(parts: {
  readonly path: string;
  readonly summary: string;
  readonly policy?: string;
  /** In the OpenAPI document; other pages are for people only. */
  readonly isDocumented?: true;
  readonly html: (ctx: Ctx) => string | Promise<string>;
}): Route<Ctx> {
  const { path, summary, policy, isDocumented } = parts;
  const page = lazy(async (ctx: Ctx) => htmlText(await parts.html(ctx)));
  return publicRoute({
    method: "GET",
    path,
    summary,
    ...(isDocumented === true ? {} : { isHidden: true }),
    answers: PAGE_ANSWERS,
    run: async (ctx: Ctx, call) => publicPage(call, await page(ctx), policy),
  });
}
