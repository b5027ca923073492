/**
 * A passkey signs in only its own person, under our own name, for the challenge of this session,
 * once; one that was copied, or whose device did not verify its user, is refused (Decision 0090).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { relyingPartyOf } from "../../src/modules/people/relying-party.ts";
import { openTab, type Tab } from "../../testkit/console.ts";
import { freePort } from "../../testkit/free-port.ts";
import { createPasskeyDevice, type PasskeyDevice } from "../../testkit/passkey-device.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

const port = await freePort();
const service = await startService({ settings: { PORT: String(port) } });
after(() => service.stop());

/** The name of a developer's machine; the service itself is asked under an address in figures. */
const origin = `http://localhost:${port}`;
const named = { url: origin, request };

async function request(path: string, asked: RequestOptions = {}): Promise<TestAnswer> {
  const response = await fetch(origin + path, {
    method: asked.method ?? "GET",
    redirect: "manual",
    headers: asked.headers ?? {},
    ...(asked.form === undefined ? {} : { body: new URLSearchParams(asked.form) }),
  });
  const { status, headers } = response;
  return { status, headers, text: await response.text(), body: undefined };
}

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly userVerification?: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

function optionsOf({ text }: TestAnswer): Options {
  const found = /data-options="([^"]+)"/.exec(text)?.[1] ?? "null";
  return JSON.parse(found.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

async function start(path: string, who: { email: string }): Promise<Tab> {
  const tab = openTab(named);
  const form = { email: who.email, password: PASSWORD };
  const answer = await tab.post("/sign-in", form, { from: "/sign-in" });
  assert.match(answer.headers.get("location") ?? "", new RegExp(`^${path}(\\?|$)`), answer.text);
  return tab;
}

const NEW = "/console/me/passkeys/new";

/** Posts with the page that was read before: reading it again would make another challenge. */
async function postTo(tab: Tab, page: TestAnswer, path: string, form: Record<string, string>) {
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const headers = { cookie: tab.cookie, origin };
  return request(path, { method: "POST", form: { csrf_token, ...form }, headers });
}

async function register(tab: Tab, device: PasskeyDevice, said = {}): Promise<TestAnswer> {
  const page = await tab.get(NEW);
  const response = device.register(optionsOf(page), { origin, ...said });
  return postTo(tab, page, NEW, { name: "My laptop", response });
}

async function someoneWithPasskey() {
  const who = await service.world.merchant();
  const device = createPasskeyDevice();
  const tab = await start("/console", who);
  const added = await register(tab, device);
  assert.equal(added.headers.get("location"), "/console/me/recovery-codes?done=passkey");
  return { who, device, tab };
}

async function show(tab: Tab, device: PasskeyDevice, said = {}): Promise<TestAnswer> {
  const page = await tab.get("/sign-in/code");
  const response = device.use(optionsOf(page), { origin, ...said });
  return postTo(tab, page, "/sign-in/code/passkey", { response });
}

const refused = ({ status }: TestAnswer) => assert.equal(status, 422);

describe("adding a passkey", () => {
  test("asks the device to verify its user, for a person's own name", async () => {
    const { tab, device } = await someoneWithPasskey();
    const options = optionsOf(await tab.get(NEW));
    assert.equal(options.rp?.id, "localhost");
    assert.deepEqual(
      options.excludeCredentials?.map(({ id }) => id),
      [device.id],
    );
    assert.match((await tab.get("/console/me")).text, /My laptop/);
  });

  for (const [what, said] of [
    ["another site's origin", { origin: "https://evil.example", rpId: "localhost" }],
    ["another port of this machine", { origin: "http://localhost:1" }],
    ["another site's name", { rpId: "evil.example" }],
    ["no verified user", { isUserVerified: false }],
    ["another challenge", { challenge: Buffer.alloc(32, 7).toString("base64url") }],
    ["the wrong ceremony", { type: "webauthn.get" }],
  ] as const)
    test(`refuses ${what}`, async () => {
      const tab = await start("/console", await service.world.merchant());
      refused(await register(tab, createPasskeyDevice(), said));
      assert.doesNotMatch((await tab.get("/console/me")).text, /My laptop/);
    });

  test("takes each challenge once, and not after five minutes", async () => {
    const tab = await start("/console", await service.world.merchant());
    const page = await tab.get(NEW);
    const send = () => {
      const response = createPasskeyDevice().register(optionsOf(page), { origin });
      return postTo(tab, page, NEW, { name: "One", response });
    };
    const answers = await Promise.all([send(), send(), send()]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 422, 422]);
    const late = await tab.get(NEW);
    await service.ctx.db.run(sql`
      update console_sessions set challenged_at = app_now() - interval '301 seconds'
      where challenge is not null`);
    const response = createPasskeyDevice().register(optionsOf(late), { origin });
    refused(await postTo(tab, late, NEW, { name: "Late", response }));
  });

  test("refuses one that somebody else has, and what is no answer at all", async () => {
    const { device } = await someoneWithPasskey();
    const tab = await start("/console", await service.world.merchant());
    refused(await register(tab, device));
    for (const response of ["", "null", "{}", "[]", '{"id":1}', "x".repeat(9_000)]) {
      const page = await tab.get(NEW);
      refused(await postTo(tab, page, NEW, { name: "x", response }));
    }
    for (const name of ["", " ", "x".repeat(61), "a\u202eb"]) {
      const page = await tab.get(NEW);
      assert.equal((await postTo(tab, page, NEW, { name, response: "{}" })).status, 400);
    }
  });

  test("does not work under an address in figures", async () => {
    const who = await service.world.merchant();
    const tab = openTab(service);
    const form = { email: who.email, password: PASSWORD };
    await tab.post("/sign-in", form, { from: "/sign-in" });
    const page = await tab.get(NEW);
    assert.match(page.text, /Open the console by its name/);
    assert.doesNotMatch(page.text, /data-options/);
  });
});

describe("signing in with a passkey", () => {
  test("opens the console", async () => {
    const { who, device } = await someoneWithPasskey();
    const tab = await start("/sign-in/code", who);
    const options = optionsOf(await tab.get("/sign-in/code"));
    assert.equal(options.rpId, "localhost");
    assert.equal(options.userVerification, "required");
    assert.deepEqual(
      options.allowCredentials?.map(({ id }) => id),
      [device.id],
    );
    const done = await show(tab, device);
    assert.equal(done.headers.get("location"), "/console");
    tab.cookie = tab.cookie.replace(/windward=[^;]+/, done.headers.getSetCookie()[0] ?? "");
    assert.equal((await tab.get("/console")).status, 200);
  });

  for (const [what, said] of [
    ["another site's origin", { origin: "https://evil.example", rpId: "localhost" }],
    ["another site's name", { rpId: "evil.example" }],
    ["no verified user", { isUserVerified: false }],
    ["another challenge", { challenge: Buffer.alloc(32, 7).toString("base64url") }],
    ["the wrong ceremony", { type: "webauthn.create" }],
    ["a count of uses that went back", { count: 1 }],
  ] as const)
    test(`refuses ${what}`, async () => {
      const { who, device } = await someoneWithPasskey();
      const tab = await start("/sign-in/code", who);
      refused(await show(tab, device, { count: 5, ...said }));
      assert.equal((await tab.get("/console")).status, 303);
    });

  test("refuses another person's passkey, and a key that only claims the name of one", async () => {
    const { who, device } = await someoneWithPasskey();
    const other = await someoneWithPasskey();
    const tab = await start("/sign-in/code", who);
    refused(await show(tab, other.device));
    const forger = createPasskeyDevice();
    const page = await tab.get("/sign-in/code");
    const forged = forger.use(optionsOf(page), { origin }).replaceAll(forger.id, device.id);
    refused(await postTo(tab, page, "/sign-in/code/passkey", { response: forged }));
  });

  test("an answer works once, also when it comes many times at once", async () => {
    const { who, device } = await someoneWithPasskey();
    const tabs = [await start("/sign-in/code", who), await start("/sign-in/code", who)] as const;
    const page = await tabs[0].get("/sign-in/code");
    const response = device.use(optionsOf(page), { origin });
    // The other session has a challenge of its own, so this is no answer to it.
    const foreign = await tabs[1].get("/sign-in/code");
    refused(await postTo(tabs[1], foreign, "/sign-in/code/passkey", { response }));
    const send = () => postTo(tabs[0], page, "/sign-in/code/passkey", { response });
    const answers = await Promise.all([send(), send(), send(), send()]);
    const passed = answers.filter(({ headers }) => headers.get("location") === "/console");
    assert.equal(passed.length, 1);
    const again = await start("/sign-in/code", who);
    const form = await again.get("/sign-in/code");
    refused(await postTo(again, form, "/sign-in/code/passkey", { response }));
  });

  test("a device that does not count says 0 every time", async () => {
    const who = await service.world.merchant();
    const device = createPasskeyDevice();
    await register(await start("/console", who), device, { count: 0 });
    for (let i = 0; i < 2; i++) {
      const done = await show(await start("/sign-in/code", who), device, { count: 0 });
      assert.equal(done.headers.get("location"), "/console");
    }
  });

  test("a failure is audited with person, address and browser", async () => {
    const { who, device } = await someoneWithPasskey();
    refused(await show(await start("/sign-in/code", who), device, { isUserVerified: false }));
    const [entry] = await service.ctx.db.rows<{ actor: string; detail: object }>(sql`
      select actor, detail from audit_entries
      where account_number = ${who.accountNumber} and action = 'second_factor_failed'`);
    assert.match(entry?.actor ?? "", /^person /);
    assert.deepEqual(Object.keys(entry?.detail ?? {}).toSorted(), [
      "address",
      "browser",
      "kind",
      "session_id",
    ]);
  });
});

test("a passkey is renamed and removed by its own person only", async () => {
  const { tab } = await someoneWithPasskey();
  const other = await start("/console", await service.world.merchant());
  const path = /\/console\/me\/passkeys\/[0-9a-f-]{36}/.exec(
    (await tab.get("/console/me")).text,
  )?.[0];
  assert(path !== undefined);
  const page = await tab.get(path);
  assert.match(page.text, /It is your only second factor/);
  const strange = await other.get("/console/me");
  for (const to of [path, `${path}/remove`])
    assert.equal((await postTo(other, strange, to, { name: "Mine now" })).status, 404);
  assert.equal((await other.get(path)).status, 404);
  assert.equal((await tab.get("/console/me/passkeys/no-id")).status, 404);
  const renamed = await postTo(tab, page, path, { name: "Old laptop" });
  assert.equal(renamed.headers.get("location"), "/console/me?done=saved");
  assert.match((await tab.get("/console/me")).text, /Old laptop/);
  const removed = await postTo(tab, page, `${path}/remove`, {});
  assert.equal(removed.headers.get("location"), "/console/me?done=passkey_removed");
  assert.doesNotMatch((await tab.get("/console/me")).text, /Old laptop/);
});

test("passkeys belong to PUBLIC_URL's name; localhost only on a developer's machine", () => {
  const party = (publicUrl: string, host: string | undefined, demoWorld = false) =>
    relyingPartyOf({ http: { ...service.ctx.config.http, publicUrl }, demoWorld }, host);
  const site = "https://pay.example.com";
  assert.deepEqual(party(site, "pay.example.com"), { id: "pay.example.com", origin: site });
  const others = ["evil.example", "localhost", "pay.example.com:444", "pay.example.com@x", ""];
  for (const host of [...others, undefined]) assert.equal(party(site, host), undefined, host);
  const local = "http://127.0.0.1:3000";
  assert.equal(party(local, "127.0.0.1:3000", true), undefined);
  assert.equal(party("http://[::1]:3000", "[::1]:3000", true), undefined);
  const developer = { id: "localhost", origin: "http://localhost:3000" };
  assert.deepEqual(party(local, "localhost:3000", true), developer);
  assert.equal(party(local, "localhost:3000"), undefined);
});
