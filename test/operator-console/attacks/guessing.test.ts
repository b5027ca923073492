/**
 * Whatever of an operator's is guessed at, ten wrong ones for one person or thirty from one address
 * within a quarter of an hour are all, also when the right one comes next. For passwords of one
 * e-mail it is proven in `sign-in.test.ts`.
 */

import assert from "node:assert/strict";
import { after, beforeEach, mock, test } from "node:test";
import { hiddenOf, openTab, type Tab } from "../../../testkit/console.ts";
import {
  giveOperatorPassword,
  makeOperator,
  operatorCode,
  signInOperator,
} from "../../../testkit/operator-console.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const service = await startService({
  settings: { TRUSTED_PROXIES: "127.0.0.1/32, ::1/128", LIMIT_PASSWORD: "5" },
});
after(() => service.stop());

/** Only the count is tried here, and a hash costs more than all of it. */
mock.method(
  service.ctx.passwords,
  "matches",
  async (password: string, stored: object | undefined) =>
    stored !== undefined && password === PASSWORD,
);

const SIGN_IN = "/operator/sign-in";
const CODE = `${SIGN_IN}/code`;
let addresses = 0;
/** Nobody has sent anything from it yet. */
const newAddress = () => `198.51.100.${++addresses}`;

beforeEach(() => service.clock.advance({ minutes: 16 }));

const csrf = hiddenOf(await openTab(service).get(SIGN_IN));

function signInFrom(address: string, email: string, password = "a wrong password") {
  return service.request(SIGN_IN, {
    method: "POST",
    form: { ...csrf, email, password },
    headers: { origin: service.url, "x-forwarded-for": address },
  });
}

function expectToWait(answer: TestAnswer): void {
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get("retry-after")) > 60);
}

const wrongCode = (tab: Tab) => tab.post(CODE, { code: "000000" }, { from: CODE });

test("passwords from one address: the thirty-first waits, at whomever, and the right one too", async () => {
  const who = await makeOperator(service);
  const address = newAddress();
  for (let i = 0; i < 30; i++)
    assert.equal((await signInFrom(address, `nobody-${i}@operator.example`)).status, 401);
  expectToWait(await signInFrom(address, "somebody@operator.example"));
  expectToWait(await signInFrom(address, who.email, PASSWORD));
  assert.equal((await signInFrom(newAddress(), who.email, PASSWORD)).status, 303);
});

test("codes: ten are judged, also of many at once, and the right one waits then", async () => {
  const who = await makeOperator(service);
  const { tab } = await giveOperatorPassword(service, who);
  const hidden = hiddenOf(await tab.get(CODE));
  const guess = (code: string) =>
    service.request(CODE, {
      method: "POST",
      form: { ...hidden, code },
      headers: { origin: service.url, cookie: tab.cookie, "x-forwarded-for": newAddress() },
    });
  const answers = await Promise.all(Array.from({ length: 24 }, () => guess("000000")));
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  assert.deepEqual([count(422), count(429)], [10, 14]);
  expectToWait(await guess(await operatorCode(service, who)));
});

test("codes: signing in half-way again does not begin the count anew", async () => {
  const who = await makeOperator(service);
  for (let i = 0; i < 10; i++) {
    const { tab } = await giveOperatorPassword(service, who);
    assert.equal((await wrongCode(tab)).status, 422, `${i}`);
  }
  const { answer } = await giveOperatorPassword(service, who);
  expectToWait(answer);
  const other = await makeOperator(service);
  assert.equal((await giveOperatorPassword(service, other)).answer.status, 303, "others go on");
});

test("codes: those of a fresh proof count with those of the sign-in", async () => {
  const who = await makeOperator(service);
  const tab = await signInOperator(service, who);
  for (let i = 0; i < 10; i++) {
    const from = "/operator/prove";
    assert.equal((await tab.post(from, { code: "000000" }, { from })).status, 422, `${i}`);
  }
  expectToWait(await signInFrom(newAddress(), who.email, PASSWORD));
});

test("a member's guesses are not an operator's, even of one e-mail", async () => {
  const who = await makeOperator(service);
  const member = openTab(service);
  for (let i = 0; i < 11; i++)
    await member.post("/sign-in", { email: who.email, password: "wrong" }, { from: "/sign-in" });
  assert.equal((await signInFrom(newAddress(), who.email, PASSWORD)).status, 303);
});

test("who waits reads the same with the right password, and as somebody unknown does", async () => {
  const who = await makeOperator(service);
  const unknown = "never@operator.example";
  for (const email of [who.email, unknown])
    for (let i = 0; i < 10; i++) await signInFrom(newAddress(), email);
  const [right, wrong, nobody] = [
    await signInFrom(newAddress(), who.email, PASSWORD),
    await signInFrom(newAddress(), who.email),
    await signInFrom(newAddress(), unknown),
  ];
  for (const answer of [right, wrong, nobody]) expectToWait(answer);
  assert.deepEqual([right.text, wrong.text], [nobody.text, nobody.text]);
});

test("links to set a password are guessed five times a minute", async () => {
  const address = newAddress();
  const password = { new_password: "some password", confirm_password: "some password" };
  const guess = () =>
    service.request(`/operator/password/${"A".repeat(43)}`, {
      method: "POST",
      form: password,
      headers: { origin: service.url, "x-forwarded-for": address },
    });
  for (let i = 0; i < 5; i++) assert.equal((await guess()).status, 404, `${i}`);
  assert.equal((await guess()).status, 429);
});
