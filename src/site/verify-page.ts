/**
 * What the page at `/verify` is made of (Decision 0054): its text, its style, and as its script the
 * verifier of the SDK itself, file by file with the types taken out, so that there is one
 * implementation. Prepared once, when somebody first opens the page, by a thread that then ends.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { lazy } from "../kit/lazy.ts";
import { madeByThread } from "./made-by-thread.ts";

const PREPARER = new URL("./prepare-verify.ts", import.meta.url);
const PAGE_FOLDER = new URL("../../web/verify/", import.meta.url);
export const ASSETS_PATH = "/verify/assets";
const ENTRY = "page.js";
const STYLE = "style.css";

interface VerifyAsset {
  readonly contentType: string;
  readonly etag: string;
  readonly integrity: string;
  readonly plain: Buffer;
}

interface VerifyPage {
  readonly html: string;
  readonly assets: ReadonlyMap<string, VerifyAsset>;
}

/** Node calls what it does to every file of ours by itself experimental when asked for it. */
const UNWARNED = { execArgv: ["--disable-warning=ExperimentalWarning"] };

export const readVerifyPage = lazy(prepare);

async function prepare(): Promise<VerifyPage> {
  const [scripts, style, page] = await Promise.all([
    madeByThread<Map<string, string>>(PREPARER, UNWARNED),
    readFile(new URL(STYLE, PAGE_FOLDER), "utf8"),
    readFile(new URL("page.html", PAGE_FOLDER), "utf8"),
  ]);
  const modules = [...scripts].map(([name, text]) => [name, assetOf(text, "javascript")] as const);
  const assets = new Map([...modules, [STYLE, assetOf(style, "css")] as const]);
  const tags = [...assets].map(([name, { integrity }]) => tagOf(name, integrity));
  return { html: page.replace("<!-- loaded -->", tags.join("\n    ")), assets };
}

/** A module is preloaded with its digest, and what imports it gets what was loaded. */
function tagOf(name: string, integrity: string): string {
  const place = `"${ASSETS_PATH}/${name}" integrity="${integrity}"`;
  if (name === STYLE) return `<link rel="stylesheet" href=${place} />`;
  if (name === ENTRY) return `<script type="module" src=${place}></script>`;
  return `<link rel="modulepreload" href=${place} />`;
}

function assetOf(text: string, kind: "javascript" | "css"): VerifyAsset {
  const plain = Buffer.from(text);
  const digest = createHash("sha384").update(plain).digest("base64");
  return {
    contentType: `text/${kind}; charset=utf-8`,
    etag: `"${digest.slice(0, 24)}"`,
    integrity: `sha384-${digest}`,
    plain,
  };
}
