/**
 * Every page of the console is for those whose role has it, and for nobody else (Decision 0084):
 * the table is made from the routes themselves, so a new page is in it by existing. A
 * caller who is refused leaves nothing changed.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { consoleRoutes } from "../../src/console/routes.ts";
import { mayDo, ROLES } from "../../src/kit/roles.ts";
import { makeMember, openTab, signInTo, type Tab } from "../../testkit/console.ts";
import { rowCounts } from "../../testkit/row-counts.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

/** A main merchant, which has every page. */
const shop = await service.world.mainMerchant();
const other = await service.world.merchant();
/** Of no record: the guard decides before anything is looked for. */
const PARAM = "00000000-0000-4000-8000-000000000000";
/** Ends the session it is sent with. */
const ENDS = "/console/sign-out";
/** A stream, which lasts a minute: `live.test.ts` reads it. */
const STREAM = "/console/live";

const pathOf = (path: string) => path.replace(/\{\w+\}/g, PARAM);
const isRefused = (status: number) => status === 404 || status === 403;

/** Sent as by a page of ours, so that the role decides and not the form. */
function send(tab: Tab, { method, path }: { method: "GET" | "POST"; path: string }) {
  return method === "GET" ? tab.get(path) : tab.post(path, {}, { from: "/console/me" });
}

for (const role of ROLES)
  describe(`as ${role}`, () => {
    let tab: Tab;
    before(async () => {
      const { email } = await makeMember(service, shop.accountNumber, role);
      tab = await signInTo(service, { email });
    });
    const reachable = consoleRoutes.filter(({ path }) => path !== ENDS);
    test("pages of the role open, all others are not there", async () => {
      for (const { method, path, right } of reachable) {
        if (mayDo(role, right)) continue;
        const earlier = await rowCounts(service.ctx.db);
        const answer = await send(tab, { method, path: pathOf(path) });
        assert.equal(answer.status, 404, `${role}: ${method} ${path}`);
        assert.deepEqual(await rowCounts(service.ctx.db), earlier, `${method} ${path}`);
      }
    });
    test("pages of the role are no error", async () => {
      for (const { method, path, right } of reachable) {
        if (method !== "GET" || path === STREAM || !mayDo(role, right)) continue;
        const { status } = await send(tab, { method, path: pathOf(path) });
        const isThere = status === 200 || status === 204 || status === 303;
        assert.ok(isThere || path.includes("{"), `${role}: GET ${path} → ${status}`);
        assert.ok(status < 500, `${role}: GET ${path} → ${status}`);
      }
    });
  });

test("without a session every page leads to the sign-in, and no post does anything", async () => {
  const tab = openTab(service);
  const earlier = await rowCounts(service.ctx.db);
  for (const { method, path } of consoleRoutes) {
    const answer = await service.request(pathOf(path), {
      method,
      headers: { origin: service.url, cookie: tab.cookie },
      ...(method === "POST" ? { form: { csrf_token: "x" } } : {}),
    });
    const isRefusedHere = answer.status === 303 || answer.status === 204 || answer.status === 401;
    assert.ok(isRefusedHere, `${method} ${path} → ${answer.status}`);
    if (answer.status === 303) assert.match(answer.headers.get("location") ?? "", /^\/sign-in/);
  }
  assert.deepEqual(await rowCounts(service.ctx.db), earlier);
});

test("posts from elsewhere are refused on every route, whatever the role", async () => {
  const tab = await signInTo(service, shop);
  const earlier = await rowCounts(service.ctx.db);
  for (const { method, path, needsProof } of consoleRoutes) {
    if (method !== "POST") continue;
    const answer = await service.request(pathOf(path), {
      method,
      form: { csrf_token: "x" },
      headers: { origin: "https://evil.example", cookie: tab.cookie },
    });
    assert.ok(isRefused(answer.status), `POST ${path} → ${answer.status}, ${needsProof}`);
  }
  assert.deepEqual(await rowCounts(service.ctx.db), earlier);
});

test("a stale proof is asked for again where one is needed, and nothing happens", async () => {
  const tab = await signInTo(service, other);
  await service.clock.advance({ minutes: 6 });
  await tab.get("/console/me");
  const earlier = await rowCounts(service.ctx.db);
  for (const { method, path, needsProof } of consoleRoutes) {
    if (!needsProof) continue;
    const answer = await send(tab, { method, path: pathOf(path) });
    assert.equal(answer.status, 303, `${method} ${path}`);
    assert.match(answer.headers.get("location") ?? "", /^\/console\/prove/, `${method} ${path}`);
  }
  assert.deepEqual(await rowCounts(service.ctx.db), earlier);
});
