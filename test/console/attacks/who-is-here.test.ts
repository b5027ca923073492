/**
 * Nobody learns from the sign-in, a forgotten password or an invitation whether an e-mail is known:
 * the words are the same, and so is the work that is done before the answer (Decision 0085). Words
 * of the sign-in are compared in `sign-in.test.ts`, those of a forgotten password in
 * `test/people/forgot.test.ts`.
 */

import assert from "node:assert/strict";
import { after, mock, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { hiddenOf, makeMember, openTab, signInTo } from "../../../testkit/console.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const MEMBERS = "/console/settings/members";
const { db, passwords } = service.ctx;

function poster(path: string, hidden: Record<string, string>) {
  return (form: Record<string, string>) =>
    service.request(path, {
      method: "POST",
      form: { ...hidden, ...form },
      headers: { origin: service.url },
    });
}

const signIn = poster("/sign-in", hiddenOf(await openTab(service).get("/sign-in")));
const forgot = poster("/forgot", hiddenOf(await openTab(service).get("/forgot")));

/** How often the work asks the database, and compares a password, until it is answered. */
async function workOf(work: () => Promise<TestAnswer>) {
  const names = ["rows", "one", "maybeOne", "run", "transaction"] as const;
  const spies = names.map((name) => mock.method(db, name));
  const matches = mock.method(passwords, "matches");
  const audits = (spy: (typeof spies)[number]) =>
    // A failure is noted without being waited for, where there is somebody to note it of.
    spy.mock.calls.filter(({ arguments: [statement] }) => /audit_entries/.test(textOf(statement)));
  try {
    const { status } = await work();
    const asked = spies.map((spy, i) => [names[i], spy.mock.callCount() - audits(spy).length]);
    return { status, passwords: matches.mock.callCount(), ...Object.fromEntries(asked) };
  } finally {
    for (const spy of [...spies, matches]) spy.mock.restore();
  }
}

function textOf(statement: unknown): string {
  return typeof statement === "object" && statement !== null && "text" in statement
    ? String(statement.text)
    : "";
}

/** A holder, a member, somebody whose account is frozen, and somebody who left. */
async function peopleHere(): Promise<Record<string, string>> {
  const [shop, frozen] = [await service.world.merchant(), await service.world.merchant()];
  const member = await makeMember(service, shop.accountNumber, "viewer");
  const left = await makeMember(service, shop.accountNumber, "viewer");
  await db.run(sql`delete from members where person_id = ${left.personId}`);
  await db.run(sql`
    update accounts set status = 'frozen' where account_number = ${frozen.accountNumber}`);
  return { holder: shop.email, member: member.email, left: left.email, frozen: frozen.email };
}

test("a sign-in does the same for everybody whose password is wrong", async () => {
  const attempt = (email: string) => workOf(() => signIn({ email, password: "a wrong password" }));
  const unknown = await attempt("nobody-at-all@example.com");
  assert.equal(unknown.status, 401);
  assert.equal(unknown.passwords, 1, "a password is compared although nobody has it");
  for (const [who, email] of Object.entries(await peopleHere()))
    assert.deepEqual(await attempt(email), unknown, who);
  assert.deepEqual(await attempt("no e-mail"), unknown);
});

test("somebody without an open account reads the same, with the right password too", async () => {
  const { left = "", frozen = "" } = await peopleHere();
  const nobody = await signIn({ email: "nobody@example.com", password: PASSWORD });
  for (const email of [left, frozen]) {
    const answer = await signIn({ email, password: PASSWORD });
    assert.equal(answer.status, 401);
    assert.equal(
      answer.text.replaceAll(email, ""),
      nobody.text.replaceAll("nobody@example.com", ""),
    );
    assert.deepEqual(answer.headers.getSetCookie(), []);
  }
});

test("a forgotten password does the same for everybody", async () => {
  const ask = (email: string) => workOf(() => forgot({ email }));
  const unknown = await ask("nobody-at-all@example.com");
  assert.equal(unknown.status, 200);
  for (const [who, email] of Object.entries(await peopleHere()))
    assert.deepEqual(await ask(email), unknown, who);
});

test("who invites is not told whether the invited are known elsewhere", async () => {
  const owner = await signInTo(service, await service.world.merchant());
  const { holder = "", left = "" } = await peopleHere();
  const emails = [holder, left, "nobody-yet@example.com"];
  const answers: string[] = [];
  for (const email of emails) {
    const answer = await owner.post(MEMBERS, { email, role: "viewer" }, { from: MEMBERS });
    answers.push(`${answer.status} ${answer.headers.get("location")} ${answer.text}`);
  }
  assert.equal(new Set(answers).size, 1);
  const { text } = await owner.get(MEMBERS);
  for (const email of emails) assert.ok(text.includes(email));
  assert.doesNotMatch(text, /A viewer/, "no name of theirs is shown");
});

test("the times of a known and an unknown e-mail are alike", async () => {
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  const timed = async (who: keyof typeof times, email: string) => {
    const began = performance.now();
    assert.equal((await signIn({ email, password: "a wrong password" })).status, 401);
    times[who].push(performance.now() - began);
  };
  // Nine of each e-mail, and ten would be the last.
  for (let round = 0; round < 2; round++) {
    const { email } = await service.world.merchant();
    for (let i = 0; i < 9; i++) {
      await timed("known", email);
      await timed("unknown", `unknown-${round}@example.com`);
    }
    await service.clock.advance({ minutes: 16 });
  }
  const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const ratio = median(times.known) / median(times.unknown);
  // Without a hash for the unknown it would be ten and more.
  assert.ok(ratio > 0.4 && ratio < 2.5, `${ratio.toFixed(2)}`);
});
