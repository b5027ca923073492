/**
 * The guarantee: a main merchant that made an account for somebody never gets to act as that person
 * for another company, neither by moving the e-mail nor by a password that it chose (Decision
 * 0142).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sendResetLink } from "../../src/modules/people/forgot-password.ts";
import { change, made, mainMerchant, newEmail, retrieve } from "../../testkit/accounts.ts";
import { hiddenOf, openTab, signInTo } from "../../testkit/console.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { sendMails } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const MEMBERS = "/console/settings/members";
const OWN = "the owner's own password";
const STAYS = { message: "The email is the owner's own by now and cannot be changed." };

async function linkTo(email: string, kind: "invite" | "reset"): Promise<string> {
  await sendMails(service.ctx);
  const { body } = await service.request("/dev/mail.json");
  const pattern = new RegExp(`https?:\\S+/${kind}/\\S+`);
  const mail = body.find(
    ({ to, text }: { to: string; text: string }) => to === email && pattern.test(text),
  );
  return new URL(pattern.exec(mail?.text ?? "")?.[0] ?? "").pathname;
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
    assert.match(page.text, /Choose one of your own/);
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
