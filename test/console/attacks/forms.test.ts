/**
 * Only a page of the same session makes the console do something (Decision 0085): no form of
 * another site, no token of another session, no request that carries no form.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { consoleRoutes } from "../../../src/console/routes.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { hiddenOf, openTab, signInTo, type Tab } from "../../../testkit/console.ts";
import { openFullShop, pathWith } from "../../../testkit/full-shop.ts";
import { multipart } from "../../../testkit/pictures.ts";
import { tableDigests } from "../../../testkit/row-counts.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const shop = await openFullShop(service);
const posts = consoleRoutes
  .filter(({ method }) => method === "POST")
  .map(({ path }) => pathWith(shop, path));

/** For what differs in the request alone: the guard of all is one. */
const some = posts.filter((path) => /refund$|\/new$|payees$|local$|\/close$|\/name$/.test(path));

let tab: Tab;
let own: Record<string, string>;
before(async () => {
  tab = await signInTo(service, shop.owner);
  own = hiddenOf(await tab.get("/console/developers/keys/new"));
});

type Sent = Pick<RequestOptions, "form" | "json" | "raw" | "headers">;

function post(path: string, { headers = {}, ...sent }: Sent): Promise<TestAnswer> {
  return service.request(path, {
    method: "POST",
    ...sent,
    headers: { cookie: tab.cookie, origin: service.url, ...headers },
  });
}

async function expectNothing(work: () => Promise<void>): Promise<void> {
  const earlier = await tableDigests(service.ctx.db);
  await work();
  assert.deepEqual(await tableDigests(service.ctx.db), earlier);
}

/** Sent so by the owner's browser, with the owner's cookie. */
function expectRefused(sent: Sent, paths = some): Promise<void> {
  assert.ok(paths.length > 6);
  return expectNothing(async () => {
    for (const path of paths) assert.equal((await post(path, sent)).status, 403, path);
  });
}

describe("a form is refused, whatever it is for", () => {
  test("with no token, an empty one, half of one, or one and more", async () => {
    const { csrf_token = "" } = own;
    await expectRefused({ form: {} }, posts);
    for (const form of [
      { csrf_token: "" },
      { csrf_token: csrf_token.slice(0, 20) },
      { csrf_token: `A${csrf_token.slice(1)}` },
    ])
      await expectRefused({ form: { ...own, ...form } });
  });

  test("with the token of another session, of the same person even", async () => {
    for (const who of [shop.owner, await service.world.mainMerchant()]) {
      const other = hiddenOf(await (await signInTo(service, who)).get("/console/me"));
      await expectRefused({ form: { ...own, ...other } });
    }
  });

  test("with a token of a page that needs no session", async () => {
    for (const page of ["/sign-in", "/forgot"]) {
      const open = hiddenOf(await openTab(service).get(page));
      assert.notEqual(open.csrf_token, "");
      await expectRefused({ form: { ...own, ...open } });
    }
  });

  test("from the page of another site", () =>
    expectRefused({ form: own, headers: { origin: "https://evil.example" } }, posts));

  for (const origin of [
    "null",
    "",
    `${service.url}.evil.example`,
    `${service.url}@evil.example`,
    service.url.replace("http:", "https:"),
    service.url.replace(/:\d+$/, ""),
  ])
    test(`from the origin "${origin}"`, () => expectRefused({ form: own, headers: { origin } }));

  for (const site of ["cross-site", "same-site", "none", "unheard-of"])
    test(`when the browser says it began ${site}`, () =>
      expectRefused({ form: own, headers: { "sec-fetch-site": site } }));
});

test("without an Origin nothing happens, as in browsers that tell none", async () => {
  await expectNothing(async () => {
    for (const path of posts) {
      const answer = await service.request(path, {
        method: "POST",
        form: own,
        headers: { cookie: tab.cookie },
      });
      assert.equal(answer.status, 403, path);
    }
  });
});

test("a body that a form of another site can send without asking is no form of ours", () =>
  expectNothing(async () => {
    const text = new URLSearchParams(own).toString();
    const types = ["text/plain", "text/plain;charset=UTF-8", "application/octet-stream"];
    for (const path of some) {
      for (const type of types) {
        const { status } = await post(path, { raw: { type, body: text } });
        assert.ok([403, 415].includes(status), `${path} as ${type} → ${status}`);
      }
      const nested = { raw: { type: "text/plain", body: JSON.stringify(own) } };
      assert.ok([403, 415].includes((await post(path, nested)).status), path);
    }
  }));

test("JSON and multipart without the token are refused like a form", () =>
  expectNothing(async () => {
    const parts = multipart([{ name: "csrf_token", content: "x", fileName: null }]);
    for (const path of posts) {
      assert.equal((await post(path, { json: { ...own, csrf_token: "x" } })).status, 403, path);
      const { status } = await post(path, { raw: parts });
      assert.ok([403, 415].includes(status), `${path} → ${status}`);
    }
  }));

test("no other method does what a post does", () =>
  expectNothing(async () => {
    const query = new URLSearchParams(own);
    const reads = new Set(
      consoleRoutes
        .filter(({ method }) => method === "GET")
        .map(({ path }) => pathWith(shop, path)),
    );
    const headers = { cookie: tab.cookie, origin: service.url };
    for (const path of posts) {
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const { status } = await service.request(path, { method, form: own, headers });
        assert.ok([404, 405].includes(status), `${method} ${path} → ${status}`);
      }
      if (reads.has(path)) continue;
      const got = await service.request(`${path}?${query}`, { headers });
      assert.ok([404, 405].includes(got.status), `GET ${path} → ${got.status}`);
    }
  }));

test("a method told in a header or a field changes nothing about a read", () =>
  expectNothing(async () => {
    const read = await service.request(`/console/me?_method=POST&${new URLSearchParams(own)}`, {
      headers: { cookie: tab.cookie, "x-http-method-override": "POST" },
    });
    assert.equal(read.status, 200);
  }));

test("scripts of other sites are told nothing and allowed nothing", async () => {
  for (const path of ["/console", "/sign-in", "/console/me"]) {
    const asked = await service.request(path, {
      method: "OPTIONS",
      headers: {
        origin: "https://evil.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    const read = await service.request(path, {
      headers: { cookie: tab.cookie, origin: "https://evil.example" },
    });
    for (const { headers } of [asked, read])
      for (const name of ["access-control-allow-origin", "access-control-allow-credentials"])
        assert.equal(headers.get(name), null, `${path} ${name}`);
  }
});

describe("a form of an old tab does nothing of the account's", () => {
  const bound = consoleRoutes
    .filter(({ method, right }) => method === "POST" && right !== "self")
    .map(({ path }) => pathWith(shop, path));

  async function expectStale(old: Record<string, string>): Promise<void> {
    assert.ok(bound.length > 25);
    await expectNothing(async () => {
      for (const path of bound) assert.equal((await post(path, { form: old })).status, 409, path);
    });
  }

  test("once the session is in the other environment", async () => {
    const old = hiddenOf(await tab.get("/console/developers/keys/new"));
    await tab.post("/console/environment", { environment: "live" });
    await expectStale(old);
    await tab.post("/console/environment", { environment: "sandbox" });
  });

  test("once it acts for another account, which has the same records to offer", async () => {
    const other = await service.world.mainMerchant();
    await service.ctx.db.run(sql`
      insert into members (account_number, person_id, role)
      select ${other.accountNumber}, person_id, 'owner' from persons
      where holder_of = ${shop.owner.accountNumber}`);
    const old = hiddenOf(await tab.get("/console/developers/keys/new"));
    await tab.post("/console/account", { account_number: other.accountNumber });
    await expectStale(old);
    // Whatever the form names, the account is the session's.
    const fresh = hiddenOf(await tab.get("/console/developers/keys/new"));
    const named = { account_number: shop.owner.accountNumber, environment: "live" };
    const made = await post("/console/developers/keys/new", {
      form: { ...fresh, ...named, name: "named", "svc-user-retrieve": "yes" },
    });
    assert.equal(made.status, 200, made.text);
    const [key] = await service.ctx.db.rows<{ account_number: string; environment: string }>(sql`
      select account_number, environment from api_keys where name = 'named'`);
    assert.deepEqual({ ...key }, { account_number: other.accountNumber, environment: "sandbox" });
    await tab.post("/console/account", { account_number: shop.owner.accountNumber });
  });
});

test("nobody is signed in as somebody else by a form of another site", async () => {
  const form = { ...hiddenOf(await openTab(service).get("/sign-in")), email: shop.owner.email };
  const sent = { ...form, password: shop.owner.password };
  for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }, {}] as const) {
    const answer = await service.request("/sign-in", { method: "POST", form: sent, headers });
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.headers.getSetCookie(), []);
  }
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from console_guesses`);
  assert.equal(count, 0, "and no guess is counted for it");
});

test("the same form from our own page is taken", async () => {
  const answer = await post("/console/me/name", { form: { ...own, name: "Ann Own" } });
  assert.equal(answer.headers.get("location"), "/console/me?done=saved");
});
