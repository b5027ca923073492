/**
 * The guarantee: closing an account ends what is the account's. Its holder, who acts for other
 * companies, goes on signing in to the console for those (Decision 0146).
 */

import assert from "node:assert/strict";
import { after, describe, mock, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { addMember } from "../../src/modules/people/add-member.ts";
import { aliveSessions } from "../../src/modules/people/console-session.ts";
import { sendResetLink } from "../../src/modules/people/forgot-password.ts";
import { findHolder } from "../../src/modules/people/person.ts";
import { close, type Main, made, mainMerchant } from "../../testkit/accounts.ts";
import { attempt, INCORRECT } from "../../testkit/auth.ts";
import { openTab, signInTo, type Tab } from "../../testkit/console.ts";
import { linkMailedTo } from "../../testkit/mails.ts";
import { operatorJson } from "../../testkit/operator.ts";
import { setUpApp } from "../../testkit/second-factors.ts";
import { startService } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

const service = await startService();
after(() => service.stop());
const { db } = service.ctx;

interface Holder {
  readonly accountNumber: string;
  readonly email: string;
  readonly password: string;
}

const NEW = "another password of theirs";

async function personIdOf({ accountNumber }: Pick<Holder, "accountNumber">): Promise<string> {
  return (await findHolder(db, accountNumber))?.personId ?? "";
}

/** Somebody whose account a main merchant made, and who acts for another company. */
async function holderWithCompany(): Promise<{ main: Main; who: Holder; company: string }> {
  const main = await mainMerchant(service);
  const who = await made(service, main, { password: PASSWORD });
  const { accountNumber: company } = await service.world.merchant();
  const member = {
    accountNumber: company,
    personId: await personIdOf(who),
    role: "finance",
  } as const;
  await db.transaction((tx) => addMember(tx, member));
  return { main, who, company };
}

async function closeIt({ main, who }: { main: Main; who: Holder }): Promise<void> {
  assert.equal((await close(service, main, who.accountNumber)).status, 200);
}

/** For which accounts the person's sessions act that have not ended. */
async function actsFor(who: Holder): Promise<string[]> {
  const rows = await db.rows<{ account_number: string }>(sql`
    select account_number from console_sessions
    where person_id = ${await personIdOf(who)} and ended_at is null order by created_at desc`);
  return rows.map(({ account_number }) => account_number);
}

const isSignedIn = async (tab: Tab) => (await tab.get("/console/me")).status === 200;

async function trySignIn(who: Holder): Promise<number> {
  const { email, password } = who;
  const tab = openTab(service);
  return (await tab.post("/sign-in", { email, password }, { from: "/sign-in" })).status;
}

/** Undefined where none was sent. */
async function mailedLink({ email }: Holder): Promise<string | undefined> {
  await sendResetLink(service.ctx, { email, address: "192.0.2.1" });
  return linkMailedTo(service, email, "reset");
}

const setByLink = async (path: string, password = NEW) => {
  const form = { new_password: password, confirm_password: password };
  return (await service.request(path, { method: "POST", form })).status;
};

describe("who holds a closed account and acts for another company", () => {
  test("signs in for that one, and keeps the session that acts for it", async () => {
    const all = await holderWithCompany();
    const { who, company } = all;
    const forBoth = await signInTo(service, who);
    await forBoth.post("/console/account", { account_number: company });
    assert.deepEqual(await actsFor(who), [company]);
    await closeIt(all);
    assert(await isSignedIn(forBoth));
    assert.doesNotMatch((await forBoth.get("/console/me")).text, new RegExp(who.accountNumber));
    assert(await isSignedIn(await signInTo(service, who)));
    assert.deepEqual(await actsFor(who), [company, company]);
  });

  test("gets no token, and no session of the closed account goes on", async () => {
    const all = await holderWithCompany();
    const { who } = all;
    const tab = await signInTo(service, who);
    const ids = await db.rows<{ session_id: string }>(sql`
      select session_id from console_sessions where account_number = ${who.accountNumber}`);
    await closeIt(all);
    assert(!(await isSignedIn(tab)));
    assert.deepEqual(await actsFor(who), []);
    const alive = await aliveSessions(
      db,
      ids.map(({ session_id }) => session_id),
    );
    assert.equal(alive.size, 0);
    assert.equal((await attempt(service, who, { password: PASSWORD })).text, INCORRECT);
  });

  test("sets a forgotten password by a link, and gets no token with it either", async () => {
    const all = await holderWithCompany();
    const { who } = all;
    await closeIt(all);
    const link = await mailedLink(who);
    assert(link !== undefined);
    assert.equal(await setByLink(link), 200);
    assert.equal(await trySignIn(who), 401);
    assert(await isSignedIn(await signInTo(service, { ...who, password: NEW })));
    assert.equal((await attempt(service, who, { password: NEW })).text, INCORRECT);
  });

  test("changes the password in the console", async () => {
    const all = await holderWithCompany();
    const { who } = all;
    await closeIt(all);
    const tab = await signInTo(service, who);
    const passwords = { new_password: NEW, confirm_password: NEW };
    const sent = { old_password: PASSWORD, ...passwords };
    assert.equal((await tab.post("/console/me/password", sent)).status, 303);
    assert(await isSignedIn(await signInTo(service, { ...who, password: NEW })));
  });

  test("removes an authenticator app that the closed account demanded", async () => {
    const all = await holderWithCompany();
    const { who } = all;
    const tab = await signInTo(service, who);
    await setUpApp(service, tab);
    await db.run(sql`
      update accounts set api_sign_in = 'password_and_code'
      where account_number = ${who.accountNumber}`);
    await tab.post("/console/account", { account_number: all.company });
    const remove = () => tab.post("/console/me/authenticator/remove", {});
    assert.equal((await remove()).status, 409);
    await closeIt(all);
    assert.equal((await remove()).status, 303);
  });

  test("is among those whom an old pepper still serves", async () => {
    const counted = async () => {
      const { peppers } = await operatorJson(service, ["peppers"]);
      const { count } = peppers.find(({ what }: { what: string }) => what === "passwords");
      return count;
    };
    const all = await holderWithCompany();
    const alone = await made(service, all.main);
    const before = await counted();
    await closeIt(all);
    assert.equal(await counted(), before);
    await closeIt({ ...all, who: alone });
    assert.equal(await counted(), before - 1);
  });

  test("is signed in for the company where the account is closed in the same moment", async () => {
    const all = await holderWithCompany();
    const { who, company } = all;
    await closingWhileCompared(all, async () => {
      assert.equal(await trySignIn(who), 303);
    });
    assert.deepEqual(await actsFor(who), [company]);
  });
});

describe("who holds a closed account and acts for no other", () => {
  test("does not sign in and gets no link; one from before is worth nothing", async () => {
    const main = await mainMerchant(service);
    const who = await made(service, main);
    const link = await mailedLink(who);
    assert(link !== undefined);
    await closeIt({ main, who });
    assert.equal(await setByLink(link), 404);
    assert.equal(await trySignIn(who), 401);
    const digests = () =>
      db.rows(sql`select token_digest from reset_links where person_id = ${personId}`);
    const personId = await personIdOf(who);
    const before = await digests();
    await sendResetLink(service.ctx, { email: who.email, address: "192.0.2.1" });
    assert.deepEqual(await digests(), before);
  });

  test("does not sign in where the account is closed in the same moment", async () => {
    const main = await mainMerchant(service);
    const who = await made(service, main);
    await closingWhileCompared({ main, who }, async () => {
      assert.equal(await trySignIn(who), 401);
    });
    assert.deepEqual(await actsFor(who), []);
  });
});

test("a frozen account stops its holder everywhere, until it is unfrozen", async () => {
  const { who, company } = await holderWithCompany();
  const set = (status: string) =>
    db.run(sql`update accounts set status = ${status} where account_number = ${who.accountNumber}`);
  const open = await signInTo(service, who);
  await open.post("/console/account", { account_number: company });
  assert(await isSignedIn(open));
  await set("frozen");
  assert.equal(await isSignedIn(open), false, "nor for the other company");
  assert.equal(await trySignIn(who), 401);
  assert.equal(await mailedLink(who), undefined);
  await set("active");
  assert(await isSignedIn(open));
  assert(await isSignedIn(await signInTo(service, who)));
});

/** The password is right, and the account is closed before the sign-in is written. */
async function closingWhileCompared(
  whose: { main: Main; who: Holder },
  work: () => Promise<void>,
): Promise<void> {
  const matches = mock.method(service.ctx.passwords, "matches", async () => {
    await closeIt(whose);
    return true;
  });
  try {
    await work();
  } finally {
    matches.mock.restore();
  }
}
