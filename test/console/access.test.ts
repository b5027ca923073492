/**
 * Every page of the console is for those whose role has it, and for nobody else (Decision 0084).
 * The table is written out (`testkit/console-access.ts`) and must name every route, so a new page
 * is in it or fails here. A refusal leaves nothing changed: every row of every table is
 * compared.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { consoleRoutes } from "../../src/console/routes.ts";
import { sql } from "../../src/infra/db/query.ts";
import { ROLES, type Role } from "../../src/kit/roles.ts";
import { hiddenOf, openTab, signInTo, type Tab } from "../../testkit/console.ts";
import { CONSOLE_ACCESS } from "../../testkit/console-access.ts";
import { openFullShop, pathWith } from "../../testkit/full-shop.ts";
import { tableDigests } from "../../testkit/row-counts.ts";
import { startService, type TestAnswer } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

/** A main merchant, which has every page, with a record for each. */
const shop = await openFullShop(service);
const other = await openFullShop(service);

/** A stream, which lasts a minute: `live.test.ts` reads it. */
const STREAM = "/console/live";
/** What is a person's own: no other member of the account finds it. */
const OWN = /\{(session_id|passkey_id|list_id)\}/;

const routes = consoleRoutes.map(({ method, path }) => {
  const access = CONSOLE_ACCESS.get(`${method} ${path}`);
  assert(access !== undefined, `${method} ${path} is in no table`);
  return { method, path, name: `${method} ${path}`, place: pathWith(shop, path), ...access };
});
type TableRow = (typeof routes)[number];

/** The holder is an owner without a second factor. */
const whoIs = (role: Role) => (role === "owner" ? shop.owner : shop.members[role]);

async function expectNothingChanged(work: () => Promise<void>): Promise<void> {
  const earlier = await tableDigests(service.ctx.db);
  await work();
  assert.deepEqual(await tableDigests(service.ctx.db), earlier);
}

/** Sent as by a page of ours, so that the role decides and not the form. */
async function sender(tab: Tab, page = "/console/me") {
  const { csrf_token = "", ...hidden } = hiddenOf(await tab.get(page));
  return ({ method, place }: Pick<TableRow, "method" | "place">, token = csrf_token) =>
    service.request(place, {
      method,
      headers: { origin: service.url, cookie: tab.cookie },
      ...(method === "POST" ? { form: { ...hidden, csrf_token: token } } : {}),
    });
}

const goesTo = ({ status, headers }: TestAnswer, start: string) =>
  status === 303 && (headers.get("location") ?? "").startsWith(start);

test("the table has every route and no other", () => {
  assert.equal(new Set(routes.map(({ name }) => name)).size, CONSOLE_ACCESS.size);
  for (const { method, path, needsProof } of consoleRoutes)
    assert.equal(needsProof, CONSOLE_ACCESS.get(`${method} ${path}`)?.needsProof, path);
});

for (const role of ROLES)
  describe(`as ${role}`, () => {
    let tab: Tab;
    let send: Awaited<ReturnType<typeof sender>>;
    const [own, beyond] = [true, false].map((mine) =>
      routes.filter(({ roles }) => roles.includes(role) === mine),
    ) as [TableRow[], TableRow[]];
    before(async () => {
      tab = await signInTo(service, whoIs(role));
      send = await sender(tab);
    });

    test("pages of the role open", async () => {
      for (const route of own) {
        if (route.method === "POST" || route.path === STREAM) continue;
        const { status } = await send(route);
        const expected = OWN.test(route.path) ? [404] : [200, 303];
        assert.ok(expected.includes(status), `${route.name} → ${status}`);
      }
    });

    test("all others are not there, and nothing changes", () =>
      expectNothingChanged(async () => {
        for (const route of beyond)
          assert.equal((await send(route)).status, 404, `${role}: ${route.name}`);
      }));

    test("a form of another page is refused before anything else is looked at", () =>
      expectNothingChanged(async () => {
        for (const route of own.filter(({ method }) => method === "POST"))
          assert.equal((await send(route, "x".repeat(43))).status, 403, route.name);
      }));

    test("with an old proof those that need one ask for it, and nothing changes", async () => {
      await service.ctx.db.run(sql`
        update console_sessions set proven_at = app_now() - interval '5 minutes 1 second'`);
      await expectNothingChanged(async () => {
        for (const route of own.filter(({ needsProof }) => needsProof))
          assert.ok(goesTo(await send(route), "/console/prove"), `${role}: ${route.name}`);
      });
    });
  });

const OUTSIDERS = {
  "another account's owner": () => signInTo(service, other.owner),
  "a member of both, for the other account": async () => {
    const { personId } = shop.members.finance;
    await service.ctx.db.run(sql`
      insert into members (account_number, person_id, role)
      values (${other.owner.accountNumber}, ${personId}, 'owner')`);
    const tab = await signInTo(service, shop.members.finance);
    await tab.post("/console/account", { account_number: other.owner.accountNumber });
    return tab;
  },
};

for (const [who, signIn] of Object.entries(OUTSIDERS))
  test(`${who} finds no record of this one, and changes none`, async () => {
    // From a page whose form works once, as some of these do.
    const send = await sender(await signIn(), "/console/developers/keys/new");
    // A number of this account's feed may be one of theirs: the page is then about their event.
    const records = routes.filter(({ path }) => /\{(?!sequence)/.test(path));
    assert.ok(records.length > 30);
    await expectNothingChanged(async () => {
      for (const route of records) assert.equal((await send(route)).status, 404, route.name);
    });
  });

for (const cookie of ["", "windward=", `windward=${"A".repeat(43)}`])
  test(`without a session (${cookie || "no cookie"}) every page leads to the sign-in`, () =>
    expectNothingChanged(async () => {
      const tab = openTab(service);
      const send = await sender(tab);
      tab.cookie = cookie;
      for (const route of routes) assert.ok(goesTo(await send(route, "x"), "/sign-in"), route.name);
    }));
