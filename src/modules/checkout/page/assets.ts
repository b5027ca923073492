/**
 * The page's style and script (Decision 0041): read once, named by their content, so that a browser
 * may keep them for ever, and pinned by their digest in the page that asks for them.
 *
 * What is served is byte for byte what stands in `web/checkout/`. There is
 * no bundler and no step in between, so what was reviewed is what runs.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Answer } from "../../../infra/http/answer.ts";
import { NotFound } from "../../../kit/errors.ts";

export const ASSETS_PATH = "/checkout/assets";

const HASH_LENGTH = 16;

export interface Asset {
  readonly file: string;
  readonly name: string;
  readonly path: string;
  readonly integrity: string;
  readonly contentType: string;
  readonly plain: Buffer;
  /** Best first. The page itself is never compressed: it holds a secret beside typed words. */
  readonly packed: readonly { readonly encoding: string; readonly bytes: Buffer }[];
}

export const style = readAsset("style.css", "text/css; charset=utf-8");
export const script = readAsset("checkout.js", "text/javascript; charset=utf-8");

const byName = new Map([style, script].map((asset) => [asset.name, asset]));

export function serveAsset(name: string, acceptEncoding: string): Answer {
  const asset = byName.get(name);
  if (asset === undefined) throw new NotFound("no such style or script");
  const { contentType, packed, plain } = asset;
  const accepted = acceptEncoding.split(",").map((each) => each.trim().toLowerCase());
  const best = packed.find(({ encoding }) => accepted.includes(encoding));
  return {
    status: 200,
    body: best?.bytes ?? plain,
    contentType,
    headers: {
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      ...(best === undefined ? {} : { "content-encoding": best.encoding }),
    },
  };
}

function readAsset(file: string, contentType: string): Asset {
  const plain = readFileSync(new URL(`../../../../web/checkout/${file}`, import.meta.url));
  const [base, ending] = file.split(".");
  const mark = createHash("sha256").update(plain).digest("hex").slice(0, HASH_LENGTH);
  const name = `${base}.${mark}.${ending}`;
  let packed: Asset["packed"] | undefined;
  return {
    file,
    name,
    path: `${ASSETS_PATH}/${name}`,
    integrity: `sha384-${createHash("sha384").update(plain).digest("base64")}`,
    contentType,
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
