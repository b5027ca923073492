/**
 * The site holds together: every page is reached by links from the home page, and every link of
 * every page leads to something that is served, also to the right place on it.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { ERROR_CODES, helpPath } from "../../src/kit/error-catalogue/catalogue.ts";
import { chapterPath, GUIDES, markdownPath, TRY_PATH } from "../../src/site/guides.ts";
import { slugOf } from "../../src/site/reference/openapi-reader.ts";
import { READING_ORDER } from "../../src/site/reference/reading-order.ts";
import { freePort } from "../../testkit/free-port.ts";
import { ask } from "../../testkit/raw-http.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService({ settings: { PORT: String(await freePort()) } });
after(() => service.stop());
const { publicUrl } = service.ctx.config.http;

/** What is read for further links: the site itself, not the console and what else has sign-ins. */
const WALKED = /^\/(?:$|docs(?:$|[/?])|collections\/$)/;
const SEARCHED = ["/docs/search", "/docs/search?q=refund", "/docs/welcome"];

interface Visited {
  readonly status: number;
  readonly type: string;
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
  /** Of link previews, if it is a page. */
  readonly picture: string | undefined;
}

async function visit(path: string): Promise<Visited> {
  const { status, text, headers } = await service.request(path);
  const type = headers.get("content-type") ?? "";
  const isPage = type.startsWith("text/html");
  const found = (pattern: RegExp) =>
    isPage ? [...text.matchAll(pattern)].map(([, value = ""]) => value) : [];
  const links = [...found(/\shref="([^"]+)"/g), ...found(/\ssrc="([^"]+)"/g)];
  const [picture] = found(/<meta property="og:image" content="([^"]*)">/g);
  return { status, type, picture, ids: new Set(found(/\sid="([^"]+)"/g)), links };
}

/** Every address of this service that a page leads to, by the page. */
async function walk(): Promise<{ visited: Map<string, Visited>; from: Map<string, string> }> {
  const visited = new Map<string, Visited>();
  const from = new Map<string, string>();
  const waiting = ["/", ...SEARCHED];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (visited.has(path)) continue;
    const page = await visit(path);
    visited.set(path, page);
    for (const link of page.links) {
      const url = new URL(link.replaceAll("&amp;", "&"), new URL(path, publicUrl));
      if (url.origin !== new URL(publicUrl).origin) continue;
      const target = url.pathname + url.search;
      from.set(target + url.hash, path);
      if (!WALKED.test(path) || visited.has(target)) continue;
      waiting.push(target);
    }
  }
  return { visited, from };
}

const { visited, from } = await walk();

describe("the site", () => {
  test("has no link that leads nowhere, nor to a place that a page does not have", () => {
    const broken: string[] = [];
    for (const [link, source] of from) {
      const [target = "", place] = link.split("#");
      const page = visited.get(target);
      if (page === undefined) continue; // led to by a page that is not walked
      const isPlace =
        place === undefined || place === "" || page.ids.has(decodeURIComponent(place));
      if (![200, 303].includes(page.status) || !isPlace) broken.push(`${source} → ${link}`);
    }
    assert.deepEqual(broken, []);
    assert(visited.size > 150, `${visited.size} pages were walked`);
  });

  test("leads to every guide, every error and every chapter of the reference", () => {
    for (const { path } of GUIDES) assert(visited.has(path), path);
    for (const code of ERROR_CODES) assert(visited.has(helpPath(code)), code);
    const chapters = [...visited.keys()].filter((path) => path.startsWith("/docs/reference/"));
    assert(chapters.length >= 14);
  });

  test("shows the requests of a chapter in the order in which a newcomer needs them", async () => {
    for (const [name, calls] of Object.entries(READING_ORDER)) {
      const { text } = await service.request(chapterPath({ slug: slugOf(name) }));
      const shown = [...text.matchAll(/<span class="method [^>]+>(\w+)<\/span>\s*<code>([^<]+)</g)];
      const first = shown.slice(0, calls.length).map(([, method, path]) => `${method} ${path}`);
      assert.deepEqual(first, calls, name);
    }
  });

  test("names the picture of link previews by its whole address on every page", () => {
    // The page to try requests on is a document of its own, without previews.
    const isWrong = ([path, { status, type, picture }]: [string, Visited]) =>
      WALKED.test(path) &&
      path !== TRY_PATH &&
      status === 200 &&
      type.startsWith("text/html") &&
      picture !== `${publicUrl}/social-card.png`;
    const wrong = [...visited].filter(isWrong).map(([path, { picture }]) => [path, picture]);
    assert.deepEqual(wrong, []);
  });

  test("names every page once: each has a title of its own", async () => {
    const titles = new Map<string, string>();
    for (const path of ["/", "/docs", "/docs/reference", ...GUIDES.map((guide) => guide.path)]) {
      const { text } = await service.request(path);
      const [, title = ""] = /<title>([^<]+)<\/title>/.exec(text) ?? [];
      assert(title !== "" && !titles.has(title), `${path} is called ${title}`);
      titles.set(title, path);
      assert.match(text, /<meta name="description" content="[^"]{20,}">/);
    }
  });
});

describe("below /docs", () => {
  const NAVIGATING = ["Accept: text/html", "Sec-Fetch-Mode: navigate"];

  test("a page that does not exist has the site around it, and the nearest pages", async () => {
    for (const path of ["/docs/payment-guide", "/docs/a/payment", "/docs/reference/payment"]) {
      const { status, body: text } = await ask(service.url, { target: path, lines: NAVIGATING });
      assert.equal(status, 404, path);
      assert(text.includes('<nav class="pages site-nav"'), path);
      assert(text.includes('role="search"'), path);
      const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? [];
      assert(main.includes('href="/docs/links"'), path);
    }
    const { status, body } = await service.request("/docs/payment-guide");
    assert.deepEqual([status, body], [404, { message: "Not Found" }]);
  });

  test("the name of a guide's file leads to the guide, and to its Markdown", async () => {
    for (const guide of GUIDES.filter(({ file }) => file.startsWith("docs/"))) {
      const name = guide.file.replace(/\.md$/, "");
      for (const [asked, meant] of [
        [`/${name}`, guide.path],
        [`/${name}.md`, markdownPath(guide)],
      ] as const) {
        if (asked === meant) continue;
        const answer = await fetch(service.url + asked, { redirect: "manual" });
        assert.deepEqual([answer.status, answer.headers.get("location")], [301, meant], asked);
      }
    }
  });
});

describe("files at fixed places", () => {
  const TYPES = {
    "/favicon.svg": "image/svg+xml",
    "/favicon.ico": "image/x-icon",
    "/apple-touch-icon.png": "image/png",
    "/social-card.png": "image/png",
    "/robots.txt": "text/plain; charset=utf-8",
    "/llms.txt": "text/plain; charset=utf-8",
  };
  for (const [path, type] of Object.entries(TYPES))
    test(`${path} has its type and may be kept`, async () => {
      const { status, headers } = await service.request(path);
      assert.deepEqual([status, headers.get("content-type")], [200, type]);
      assert.match(headers.get("cache-control") ?? "", /^public, max-age=\d+/);
      const known = { headers: { "if-none-match": headers.get("etag") ?? "" } };
      assert.equal((await service.request(path, known)).status, 304);
    });

  test("the picture of link previews is as large as they want it, and pages name it", async () => {
    const answer = await fetch(`${service.url}/social-card.png`);
    const picture = Buffer.from(await answer.arrayBuffer());
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1200, 630]);
    const { text } = await service.request("/docs/start");
    assert(text.includes(`<meta property="og:image" content="${publicUrl}/social-card.png">`));
  });

  test("llms.txt has every guide with a line, and leads to its Markdown", async () => {
    const { text } = await service.request("/llms.txt");
    for (const guide of GUIDES) {
      const path = markdownPath(guide);
      assert(text.includes(`- [${guide.title}](${publicUrl}${path}): ${guide.about}`), guide.title);
      const markdown = await service.request(path);
      assert.equal(markdown.headers.get("content-type"), "text/markdown; charset=utf-8");
      assert.match(markdown.text, /^# /);
      assert(!markdown.text.includes("localhost:3000"), path);
    }
  });

  test("a guide at another address than the usual tells the tool so, once", async () => {
    const line = `export WINDWARD_URL=${publicUrl}\n`;
    for (const path of ["/docs/tool", "/docs/exam", "/docs/start", "/docs/verify"]) {
      const { text } = await service.request(`${path}.md`);
      assert.equal(text.split(line).length, 2, path);
      assert(text.indexOf(line) < text.indexOf("\nnpx windward "), path);
    }
    const { text } = await service.request("/docs/checkout.md");
    assert(!text.includes("WINDWARD_URL"));
  });

  test("robots.txt keeps search engines to the public pages", async () => {
    const { text } = await service.request("/robots.txt");
    assert.match(text, /^User-agent: \*\n(Disallow: \/[a-z-]+\/?\n)+$/);
    for (const path of ["/console", "/checkout/", "/dev/"])
      assert(text.includes(`Disallow: ${path}\n`));
    assert(!text.includes("Disallow: /docs"));
  });
});
