/** The pages about errors: one for every code, made from the catalogue and the routes. */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { appRoutes } from "../../src/app.ts";
import type { Route } from "../../src/infra/http/route.ts";
import { CATALOGUE, ERROR_CODES, helpPath } from "../../src/kit/error-catalogue/catalogue.ts";
import { html } from "../../src/kit/html.ts";
import { atOnce } from "../../src/kit/in-slices.ts";
import { routesByCode } from "../../src/site/error-pages.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const routes = appRoutes(service.ctx).filter((route) => !route.isHidden);
const byCode = atOnce(routesByCode(routes as readonly Route<never>[]));

describe("the page about", () => {
  for (const code of ERROR_CODES)
    test(code, async () => {
      const { status, text, headers } = await service.request(helpPath(code));
      assert.equal(status, 200);
      assert.match(headers.get("content-type") ?? "", /^text\/html/);
      assert.match(headers.get("cache-control") ?? "", /^public, max-age=/);
      const { title, statement, hint, origin } = CATALOGUE[code];
      for (const words of [title, statement, hint, code])
        assert(text.replace(/<\/?a\b[^>]*>/g, "").includes(html`${words}`.toString()));
      if (origin === undefined)
        for (const route of byCode.get(code) ?? [])
          assert(text.includes(html`${route}`.toString()), route);
    });
});

test("a page of ours that a hint names is a link, and the path of a request is none", async () => {
  const mismatch = await service.request(helpPath("signature_mismatch"));
  assert(mismatch.text.includes('<a href="/verify#request">/verify#request</a>'));
  const required = await service.request(helpPath("signature_required"));
  assert(required.text.includes('<a href="/docs/verify">/docs/verify</a>'));
  assert(CATALOGUE.card_not_verified.hint.includes("/trusted-cards/{uuid}/verify"));
  const card = await service.request(helpPath("card_not_verified"));
  assert(!card.text.includes(">/verify</a>"));
});

test("every code is met on a route, or says where else", () => {
  for (const code of ERROR_CODES) {
    const { origin } = CATALOGUE[code];
    assert.equal(byCode.has(code), origin === undefined, code);
  }
});

test("the index lists every code, and each page leads back to it", async () => {
  const { text } = await service.request("/docs/errors");
  for (const code of ERROR_CODES) assert(text.includes(`href="/docs/errors/${code}"`), code);
  const page = await service.request(helpPath("not_found"));
  assert(page.text.includes('href="/docs/errors"'));
});

test("a page that is known is not sent again, and one of no code is 404", async () => {
  const { headers } = await service.request(helpPath("not_found"));
  const etag = headers.get("etag") ?? "";
  const known = { headers: { "if-none-match": etag } };
  assert.equal((await service.request(helpPath("not_found"), known)).status, 304);
  for (const code of ["nothing", "toString", "__proto__", "NOT_FOUND"])
    assert.equal((await service.request(`/docs/errors/${code}`)).status, 404);
});

test("an unknown code is a page with a link to all errors in a browser, JSON elsewhere", async () => {
  const browser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
  const page = await service.request("/docs/errors/nope", browser);
  assert.equal(page.status, 404);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.equal(page.headers.get("x-svc-error"), "not_found");
  assert(page.text.includes('href="/docs/errors"'));
  const { publicUrl } = service.ctx.config.http;
  assert(page.text.includes(`"og:image" content="${publicUrl}/`));
  const plain = await service.request("/docs/errors/nope");
  assert.deepEqual([plain.status, plain.body], [404, { message: "Not Found" }]);
});

test("the document lists the codes that can be sent", async () => {
  const { body } = await service.request("/openapi.json");
  assert.deepEqual(body.components.schemas.ErrorCode.enum, ERROR_CODES);
});
