/**
 * Whatever is guessed at, by whatever page, ten wrong ones for one e-mail or thirty from one
 * address within a quarter of an hour are all (Decisions 0085, 0090). At the sign-in, for one
 * e-mail, it is proven in `sign-in.test.ts`; for codes at the second step in
 * `test/people/totp.test.ts`; for the old password in `test/people/own-profile.test.ts`; for reset
 * links in `test/api/user/reset.test.ts`.
 */

import assert from "node:assert/strict";
import { after, beforeEach, describe, mock, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { hiddenOf, openTab, signInTo, type Tab } from "../../../testkit/console.ts";
import { freePort } from "../../../testkit/free-port.ts";
import { goHalfway, makeCodes, setUpApp } from "../../../testkit/second-factors.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const port = await freePort();
const service = await startService({
  settings: { PORT: String(port), TRUSTED_PROXIES: "127.0.0.1/32, ::1/128", LIMIT_PASSWORD: "5" },
});
after(() => service.stop());

/** Only the count is tried here, and a hash costs more than all of it. */
mock.method(
  service.ctx.passwords,
  "matches",
  async (password: string, stored: object | undefined) =>
    stored !== undefined && password === PASSWORD,
);

/** Passkeys need a name: a developer's machine has this one. */
const origin = `http://localhost:${port}`;

let addresses = 0;
/** Nobody has sent anything from it yet. */
const newAddress = () => `198.51.100.${++addresses}`;
const from = (address: string) => ({ "x-forwarded-for": address });

beforeEach(() => service.clock.advance({ minutes: 16 }));

const csrf = hiddenOf(await openTab(service).get("/sign-in"));

function signInFrom(address: string, email: string, password = "a wrong password") {
  return service.request("/sign-in", {
    method: "POST",
    form: { ...csrf, email, password },
    headers: { origin: service.url, ...from(address) },
  });
}

const count = (answers: readonly TestAnswer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;

async function guessesOf(email: string): Promise<number> {
  const row = await service.ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from console_guesses where email = ${email}`);
  return row.count;
}

function expectToWait(answer: TestAnswer): void {
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get("retry-after")) > 60);
}

describe("from one address", () => {
  test("the thirty-first guess waits, at whomever; from another address it does not", async () => {
    const shop = await service.world.merchant();
    const address = newAddress();
    for (let i = 0; i < 30; i++)
      assert.equal((await signInFrom(address, `nobody-${i}@example.com`)).status, 401);
    expectToWait(await signInFrom(address, "somebody@example.com"));
    expectToWait(await signInFrom(address, shop.email, PASSWORD));
    assert.equal((await signInFrom(newAddress(), shop.email, PASSWORD)).status, 303);
    await service.clock.advance({ minutes: 16 });
    assert.equal((await signInFrom(address, shop.email, PASSWORD)).status, 303);
  });

  test("guesses sent together are counted together", async () => {
    const address = newAddress();
    const wave = () =>
      Promise.all(
        Array.from({ length: 40 }, (_, i) => signInFrom(address, `many-${i}@example.com`)),
      );
    const answers = [...(await wave()), ...(await wave())];
    const judged = count(answers, 401);
    assert.equal(judged + count(answers, 429), answers.length);
    // Those on their way are not known to be wrong yet: hashing admits few of them at a time.
    assert.ok(judged <= 40, `${judged} of ${answers.length} were judged`);
    expectToWait(await signInFrom(address, "one-more@example.com"));
  });

  test("of IPv6 a whole /64 counts as one", async () => {
    for (let i = 0; i < 30; i++)
      await signInFrom(`2001:db8:0:7::${i.toString(16)}`, `six-${i}@example.com`);
    expectToWait(await signInFrom("2001:db8:0:7:ffff::1", "six@example.com"));
    assert.equal((await signInFrom("2001:db8:0:8::1", "six@example.com")).status, 401);
  });

  test("right ones do not count: a whole office signs in", async () => {
    const shop = await service.world.merchant();
    const address = newAddress();
    for (let i = 0; i < 35; i++)
      assert.equal((await signInFrom(address, shop.email, PASSWORD)).status, 303);
    assert.equal(await guessesOf(shop.email), 0);
  });

  test("links that are asked for, set or accepted are five a minute", async () => {
    const address = newAddress();
    const token = "A".repeat(43);
    const posts: [string, Record<string, string>][] = [
      ["/forgot", { ...hiddenOf(await openTab(service).get("/forgot")), email: "a@example.com" }],
      [`/reset/${token}`, { new_password: "some password", confirm_password: "some password" }],
      [`/invite/${token}`, { csrf_token: "x" }],
    ];
    for (const [path, form] of posts) {
      await service.clock.advance({ minutes: 2 });
      const send = () =>
        service.request(path, {
          method: "POST",
          form,
          headers: { origin: service.url, ...from(address) },
        });
      for (let i = 0; i < 5; i++) assert.notEqual((await send()).status, 429, `${path} ${i}`);
      assert.equal((await send()).status, 429, path);
    }
  });
});

describe("for one person, together over all pages", () => {
  test("a fresh proof is guessed ten times, by password, code or passkey", async () => {
    const shop = await service.world.merchant();
    const tab = await signInTo(service, shop);
    await setUpApp(service, tab);
    const hidden = hiddenOf(await tab.get("/console/me"));
    const prove = async (path: string, form: Record<string, string>) => {
      const headers = { origin, cookie: tab.cookie };
      const body = new URLSearchParams({ ...hidden, ...form });
      const sent = { method: "POST", redirect: "manual", headers, body } as const;
      return (await fetch(origin + path, sent)).status;
    };
    const ways: [string, Record<string, string>][] = [
      ["/console/prove", { password: "a wrong password" }],
      ["/console/prove", { code: "000000" }],
      ["/console/prove", { code: "abcd-efgh-jkmn" }],
      ["/console/prove/passkey", { response: "{}" }],
    ];
    for (let i = 0; i < 10; i++) {
      const [path, form] = ways[i % ways.length] ?? ["", {}];
      assert.equal(await prove(path, form), 422, `${path} ${JSON.stringify(form)}`);
    }
    for (const [path] of ways)
      assert.equal(await prove(path, { password: PASSWORD, response: "{}" }), 429);
    // The same ten are also those of the sign-in.
    expectToWait(await signInFrom(newAddress(), shop.email, PASSWORD));
  });

  test("a recovery code is guessed ten times at the second step, also by many at once", async () => {
    const shop = await service.world.merchant();
    const tab = await signInTo(service, shop);
    await setUpApp(service, tab);
    const [good = ""] = await makeCodes(tab);
    const halfway = await goHalfway(service, shop);
    const hidden = hiddenOf(await halfway.get("/sign-in/code"));
    const guess = (code: string) =>
      service.request("/sign-in/code", {
        method: "POST",
        form: { ...hidden, code, use: "recovery" },
        headers: { origin: service.url, cookie: halfway.cookie, ...from(newAddress()) },
      });
    const answers = await Promise.all(Array.from({ length: 24 }, () => guess("abcd-efgh-jkmn")));
    assert.equal(count(answers, 422), 10);
    assert.equal(count(answers, 429), 14);
    expectToWait(await guess(good));
    await service.clock.advance({ minutes: 16 });
    const again = await goHalfway(service, shop);
    const taken = await again.post(
      "/sign-in/code",
      { code: good, use: "recovery" },
      { from: "/sign-in/code?use=recovery" },
    );
    assert.equal(taken.status, 303, "and the right one was not used up");
  });

  test("signing in half-way again does not begin the count anew", async () => {
    const shop = await service.world.merchant();
    await setUpApp(service, await signInTo(service, shop));
    const wrongCode = async (tab: Tab) =>
      (await tab.post("/sign-in/code", { code: "000000" }, { from: "/sign-in/code" })).status;
    for (let i = 0; i < 10; i++)
      assert.equal(await wrongCode(await goHalfway(service, shop)), 422, `${i}`);
    expectToWait(await signInFrom(newAddress(), shop.email, PASSWORD));
    assert.equal(await guessesOf(shop.email), 10);
  });
});

test("a guess that waits tells nobody whether the password was right", async () => {
  const shop = await service.world.merchant();
  for (let i = 0; i < 10; i++) await signInFrom(newAddress(), shop.email);
  const [right, wrong] = [
    await signInFrom(newAddress(), shop.email, PASSWORD),
    await signInFrom(newAddress(), shop.email),
  ];
  assert.equal(right.status, 429);
  assert.equal(right.text, wrong.text);
});
