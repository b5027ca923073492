/**
 * Who has an account's e-mail can set its password, so its own e-mail is not for a key or a narrow
 * token to change, and each change is told to the old one and to the owners (Decision 0138).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Scope } from "../../../src/kit/scopes.ts";
import { change, made, mainMerchant, newEmail, retrieve } from "../../../testkit/accounts.ts";
import { makeMember } from "../../../testkit/console.ts";
import { type Credential, mintKey, mintToken } from "../../../testkit/credentials.ts";
import { sendMails } from "../../../testkit/mails.ts";
import { startService } from "../../../testkit/service.ts";

const SUBJECT = "Another e-mail to sign in with";
const REFUSED =
  "To change the email of your own account, use a token with the scope svc-user-update.";

const OK = [200, 200];

const service = await startService();
after(() => service.stop());

async function mailsOf(wanted: string): Promise<{ to: string; text: string }[]> {
  await sendMails(service.ctx);
  const mails: { to: string; subject: string; text: string }[] = (
    await service.request("/dev/mail.json")
  ).body;
  return mails.filter(({ subject, text }) => subject === SUBJECT && text.includes(wanted));
}

test("a key or a narrow token changes everything of its own account but the e-mail", async () => {
  const main = await mainMerchant(service);
  const scopes: Scope[] = ["svc-accounts-all", "svc-user-all"];
  const { key } = await mintKey(service.ctx, main, scopes, { prefix: "live" });
  const narrow = await mintToken(service.ctx, main, ["svc-accounts-update", "svc-user-retrieve"]);
  const credentials: Credential[] = [{ key }, { token: narrow.token }];
  for (const credential of credentials) {
    const next = { email: newEmail(), first_name: "Thief" };
    const answer = await change(service, credential, main.accountNumber, next);
    assert.deepEqual([answer.status, answer.body], [403, { message: REFUSED }]);
    const { data } = (await retrieve(service, main, main.accountNumber)).body;
    assert.equal(data.email, main.email);
    assert.notEqual(data.first_name, "Thief");
    const same = { email: main.email, first_name: "Marisol" };
    assert.equal((await change(service, credential, main.accountNumber, same)).status, 200);
  }
  assert.deepEqual(await mailsOf(main.accountNumber), []);
});

test("a token that may change the password does, and the old e-mail is told", async () => {
  const main = await mainMerchant(service, { scopes: ["svc-accounts-update", "svc-user-update"] });
  const partner = await makeMember(service, main.accountNumber, "owner");
  const email = newEmail();
  assert.equal((await change(service, main, main.accountNumber, { email })).status, 200);
  const mails = await mailsOf(main.accountNumber);
  assert.deepEqual(mails.map(({ to }) => to).sort(), [main.email, partner.email, email].sort());
  for (const { to, text } of mails) {
    const shown = to === main.email ? "m…@example.com" : email;
    assert.ok(text.includes(`was changed from ${main.email} to ${shown}`), text);
    assert.match(text, /tell us at once/);
  }
});

test("the old mailbox reads nothing of the new e-mail but its first letter and its domain", async () => {
  const main = await mainMerchant(service);
  const sub = await made(service, main);
  const email = "jane.doe.of.the.shop@example.com";
  assert.equal((await change(service, main, sub.accountNumber, { email })).status, 200);
  const mails = await mailsOf(sub.accountNumber);
  const toOld = mails.filter(({ to }) => to === sub.email);
  assert.equal(toOld.length, 1);
  assert.doesNotMatch(JSON.stringify(toOld), /jane|doe|shop/);
  assert.match(toOld[0]?.text ?? "", / to j…@example\.com\./);
});

test("of an account that it made, a key does, and its own owners are told as well", async () => {
  const main = await mainMerchant(service);
  const { key } = await mintKey(service.ctx, main, ["svc-accounts-update"], { prefix: "live" });
  const sub = await made(service, main);
  const email = newEmail();
  assert.equal((await change(service, { key }, sub.accountNumber, { email })).status, 200);
  const mails = await mailsOf(sub.accountNumber);
  assert.deepEqual(mails.map(({ to }) => to).sort(), [main.email, sub.email, email].sort());
  assert.match(mails[0]?.text ?? "", /A program with the API key/);
  const names = { first_name: "Ann" };
  assert.equal((await change(service, { key }, sub.accountNumber, names)).status, 200);
  assert.equal((await mailsOf(sub.accountNumber)).length, 3);
});

test("also to the longest address that an account may have", async () => {
  const main = await mainMerchant(service);
  const sub = await made(service, main);
  const [label, ending] = ["d".repeat(60), newEmail().replace(/^.*@/, "")];
  const email = `${"a".repeat(64)}@${label}.${label}.${label.slice(0, 50)}.${ending}`;
  assert.equal((await change(service, main, sub.accountNumber, { email })).status, 200);
  const mails = await mailsOf(sub.accountNumber);
  assert.ok(mails.some(({ to }) => to === email));
});

test("not again and again: it is no means of sending mail to strangers", async () => {
  const main = await mainMerchant(service);
  const sub = await made(service, main);
  const [one, other] = [newEmail(), newEmail()];
  const move = async (email: string) =>
    (await change(service, main, sub.accountNumber, { email })).status;
  for (let told = 0; told < 3; told++) assert.deepEqual([await move(one), await move(other)], OK);
  assert.equal(await move(one), 429);
  const { data } = (await retrieve(service, main, sub.accountNumber)).body;
  assert.equal(data.email, other);
  const names = { first_name: "Ann" };
  assert.equal((await change(service, main, sub.accountNumber, names)).status, 200);
});
