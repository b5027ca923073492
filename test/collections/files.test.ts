/**
 * What can be downloaded (Decision 0052): a page lists every file with version, date and size; each
 * file has every request of the interface that it can have, can be cached, and has the
 * form that its program reads.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { INTERFACE_VERSION } from "../../src/infra/http/serve/response-headers.ts";
import { readInterfaceHistory } from "../../src/site/collections/interface-history.ts";
import { PLAN } from "../../src/site/collections/plan.ts";
import { startService } from "../../testkit/service.ts";
import { readHttpFile } from "./http-reader.ts";

const service = await startService();
after(() => service.stop());
const FILES = {
  "postman_collection.json": "application/json; charset=utf-8",
  "bruno.json": "application/json; charset=utf-8",
  http: "text/plain; charset=utf-8",
};
/** Of the document, but in no collection. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "GET /docs": "a page for people",
  "GET /docs/reference.js": "the script of that page",
  "GET /docs/errors": "a page for people",
  "GET /docs/errors/{code}": "a page for people",
  "GET /metrics": "for the operator of the service",
  "GET /sandbox/clock": "only the development stage has it",
  "POST /sandbox/clock": "it moves the time of every account",
  "GET /sandbox/snapshots": "only the development stage has them",
  "POST /sandbox/snapshots": "only the development stage has them",
  "POST /sandbox/snapshots/{name}/restore": "it takes back what everybody did",
  "DELETE /sandbox/snapshots/{name}": "only the development stage has them",
  "GET /collections/": "a page for people",
  "GET /collections/{file}": "these files themselves",
};
const fetched = (ending: string, version = "latest", headers = {}) =>
  service.request(`/collections/windward-${version}.${ending}`, { headers });

describe("the page", () => {
  test("lists each file by its version and as the latest, with its size", async () => {
    const page = await service.request("/collections/");
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
    const links = [...page.text.matchAll(/href="(\/collections\/[^"]+)"/g)].map(([, to]) => to);
    const names = Object.keys(FILES).flatMap((ending) => [
      `/collections/windward-2.0.5.${ending}`,
      `/collections/windward-latest.${ending}`,
    ]);
    assert.deepEqual(links, names);
    for (const ending of Object.keys(FILES)) {
      const size = Math.ceil(Buffer.byteLength((await fetched(ending)).text) / 1024);
      assert.match(page.text, new RegExp(`windward-2\\.0\\.5\\.${ending}</a>[^/]*${size} KB`));
    }
  });

  test("tells the version, its day and what changed", async () => {
    const { text, headers } = await service.request("/collections/");
    assert.match(text, /Version 2\.0\.5, <time datetime="2026-09-07">/);
    for (const { version, date } of readInterfaceHistory())
      assert(text.includes(version) && text.includes(date), version);
    assert.match(
      headers.get("content-security-policy") ?? "",
      /^default-src 'none'; script-src 's/,
    );
  });
});

describe("a file", () => {
  for (const [ending, type] of Object.entries(FILES))
    test(`for ${ending} is the same under both names, and 304 to who has it`, async () => {
      const [latest, versioned] = [await fetched(ending), await fetched(ending, "2.0.5")];
      assert.equal(latest.text, versioned.text);
      assert.equal(latest.headers.get("content-type"), type);
      const name = `attachment; filename="windward-2.0.5.${ending}"`;
      assert.equal(latest.headers.get("content-disposition"), name);
      const etag = latest.headers.get("etag") ?? "";
      for (const held of [etag, `W/${etag}`, `"x", ${etag}`]) {
        const again = await fetched(ending, "2.0.5", { "if-none-match": held });
        assert.deepEqual([again.status, again.text], [304, ""]);
      }
      assert.equal((await fetched(ending, "latest", { "if-none-match": '"x"' })).status, 200);
    });

  test("of another version or name is not there", async () => {
    for (const name of ["windward-1.0.5.http", "windward-latest", "..%2Fopenapi.json", "x"])
      assert.equal((await service.request(`/collections/${name}`)).status, 404);
  });
});

test("every request of the interface is in the plan, or left out with a reason", async () => {
  const { paths } = (await service.request("/openapi.json")).body;
  const documented = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods as Record<string, { deprecated?: boolean }>)
      .filter(([, operation]) => operation.deprecated !== true)
      .map(([method]) => `${method.toUpperCase()} ${at}`),
  );
  const steps = Object.values(PLAN)
    .flat()
    .filter(({ page }) => page === undefined);
  const planned = [...steps.map(({ calls }) => calls), ...Object.keys(LEFT_OUT)];
  assert.deepEqual([...new Set(planned)].sort(), documented.sort());
});

describe("in the form of", () => {
  test("Postman a request that needs no token sends none, and all others send it", async () => {
    const { item, auth } = (await fetched("postman_collection.json")).body;
    assert.deepEqual(auth.bearer[0].value, "{{token}}");
    const open = item.flatMap((folder: { item: { name: string; request: { auth?: object } }[] }) =>
      folder.item.filter(({ request }) => request.auth !== undefined).map(({ name }) => name),
    );
    assert(open.includes("List the currencies") && !open.includes("List transactions"));
  });

  test("Bruno each thing has what an import demands, and no two files one name", async () => {
    const made = (await fetched("bruno.json")).body;
    assert.deepEqual([made.version, made.brunoConfig.type], ["1", "collection"]);
    for (const [at, folder] of made.items.entries()) {
      assert.deepEqual([folder.type, folder.seq], ["folder", at + 1]);
      const names = folder.items.map(({ name }: { name: string }) => name.toLowerCase());
      assert.equal(new Set(names).size, names.length, folder.name);
      for (const [place, { type, seq, request }] of folder.items.entries()) {
        assert.deepEqual([type, seq], ["http-request", place + 1]);
        assert(["none", "json", "text", "formUrlEncoded"].includes(request.body.mode));
        assert(["none", "inherit"].includes(request.auth.mode));
        assert.match(request.url, /^\{\{(baseUrl|checkout_url|picture_url|logo_url)\}\}/);
        assert.match(request.assertions[0].value, /^eq [23]\d\d$/);
        if (request.body.mode === "json") JSON.parse(request.body.json);
      }
    }
  });

  test("an .http file every request can be read, and each variable has a value", async () => {
    const requests = readHttpFile((await fetched("http")).text);
    const postman = (await fetched("postman_collection.json")).text;
    const count = postman.match(/"method": /g)?.length ?? 0;
    assert.equal(requests.length, count - 6, "all but the six that a customer sends");
    for (const request of requests) {
      assert(request.expects >= 200 && request.expects < 300, request.title);
      assert.match(request.filledFrom(new Map()).url, /^(http:\/\/|undefined)/);
    }
  });
});

test("the history of the interface in the changelog is whole and ends with this version", () => {
  const history = readInterfaceHistory();
  assert.equal(history[0]?.version, INTERFACE_VERSION);
  assert.equal(history.at(-1)?.version, "1.0.0");
  assert.equal(history.length, 12);
  const dates = history.map(({ date }) => date);
  assert.deepEqual(dates, dates.toSorted().reverse());
});
