/**
 * Who is told by mail of what (Decision 0085): owners of a changed password, however it was
 * changed, of another sign-in to the API and of replaced payment keys; a person of their own
 * second factors.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Tx } from "../../src/infra/db/transaction.ts";
import { sendResetLink } from "../../src/modules/people/forgot-password.ts";
import { tellOwners } from "../../src/modules/people/tell-owners.ts";
import { attempt } from "../../testkit/auth.ts";
import { makeMember, signInTo } from "../../testkit/console.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { sendMails } from "../../testkit/mails.ts";
import { setUpApp } from "../../testkit/second-factors.ts";
import { startService } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const NEW = "battery staple";

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

async function mailsTo(email: string, subject: string): Promise<Mail[]> {
  await sendMails(service.ctx);
  const mails: Mail[] = (await service.request("/dev/mail.json")).body;
  return mails.filter((mail) => mail.to === email && mail.subject === subject);
}

test("a changed password: on the profile, by a link, by the API", async () => {
  const shop = await service.world.merchant();
  const member = await makeMember(service, shop.accountNumber, "support");
  const tab = await signInTo(service, member);
  await tab.post("/console/me/password", {
    old_password: PASSWORD,
    new_password: NEW,
    confirm_password: NEW,
  });
  for (const to of [shop.email, member.email]) {
    const [mail, ...more] = await mailsTo(to, "A changed password");
    assert.match(mail?.text ?? "", /was changed on their profile/, to);
    assert.deepEqual(more, []);
  }

  await sendResetLink(service.ctx, { email: shop.email, address: "192.0.2.1" });
  const [link] = await mailsTo(shop.email, "Set a new password");
  const path = new URL(/https?:\S+\/reset\/\S+/.exec(link?.text ?? "")?.[0] ?? "").pathname;
  const reset = { new_password: NEW, confirm_password: NEW };
  assert.equal((await service.request(path, { method: "POST", form: reset })).status, 200);
  const [byLink] = await mailsTo(shop.email, "A changed password");
  assert.match(byLink?.text ?? "", /was changed by a reset link/);

  const signedIn = await attempt(service, shop, { password: NEW });
  const changed = await service.request("/user/password", {
    method: "PATCH",
    token: signedIn.body.access_token,
    json: { old_password: NEW, new_password: PASSWORD, confirm_password: PASSWORD },
  });
  assert.equal(changed.status, 200, changed.text);
  const [byApi, ...before] = await mailsTo(shop.email, "A changed password");
  assert.match(byApi?.text ?? "", /was changed by the API/);
  assert.equal(before.length, 2);
  assert.equal((await mailsTo(member.email, "A changed password")).length, 1);
});

test("a password changed with an API key: the mail names the key and its address", async () => {
  const shop = await service.world.merchant();
  const { key } = await mintKey(service.ctx, shop, ["svc-user-update"], { prefix: "live" });
  const changed = await service.request("/user/password", {
    method: "PATCH",
    key,
    json: { old_password: PASSWORD, new_password: NEW, confirm_password: NEW },
  });
  assert.equal(changed.status, 200, changed.text);
  const [mail] = await mailsTo(shop.email, "A changed password");
  assert.match(mail?.text ?? "", /A program with the API key [0-9a-f]{18}/);
  assert.match(mail?.text ?? "", /From address/);
});

test("a second factor: its person, and nobody else", async () => {
  const shop = await service.world.merchant();
  const member = await makeMember(service, shop.accountNumber, "finance");
  const tab = await signInTo(service, member);
  await setUpApp(service, tab);
  await tab.post("/console/me/authenticator/remove");
  for (const subject of ["An authenticator app was added", "An authenticator app was removed"]) {
    assert.equal((await mailsTo(member.email, subject)).length, 1, subject);
    assert.equal((await mailsTo(shop.email, subject)).length, 0, subject);
  }
});

test("another sign-in to the API: the owners, once", async () => {
  const shop = await service.world.merchant();
  const tab = await signInTo(service, shop);
  for (const _ of [1, 2])
    await tab.post("/console/settings/security/api-sign-in", { api_sign_in: "off" });
  const [mail, ...more] = await mailsTo(shop.email, "The sign-in to the API was changed");
  assert.match(mail?.text ?? "", /are switched off/);
  assert.deepEqual(more, []);
});

test("replaced payment keys: the owners, after a page that says what will happen", async () => {
  const shop = await service.world.merchant();
  const member = await makeMember(service, shop.accountNumber, "admin");
  const tab = await signInTo(service, member);
  const rotate = "/console/settings/payment-keys/rotate";
  const asked = await tab.get(rotate);
  assert.match(asked.text, /old keys stop working at once/);
  assert.deepEqual(await mailsTo(shop.email, "The payment keys were replaced"), []);
  assert.equal((await tab.post(rotate, {}, { from: rotate })).status, 303);
  const [mail, ...more] = await mailsTo(shop.email, "The payment keys were replaced");
  assert.match(mail?.text ?? "", /for the sandbox were replaced/);
  assert.deepEqual(more, []);
  assert.deepEqual(await mailsTo(member.email, "The payment keys were replaced"), []);
});

test("many owners: all of them, in one statement, because the account is locked meanwhile", async () => {
  const shop = await service.world.merchant();
  const owners = [shop.email];
  for (let made = 0; made < 8; made++)
    owners.push((await makeMember(service, shop.accountNumber, "owner")).email);
  const { ctx } = service;
  let written = 0;
  await ctx.db.transaction(async (tx) => {
    const counting: Tx = {
      ...tx,
      run(statement) {
        written++;
        return tx.run(statement);
      },
    };
    const subject = "Something about your account";
    const news = { accountNumber: shop.accountNumber, subject, what: "It happened." };
    await tellOwners(ctx.config, counting, news);
  });
  assert.equal(written, 1);
  for (const to of owners)
    assert.equal((await mailsTo(to, "Something about your account")).length, 1, to);
});
