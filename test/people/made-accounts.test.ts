/**
 * The guarantee: a main merchant that made an account for somebody never gets to act as that person
 * for another company, neither by moving the e-mail nor by a password that it chose (Decisions 0142
 * and 0147).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { pageFormToken } from "../../src/console/form-token.ts";
import { sql } from "../../src/infra/db/query.ts";
import { sendResetLink } from "../../src/modules/people/forgot-password.ts";
import { change, made, mainMerchant, newEmail, retrieve } from "../../testkit/accounts.ts";
import { hiddenOf, openTab, signInTo } from "../../testkit/console.ts";
import { mintKey, mintToken } from "../../testkit/credentials.ts";
import { untilWaiting } from "../../testkit/lock-waits.ts";
import { linkMailedTo } from "../../testkit/mails.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

type Made = Awaited<ReturnType<typeof made>>;

const MEMBERS = "/console/settings/members";
const OWN = "the owner's own password";
const STAYS = { message: "The email is the owner's own by now and cannot be changed." };

async function linkTo(email: string, kind: "invite" | "reset"): Promise<string> {
  const path = await linkMailedTo(service, email, kind);
  assert(path !== undefined, `a mail with a link to ${kind}`);
  return path;
}

async function inviteBy(shop: { email: string; password: string }, email: string) {
  const owner = await signInTo(service, shop);
  const sent = await owner.post(MEMBERS, { email, role: "finance" }, { from: MEMBERS });
  assert.equal(sent.headers.get("location"), `${MEMBERS}?done=invited`);
  return linkTo(email, "invite");
}

async function choosePassword(email: string): Promise<void> {
  await sendResetLink(service.ctx, { email, address: "192.0.2.1" });
  const answer = await service.request(await linkTo(email, "reset"), {
    method: "POST",
    form: { new_password: OWN, confirm_password: OWN },
  });
  assert.equal(answer.status, 200);
}

async function accept(who: { email: string; password?: string }, path: string) {
  const tab = await signInTo(service, who);
  return tab.post(path, hiddenOf(await tab.get(path)), { from: path });
}

describe("somebody whose account another company made", () => {
  test("keeps their sign-in once they joined a company", async () => {
    const attacker = await mainMerchant(service);
    const { key } = await mintKey(service.ctx, attacker, ["svc-accounts-all"], { prefix: "live" });
    const victim = await made(service, attacker);
    const company = await service.world.merchant();
    const invitation = await inviteBy(company, victim.email);
    await choosePassword(victim.email);
    const joined = await accept({ ...victim, password: OWN }, invitation);
    assert.equal(joined.headers.get("location"), "/console?done=joined");
    for (const credential of [{ token: attacker.token }, { key }]) {
      const thief = { email: newEmail(), first_name: "Thief" };
      const answer = await change(service, credential, victim.accountNumber, thief);
      assert.deepEqual([answer.status, answer.body], [409, STAYS]);
    }
    const { data } = (await retrieve(service, attacker, victim.accountNumber)).body;
    assert.deepEqual([data.email, data.first_name], [victim.email, "Anika"]);
    await signInTo(service, { email: victim.email, password: OWN });
  });

  test("keeps it from the first password of their own on; names and phone can be changed", async () => {
    const main = await mainMerchant(service);
    const sub = await made(service, main);
    assert.equal(
      (await change(service, main, sub.accountNumber, { email: newEmail() })).status,
      200,
    );
    const { email } = (await retrieve(service, main, sub.accountNumber)).body.data;
    await choosePassword(email);
    const refused = await change(service, main, sub.accountNumber, { email: newEmail() });
    assert.deepEqual([refused.status, refused.body], [409, STAYS]);
    for (const fields of [{ email }, { first_name: "Ann" }, { phone: "+18686235555" }])
      assert.equal((await change(service, main, sub.accountNumber, fields)).status, 200);
  });

  test("joins nobody with a password that the other company knows", async () => {
    const main = await mainMerchant(service);
    const sub = await made(service, main);
    const company = await service.world.merchant();
    const invitation = await inviteBy(company, sub.email);
    const tab = await signInTo(service, sub);
    const page = await tab.get(invitation);
    assert.match(page.text, /a link to choose your own/);
    assert.doesNotMatch(page.text, /Accept the invitation/);
    const forced = await tab.post(invitation, hiddenOf(await openTab(service).get("/sign-in")), {
      from: invitation,
    });
    assert.notEqual(forced.headers.get("location"), "/console?done=joined");
    await choosePassword(sub.email);
    const joined = await accept({ email: sub.email, password: OWN }, invitation);
    assert.equal(joined.headers.get("location"), "/console?done=joined");
  });
});

describe("a password that another company may know, whatever was done since", () => {
  const NEXT = "the next password of the maker";
  const passwords = { new_password: NEXT, confirm_password: NEXT };

  /** Each raises the credential epoch, and none needs the owner. */
  const DONE: Record<string, (sub: Made) => Promise<{ password: string }>> = {
    "it was changed by the API": async (sub) => {
      const { token } = await mintToken(service.ctx, sub, ["svc-user-update"]);
      const json = { old_password: sub.password, ...passwords };
      const answer = await service.request("/user/password", { method: "PATCH", token, json });
      assert.equal(answer.status, 200);
      return { password: NEXT };
    },
    "it was changed in the console": async (sub) => {
      const tab = await signInTo(service, sub);
      const sent = { old_password: sub.password, ...passwords };
      assert.equal((await tab.post("/console/me/password", sent)).status, 303);
      return { password: NEXT };
    },
    "an operator ended its credentials": async (sub) => {
      await operatorJson(service, ["end-credentials", sub.accountNumber, ...SIGNED]);
      return sub;
    },
  };

  for (const [what, work] of Object.entries(DONE))
    test(`does not join a company: ${what}`, async () => {
      const sub = await made(service, await mainMerchant(service));
      const { password } = await work(sub);
      const invitation = await inviteBy(await service.world.merchant(), sub.email);
      const tab = await signInTo(service, { ...sub, password });
      assert.match((await tab.get(invitation)).text, /a link to choose your own/);
      const token = invitation.split("/").at(-1);
      const csrf_token = pageFormToken(service.ctx.config, `invite ${token}`);
      const forced = await tab.post(invitation, { csrf_token });
      assert.equal(forced.headers.get("location"), invitation);
      await choosePassword(sub.email);
      const joined = await accept({ ...sub, password: OWN }, invitation);
      assert.equal(joined.headers.get("location"), "/console?done=joined");
    });

  test("the e-mail stays the owner's who changed it, all the same", async () => {
    const main = await mainMerchant(service);
    const sub = await made(service, main);
    await DONE["it was changed in the console"]?.(sub);
    const refused = await change(service, main, sub.accountNumber, { email: newEmail() });
    assert.deepEqual([refused.status, refused.body], [409, STAYS]);
  });
});

describe("a password that the owner chose by a link", () => {
  const chosenAt = async ({ accountNumber }: Made) => {
    const { at } = await service.ctx.db.one<{ at: Date | null }>(sql`
      select password_chosen_at as at from accounts where account_number = ${accountNumber}`);
    return at;
  };

  test("stays theirs when they change it by the old one", async () => {
    const sub = await made(service, await mainMerchant(service));
    await choosePassword(sub.email);
    const tab = await signInTo(service, { ...sub, password: OWN });
    const password = `${OWN}, again`;
    const sent = { old_password: OWN, new_password: password, confirm_password: password };
    assert.equal((await tab.post("/console/me/password", sent)).status, 303);
    const invitation = await inviteBy(await service.world.merchant(), sub.email);
    const joined = await accept({ ...sub, password }, invitation);
    assert.equal(joined.headers.get("location"), "/console?done=joined");
  });

  test("no link goes to an e-mail that is another by the time it is made", async () => {
    const main = await mainMerchant(service);
    const who = await made(service, main);
    const { db } = service.ctx;
    let sending: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await tx.run(sql`
        update accounts set email = ${newEmail()} where account_number = ${who.accountNumber}`);
      sending = sendResetLink(service.ctx, { email: who.email, address: "192.0.2.1" });
      await untilWaiting(db);
    });
    await sending;
    const links = await db.rows<object>(sql`
      select from reset_links join persons using (person_id)
      where persons.holder_of = ${who.accountNumber}`);
    assert.equal(links.length, 0);
  });

  test("proves nothing of another e-mail", async () => {
    const sub = await made(service, await mainMerchant(service), { account_type: "BUSINESS" });
    await choosePassword(sub.email);
    assert(await chosenAt(sub));
    await service.ctx.db.run(sql`
      update accounts set is_main_merchant = true where account_number = ${sub.accountNumber}`);
    const scopes = ["svc-accounts-update", "svc-user-update"] as const;
    const own = await mintToken(service.ctx, sub, scopes);
    const { accountNumber, email } = sub;
    assert.equal((await change(service, own, accountNumber, { email })).status, 200);
    assert(await chosenAt(sub), "it is the same e-mail");
    assert.equal((await change(service, own, accountNumber, { email: newEmail() })).status, 200);
    assert.equal(await chosenAt(sub), null);
  });
});
