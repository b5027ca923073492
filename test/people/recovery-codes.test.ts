/**
 * A recovery code stands in for a lost factor, once; new codes replace the old, and only digests
 * are kept (Decision 0090).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { signInTo, type Tab } from "../../testkit/console.ts";
import { goHalfway, makeCodes, sendCode, setUpApp } from "../../testkit/second-factors.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

async function someoneWithCodes() {
  const who = await service.world.merchant();
  const tab: Tab = await signInTo(service, who);
  await setUpApp(service, tab);
  return { who, tab, codes: await makeCodes(tab) };
}

test("ten of them, hard to guess, and none in a table, a log or the page again", async () => {
  const { who, tab, codes } = await someoneWithCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){2}$/);
  const rows = await service.ctx.db.rows<{ code_digest: Buffer; pepper_id: string }>(sql`
    select recovery_codes.* from recovery_codes join persons using (person_id)
    where holder_of = ${who.accountNumber}`);
  assert.equal(rows.length, 10);
  for (const row of rows) assert.equal(row.code_digest.length, 32);
  const pages = [await tab.get("/console/me"), await tab.get("/console/me/recovery-codes")];
  const everywhere = service.logged.join("") + pages.map(({ text }) => text).join("");
  for (const code of codes) assert(!everywhere.includes(code));
});

test("one signs in once, however it is typed", async () => {
  const { who, codes } = await someoneWithCodes();
  const [first = "", second = ""] = codes;
  const typed = ` ${first.toUpperCase().replaceAll("-", " ")}`;
  assert.equal((await sendCode(await goHalfway(service, who), typed)).status, 303);
  const tab = await goHalfway(service, who);
  assert.equal((await sendCode(tab, first)).status, 422);
  assert.equal((await sendCode(tab, second)).status, 303);
  assert.match((await tab.get("/console/me")).text, /8 of 10 left/);
});

test("the second step offers them only while some are left", async () => {
  const { who } = await someoneWithCodes();
  const offered = async () => {
    const page = await (await goHalfway(service, who)).get("/sign-in/code?use=recovery");
    return /Recovery code/.test(page.text);
  };
  assert.equal(await offered(), true);
  await service.ctx.db.run(sql`
    update recovery_codes set used_at = app_now() from persons
    where persons.person_id = recovery_codes.person_id and holder_of = ${who.accountNumber}`);
  assert.equal(await offered(), false);
});

test("of many requests with one code one passes", async () => {
  const { who, codes } = await someoneWithCodes();
  const tabs: Tab[] = [];
  for (let i = 0; i < 6; i++) tabs.push(await goHalfway(service, who));
  const answers = await Promise.all(tabs.map((tab) => sendCode(tab, codes[0] ?? "")));
  assert.equal(answers.filter(({ status }) => status === 303).length, 1);
});

test("new codes end the old, and those of another person are worth nothing", async () => {
  const { who, tab, codes } = await someoneWithCodes();
  const other = await someoneWithCodes();
  const fresh = await makeCodes(tab);
  const halfway = await goHalfway(service, who);
  assert.equal((await sendCode(halfway, codes[0] ?? "")).status, 422);
  assert.equal((await sendCode(halfway, other.codes[0] ?? "")).status, 422);
  assert.equal((await sendCode(halfway, fresh[0] ?? "")).status, 303);
});

test("codes alone are no factor: without one there are none to make", async () => {
  const tab = await signInTo(service, await service.world.merchant());
  const page = await tab.get("/console/me/recovery-codes");
  assert.equal(page.headers.get("location"), "/console/me");
  const forced = await tab.post("/console/me/recovery-codes");
  assert.equal(forced.status, 409);
  assert.match(forced.text, /Add a passkey or an authenticator app first/);
});

test("making them needs a fresh proof", async () => {
  const { tab } = await someoneWithCodes();
  await service.clock.advance({ minutes: 6 });
  const answer = await tab.post("/console/me/recovery-codes");
  assert.match(answer.headers.get("location") ?? "", /^\/console\/prove/);
  assert.match((await tab.get("/console/me")).text, /10 of 10 left/);
});
