/**
 * Every page and action of `/operator` is for those whose role has it, and for nobody else
 * (Decision 0118); what the terminal can, a page can, unless it is named with a reason. A refusal
 * leaves nothing changed.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { OPERATOR_ROLES } from "../../src/kit/operator-roles.ts";
import { COMMANDS } from "../../src/modules/operator/commands.ts";
import { ACTION_WORDS, PAGE_NAMES } from "../../src/operator-console/actions/action-words.ts";
import { operatorRoutes } from "../../src/operator-console/routes.ts";
import { openTab, signInTo, type Tab } from "../../testkit/console.ts";
import {
  ACTION_ACCESS,
  NO_COMMAND,
  OPERATOR_ACCESS,
  READ_PAGES,
  TERMINAL_ONLY,
  TERMINAL_ONLY_READS,
} from "../../testkit/operator-access.ts";
import { makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { tableDigests } from "../../testkit/row-counts.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const UUID = "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d";
const VALUES: Readonly<Record<string, string>> = {
  command: "freeze-account",
  account: "9999999999",
  transaction_id: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD",
  batch: "TT-TTD-20261116-3F9A2C1B",
};
const placeOf = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    path.includes("/uploads/") ? "read-bank-status" : (VALUES[name] ?? UUID),
  );

const routes = operatorRoutes.map(({ method, path }) => ({
  method,
  path,
  name: `${method} ${path}`,
  place: placeOf(path),
}));
const ACTIONS = COMMANDS.filter(({ kind }) => kind === "action").map(({ name }) => name);
/** Their form takes a file. */
const UPLOADS = ["read-bank-status", "import-settlement"];
const formOf = (name: string) =>
  `/operator/${UPLOADS.includes(name) ? "uploads" : "actions"}/${name}`;

async function expectNothingChanged(work: () => Promise<void>): Promise<void> {
  const earlier = await tableDigests(service.ctx.db);
  await work();
  assert.deepEqual(await tableDigests(service.ctx.db), earlier);
}

const send = (tab: Tab, { method, place }: { method: string; place: string }, token = "") =>
  service.request(place, {
    method,
    headers: { origin: service.url, cookie: tab.cookie },
    ...(method === "POST" ? { form: { csrf_token: token } } : {}),
  });

test("the tables have every route and every action, and no other", () => {
  assert.deepEqual(
    routes.map(({ name }) => name).toSorted(),
    [...OPERATOR_ACCESS.keys()].toSorted(),
  );
  assert.deepEqual(ACTIONS.toSorted(), [...ACTION_ACCESS.keys(), ...TERMINAL_ONLY].toSorted());
});

test("every action of the terminal has a button, or a reason why it has none", () => {
  for (const command of COMMANDS) {
    if (command.kind !== "action") continue;
    const isTerminalOnly = typeof command.right !== "string";
    assert.equal(isTerminalOnly, TERMINAL_ONLY.includes(command.name), command.name);
    assert.equal(command.name in ACTION_WORDS, !isTerminalOnly, command.name);
  }
});

test("what the terminal shows a page shows, unless it has a reason not to", async () => {
  const reads = COMMANDS.filter(({ kind }) => kind === "read");
  const hidden = reads.filter(({ right }) => typeof right === "object").map(({ name }) => name);
  assert.deepEqual(hidden.toSorted(), TERMINAL_ONLY_READS.toSorted());
  const shown = reads.map(({ name }) => name).filter((name) => !hidden.includes(name));
  assert.deepEqual(shown.toSorted(), [...READ_PAGES.keys()].toSorted());
  assert.deepEqual(shown.toSorted(), Object.keys(PAGE_NAMES).toSorted());
  for (const path of READ_PAGES.values())
    assert.ok(OPERATOR_ACCESS.has(`GET ${path}`), `${path} is no page`);
});

test("what a page does the terminal does, but for one's own sign-in", () => {
  const names = new Set(COMMANDS.map(({ name }) => name));
  for (const name of Object.keys(ACTION_WORDS)) assert.ok(names.has(name), name);
  const posts = routes.filter(({ method, path }) => method === "POST" && !/command/.test(path));
  assert.deepEqual(posts.map(({ name }) => name).toSorted(), [...NO_COMMAND.keys()].toSorted());
});

for (const role of OPERATOR_ROLES)
  describe(`as ${role}`, () => {
    let tab: Tab;
    before(async () => {
      tab = await signInOperator(service, await makeOperator(service, role));
    });

    test("pages of the role open, all others are not there", () =>
      expectNothingChanged(async () => {
        for (const route of routes.filter(({ method }) => method === "GET")) {
          const { status } = await send(tab, route);
          const roles = OPERATOR_ACCESS.get(route.name) ?? [];
          const isRecord = /\{/.test(route.path) && !route.path.includes("command");
          if (route.path === "/operator/me/authenticator" || route.path.includes("records"))
            continue;
          if (route.path === "/operator/actions/{command}") continue;
          const expected = roles.includes(role) && !isRecord ? [200] : [404];
          assert.ok(expected.includes(status), `${route.name} → ${status}`);
        }
      }));

    test("actions of the role have a form, all others are not there", () =>
      expectNothingChanged(async () => {
        const { text } = await tab.get("/operator/me");
        const token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
        for (const name of ACTIONS) {
          const may = ACTION_ACCESS.get(name)?.includes(role) ?? false;
          const place = formOf(name);
          assert.equal((await send(tab, { method: "GET", place })).status, may ? 200 : 404, name);
          if (may || UPLOADS.includes(name)) continue;
          const posted = await send(tab, { method: "POST", place }, token);
          assert.equal(posted.status, 404, name);
        }
      }));

    test("a form of another page is refused before anything else is looked at", () =>
      expectNothingChanged(async () => {
        for (const route of routes.filter(({ method }) => method === "POST")) {
          if (!OPERATOR_ACCESS.get(route.name)?.includes(role)) continue;
          const { status } = await send(tab, route, "x".repeat(43));
          assert.equal(status, 403, route.name);
        }
      }));
  });

for (const cookie of ["", "windward-operator=", `windward-operator=${"A".repeat(43)}`])
  test(`without a session (${cookie || "no cookie"}) every page leads to the sign-in`, () =>
    expectNothingChanged(async () => {
      const tab = openTab(service);
      tab.cookie = cookie;
      for (const route of routes) {
        const { status, headers } = await send(tab, route);
        assert.equal(status, 303, route.name);
        assert.match(headers.get("location") ?? "", /^\/operator\/sign-in/, route.name);
      }
    }));

test("a member of an account, signed in to the merchants' console, is nobody here", async () => {
  const tab = await signInTo(service, await service.world.merchant());
  const { headers } = await tab.get("/operator/accounts");
  assert.match(headers.get("location") ?? "", /^\/operator\/sign-in/);
});
