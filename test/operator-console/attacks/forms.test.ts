/**
 * Only a page of the same session makes `/operator` do something: no form of another site, no token
 * of another session or of the merchants' console, no request that carries no form, and no form
 * that was done already.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operatorRoutes } from "../../../src/operator-console/routes.ts";
import { hiddenOf, openTab, signInTo, type Tab } from "../../../testkit/console.ts";
import { act, makeOperator, saidAfter, signInOperator } from "../../../testkit/operator-console.ts";
import { multipart } from "../../../testkit/pictures.ts";
import { tableDigests } from "../../../testkit/row-counts.ts";
import { type RequestOptions, startService } from "../../../testkit/service.ts";
import { openFullConsole } from "./full-console.ts";

const service = await startService();
after(() => service.stop());

const { tab, shop, pathWith } = await openFullConsole(service);
const posts = operatorRoutes
  .filter(({ method }) => method === "POST")
  .map(({ path }) => pathWith(path));
const FREEZE = "/operator/actions/freeze-account";
let own: Record<string, string>;
before(async () => {
  const page = await tab.get(`${FREEZE}?account_number=${shop.owner.accountNumber}`);
  const { accountNumber: account_number } = shop.owner;
  own = { ...hiddenOf(page), account_number, why: "x" };
});

type Sent = Pick<RequestOptions, "form" | "json" | "raw" | "headers">;

const post = (path: string, { headers = {}, ...sent }: Sent, who: Tab = tab) =>
  service.request(path, {
    method: "POST",
    ...sent,
    headers: { cookie: who.cookie, origin: service.url, ...headers },
  });

async function expectNothing(work: () => Promise<void>): Promise<void> {
  const earlier = await tableDigests(service.ctx.db);
  await work();
  assert.deepEqual(await tableDigests(service.ctx.db), earlier);
}

const isUpload = (path: string) => path.includes("/uploads/");
/** As the form of that page is sent. */
const asForm = (path: string, form: Record<string, string>): Sent =>
  isUpload(path)
    ? {
        raw: multipart(
          Object.entries(form).map(([name, content]) => ({ name, content, fileName: null })),
        ),
      }
    : { form };

function expectRefused(form: Record<string, string>, headers?: Record<string, string>) {
  assert.ok(posts.length > 10);
  return expectNothing(async () => {
    for (const path of posts) {
      const { status } = await post(path, { ...asForm(path, form), ...(headers && { headers }) });
      assert.equal(status, 403, path);
    }
  });
}

describe("a form is refused, whatever it is for", () => {
  test("with no token, an empty one, half of one, or another", async () => {
    const { csrf_token = "" } = own;
    const tokens = ["", csrf_token.slice(0, 20), `A${csrf_token.slice(1)}`];
    for (const token of tokens) await expectRefused({ ...own, csrf_token: token });
    const { csrf_token: _, ...none } = own;
    await expectRefused(none);
  });

  test("with the token of another session, of the same person even", async () => {
    for (const who of [await makeOperator(service), await makeOperator(service, "support")]) {
      const other = hiddenOf(await (await signInOperator(service, who)).get("/operator/me"));
      assert.notEqual(other.csrf_token, "");
      await expectRefused({ ...own, ...other });
    }
  });

  test("with a token of the merchants' console, or of a page that needs no session", async () => {
    const merchants = await signInTo(service, shop.members.viewer);
    const pages = [
      await merchants.get("/console/me"),
      await openTab(service).get("/operator/sign-in"),
      await openTab(service).get("/sign-in"),
    ];
    for (const page of pages) {
      assert.notEqual(hiddenOf(page).csrf_token, "");
      await expectRefused({ ...own, ...hiddenOf(page) });
    }
  });

  for (const origin of [
    "https://evil.example",
    "null",
    "",
    `${service.url}.evil.example`,
    `${service.url}@evil.example`,
    service.url.replace("http:", "https:"),
    service.url.replace(/:\d+$/, ""),
  ])
    test(`from the origin "${origin}"`, () => expectRefused(own, { origin }));

  for (const site of ["cross-site", "same-site", "none", "unheard-of"])
    test(`when the browser says it began ${site}`, () =>
      expectRefused(own, { "sec-fetch-site": site }));
});

test("without an Origin nothing happens, as in browsers that tell none", () =>
  expectNothing(async () => {
    for (const path of posts) {
      const headers = { cookie: tab.cookie };
      const answer = await service.request(path, { method: "POST", ...asForm(path, own), headers });
      assert.equal(answer.status, 403, path);
    }
  }));

test("a body that another site can send without asking is no form of ours", () =>
  expectNothing(async () => {
    const text = new URLSearchParams(own).toString();
    for (const path of posts)
      for (const type of ["text/plain", "application/octet-stream", "application/json"]) {
        const { status } = await post(path, { raw: { type, body: text } });
        assert.ok([400, 403, 415].includes(status), `${path} as ${type} → ${status}`);
      }
  }));

test("no other method does what a post does", () =>
  expectNothing(async () => {
    const headers = { cookie: tab.cookie, origin: service.url };
    for (const path of posts)
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const { status } = await service.request(path, { method, form: own, headers });
        assert.ok([404, 405].includes(status), `${method} ${path} → ${status}`);
      }
    const read = await service.request(`${FREEZE}?${new URLSearchParams(own)}&_method=POST`, {
      headers: { cookie: tab.cookie, "x-http-method-override": "POST" },
    });
    assert.equal(read.status, 200);
  }));

test("a read with a reason in its address does nothing and fills in no reason", () =>
  expectNothing(async () => {
    const { text } = await tab.get(
      `${FREEZE}?${new URLSearchParams({ ...own, why: "typed-by-x" })}`,
    );
    assert.doesNotMatch(text, /typed-by-x/);
  }));

test("scripts of other sites are told nothing and allowed nothing", async () => {
  for (const path of ["/operator", "/operator/sign-in", FREEZE]) {
    const origin = "https://evil.example";
    const asked = await service.request(path, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    const read = await service.request(path, { headers: { cookie: tab.cookie, origin } });
    for (const { headers } of [asked, read])
      for (const name of ["access-control-allow-origin", "access-control-allow-credentials"])
        assert.equal(headers.get(name), null, `${path} ${name}`);
  }
});

test("the form of an old tab, done already, is not done again", async () => {
  const { accountNumber: account_number } = shop.owner;
  const first = await act(tab, "freeze-account", { account_number });
  assert.match(await saidAfter(tab, first), /is frozen/);
  const key = new URL(first.headers.get("location") ?? "", service.url).searchParams.get("said");
  await saidAfter(tab, await act(tab, "unfreeze-account", { account_number }));
  await expectNothing(async () => {
    const again = await post(FREEZE, { form: { ...own, form_key: key ?? "" } });
    assert.equal(again.headers.get("location"), first.headers.get("location"));
  });
  const { form_key: _, ...keyless } = own;
  await expectNothing(async () => {
    for (const form of [keyless, { ...keyless, form_key: "x" }])
      assert.equal((await post(FREEZE, { form })).status, 403);
  });
});
