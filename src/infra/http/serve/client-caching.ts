/** Answers that clients may keep until they change: with an ETag, and 304 for a known one. */

import { createHash } from "node:crypto";
import { lazy } from "../../../kit/lazy.ts";
import type { JsonSchema } from "../../../kit/schema.ts";
import type { Answer } from "../answer.ts";
import type { Call } from "../route.ts";

const KEPT_SECONDS = 3600;

/** Headers of what may be kept. */
const HEADERS = ["ETag", "Cache-Control", "Vary"] as const;

export function cachedAnswers(about: string, body: JsonSchema, contentType?: string) {
  return {
    200: { about, body, headers: HEADERS, ...(contentType === undefined ? {} : { contentType }) },
    304: {
      about: "The answer that If-None-Match names is still good",
      headers: HEADERS,
    },
  };
}

/** `vary`: the headers that decide what is answered, where any do. */
export function kept(call: Asker, body: object, vary?: string): Answer {
  return cachedAs(call, { body, etag: etagOf(JSON.stringify(body)) }, vary);
}

type Asker = Pick<Call<never, never, never>, "header">;

/** Of the text that it becomes. */
export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

/**
 * The same for what was made ready before, and need not be looked through again. A 304 has all
 * headers of the 200: browsers put them in place of those they keep, the policy of a page, too.
 */
export function cachedAs(
  { header }: Asker,
  ready: {
    readonly body: unknown;
    readonly etag: string;
    readonly contentType?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
  vary?: string,
): Answer {
  const { body, etag, contentType } = ready;
  const headers = {
    etag,
    "cache-control": `public, max-age=${KEPT_SECONDS}`,
    ...(vary === undefined ? {} : { vary }),
    ...ready.headers,
  };
  const known = (header("if-none-match") ?? "").split(",").map((one) => one.trim());
  const isKnown = known.some((one) => one === "*" || one.replace(/^W\//, "") === etag);
  if (isKnown) return { status: 304, body: "", headers };
  return { status: 200, body, headers, ...(contentType === undefined ? {} : { contentType }) };
}

/** A text that is the same for everybody, made once with its ETag, as bytes: all share them. */
export function preparedText<Ctx>(make: (ctx: Ctx) => string | Promise<string>) {
  return lazy(async (ctx: Ctx) => {
    const text = await make(ctx);
    return { body: Buffer.from(text), etag: etagOf(text) };
  });
}
