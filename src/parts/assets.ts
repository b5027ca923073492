/**
 * Styles and scripts of our pages: read once, named by their content, so that a browser may keep
 * them for ever, and pinned by their digest in the page that asks for them (Decisions 0041, 0089).
 *
 * What is served is byte for byte what stands in `web/`, some files one behind the other. There is
 * no bundler, so what was reviewed is what runs.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Answer } from "../infra/http/answer.ts";
import { type AnswerDoc, publicRoute, type Route } from "../infra/http/route.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { attributes, type Html, html } from "../kit/html.ts";

const WEB = new URL("../../web/", import.meta.url);
const HASH_LENGTH = 16;
const CONTENT_TYPES = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
} as const;

export interface Asset {
  /** Paths within `web/`, in the order in which they are served; none where it is made up. */
  readonly files: readonly string[];
  readonly name: string;
  readonly path: string;
  readonly integrity: string;
  readonly contentType: string;
  readonly plain: Buffer;
  /** Best first. A page itself is never compressed: it holds a secret beside typed words. */
  readonly packed: readonly { readonly encoding: string; readonly bytes: Buffer }[];
}

/** What a route for assets says of its answers. */
const ASSET_ANSWERS: Readonly<Record<number, AnswerDoc>> = {
  200: {
    about: "The file",
    contentType: "text/javascript",
    alsoAs: "text/css",
    headers: ["Vary", "Content-Encoding"],
  },
  404: { about: "There is no such file" },
};

export function readAsset(parts: {
  readonly base: string;
  readonly name: string;
  readonly kind: keyof typeof CONTENT_TYPES;
  readonly files: readonly string[];
}): Asset {
  const { files } = parts;
  return assetOf(Buffer.concat(files.map((file) => readFileSync(new URL(file, WEB)))), parts);
}

export function assetOf(
  plain: Buffer,
  parts: {
    readonly base: string;
    readonly name: string;
    readonly kind: keyof typeof CONTENT_TYPES;
    readonly files?: readonly string[];
  },
): Asset {
  const { base, kind, files = [] } = parts;
  const mark = createHash("sha256").update(plain).digest("hex").slice(0, HASH_LENGTH);
  const name = `${parts.name}.${mark}.${kind}`;
  let packed: Asset["packed"] | undefined;
  return {
    files,
    name,
    path: `${base}/${name}`,
    integrity: `sha384-${createHash("sha384").update(plain).digest("base64")}`,
    contentType: CONTENT_TYPES[kind],
    plain,
    // When first asked for: many a process never is, and it would start later for it.
    get packed() {
      packed ??= [
        { encoding: "br", bytes: brotliCompressSync(plain) },
        { encoding: "gzip", bytes: gzipSync(plain) },
      ];
      return packed;
    },
  };
}

export function assetRoute<Ctx>(base: string, serve: AssetServer): Route<Ctx> {
  return publicRoute({
    method: "GET",
    path: `${base}/{name}`,
    summary: "A style or a script of our pages",
    isHidden: true,
    limit: "none",
    params: { name: text({ max: 64 }) },
    answers: ASSET_ANSWERS,
    run: async (_: Ctx, { params, header }) => serve(params.name, header("accept-encoding") ?? ""),
  });
}

type AssetServer = ReturnType<typeof assetServer>;

/** Answers for exactly these, by their names, and for those that are made when asked for. */
export function assetServer(
  assets: readonly Asset[],
  made: (name: string) => Asset | undefined = () => undefined,
) {
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  return (name: string, acceptEncoding: string): Answer => {
    const asset = byName.get(name) ?? made(name);
    if (asset === undefined) throw new NotFound("no such style or script");
    const accepted = acceptEncoding.split(",").map((each) => each.trim().toLowerCase());
    const best = asset.packed.find(({ encoding }) => accepted.includes(encoding));
    return {
      status: 200,
      body: best?.bytes ?? asset.plain,
      contentType: asset.contentType,
      headers: {
        "cache-control": "public, max-age=31536000, immutable",
        vary: "accept-encoding",
        ...(best === undefined ? {} : { "content-encoding": best.encoding }),
      },
    };
  };
}

export function styleTag({ path, integrity }: Asset): Html {
  const from = attributes({ href: path, integrity, crossorigin: "anonymous" });
  return html`<link rel="stylesheet"${from}>`;
}

export function scriptTag({ path, integrity }: Asset, nonce?: string): Html {
  const from = attributes({ src: path, integrity, crossorigin: "anonymous", nonce, defer: true });
  return html`<script${from}></script>`;
}
