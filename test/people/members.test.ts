/**
 * Members do what their role allows and no more, invitations work once, and losing a role
 * ends the sessions that had it (Decision 0084).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { makeMember, openTab, signInTo, type Tab } from "../../testkit/console.ts";
import { linkMailedTo, sendMails } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";
import type { Person } from "../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const MEMBERS = "/console/settings/members";
const PASSWORD = "a new member's password";

async function mailTo(email: string): Promise<{ subject: string; text: string }> {
  await sendMails(service.ctx);
  const { body } = await service.request("/dev/mail.json");
  return body.find((mail: { to: string }) => mail.to === email);
}

async function invite(tab: Tab, email: string, role: string) {
  return tab.post(MEMBERS, { email, role }, { from: MEMBERS });
}

async function linkOf(email: string): Promise<string> {
  return (await linkMailedTo(service, email, "invite")) ?? "";
}

const join = (path: string, form: Record<string, string> = {}) =>
  openTab(service).post(
    path,
    { name: "Nia New", new_password: PASSWORD, confirm_password: PASSWORD, ...form },
    { from: path },
  );

/** There is no form any more, so a post cannot come from one. */
async function expectOver(path: string): Promise<void> {
  assert.equal((await openTab(service).get(path)).status, 404);
  assert.equal((await join(path)).status, 403);
}

test("an invitation by mail makes a member, once, and its owner is told", async () => {
  const shop = await service.world.merchant();
  const owner = await signInTo(service, shop);
  const email = `nia-${shop.accountNumber}@example.com`;
  assert.equal((await invite(owner, email, "support")).status, 303);
  const path = await linkOf(email);
  const posts = await Promise.all([join(path), join(path), join(path)]);
  assert.deepEqual(posts.map(({ status }) => status).toSorted(), [303, 404, 404]);
  await expectOver(path);
  const member = await signInTo(service, { email, password: PASSWORD });
  assert.equal((await member.get("/console/payments")).status, 200);
  assert.equal((await member.get(MEMBERS)).status, 404);
  assert.match((await mailTo(shop.email)).subject, /new (member|browser)/);
});

test("an invitation ends after seven days, when it is withdrawn, and when it is replaced", async () => {
  const shop = await service.world.merchant();
  const owner = await signInTo(service, shop);
  const email = `late-${shop.accountNumber}@example.com`;
  await invite(owner, email, "viewer");
  const first = await linkOf(email);
  await invite(owner, email, "viewer");
  const second = await linkOf(email);
  await expectOver(first);
  const page = (await owner.get(MEMBERS)).text;
  const withdraw = /\/console\/settings\/invitations\/[^"]+/.exec(page)?.[0] ?? "";
  assert.equal((await owner.post(withdraw, {}, { from: MEMBERS })).status, 303);
  await expectOver(second);
  await invite(owner, email, "viewer");
  const third = await linkOf(email);
  await service.clock.advance({ hours: 7 * 24 + 1 });
  await expectOver(third);
});

test("an admin manages those below, and neither owners nor admins", async () => {
  const shop = await service.world.merchant();
  const admin = await signInTo(service, await makeMember(service, shop.accountNumber, "admin"));
  const viewer = await makeMember(service, shop.accountNumber, "viewer");
  const equal = await makeMember(service, shop.accountNumber, "admin");
  assert.equal((await invite(admin, "x-owner@example.com", "owner")).status, 403);
  assert.equal((await invite(admin, "x-admin@example.com", "admin")).status, 403);
  const change = (personId: string, role: string) =>
    admin.post(`${MEMBERS}/${personId}/role`, { role }, { from: MEMBERS });
  assert.equal((await change(equal.personId, "viewer")).status, 404);
  assert.equal((await change(viewer.personId, "admin")).status, 404);
  assert.equal((await change(viewer.personId, "developer")).status, 303);
  assert.equal(
    (await admin.post(`${MEMBERS}/${equal.personId}/remove`, {}, { from: MEMBERS })).status,
    404,
  );
  assert.equal((await admin.get(`${MEMBERS}/${equal.personId}/remove`)).status, 404);
});

test("a changed role and a removal end the sessions for the account at once", async () => {
  const shop = await service.world.merchant();
  const owner = await signInTo(service, shop);
  const person = await makeMember(service, shop.accountNumber, "finance");
  const before = await signInTo(service, person);
  assert.equal((await before.get("/console/balance")).status, 200);
  await owner.post(`${MEMBERS}/${person.personId}/role`, { role: "support" }, { from: MEMBERS });
  assert.equal((await before.get("/console/balance")).status, 303);
  const again = await signInTo(service, person);
  assert.equal((await again.get("/console/balance")).status, 404);
  const remove = `${MEMBERS}/${person.personId}/remove`;
  assert.match((await owner.get(remove)).text, /signed out at once/);
  assert.equal((await again.get("/console/payments")).status, 200);
  await owner.post(remove, {}, { from: remove });
  assert.equal((await again.get("/console/payments")).status, 303);
});

test("the holder stays an owner, whatever is tried", async () => {
  const shop = await service.world.merchant();
  const second = await makeMember(service, shop.accountNumber, "owner");
  const owner = await signInTo(service, second);
  const { person_id: holder } = await service.ctx.db.one(sql`
    select person_id from persons where holder_of = ${shop.accountNumber}`);
  const tries = [
    await owner.post(`${MEMBERS}/${holder}/role`, { role: "viewer" }, { from: MEMBERS }),
    await owner.post(`${MEMBERS}/${holder}/remove`, {}, { from: MEMBERS }),
  ];
  assert.deepEqual(
    tries.map(({ status }) => status),
    [409, 409],
  );
  assert.match(tries[0]?.text ?? "", /holder stays an owner/);
});

test("an e-mail belongs to one person: neither an account nor a person can take another's", async () => {
  const main = await service.world.mainMerchant();
  const { email } = await makeMember(service, main.accountNumber, "viewer");
  const tokens = await main.signIn();
  const answer = await service.request("/accounts", {
    method: "POST",
    token: tokens.access_token,
    json: { email, password: "Long-enough-1", first_name: "A", last_name: "B" },
  });
  assert.equal(answer.status, 409);
});

/** Sends invitations until one is refused; gives how many were sent. */
async function inviteUntilRefused(
  shop: Person,
  emailOf: (sent: number) => string,
): Promise<number> {
  const tab = await signInTo(service, shop);
  for (let sent = 0; sent < 200; sent++) {
    const answer = await invite(tab, emailOf(sent), "viewer");
    if (answer.headers.get("location")?.endsWith("?done=invited")) continue;
    assert.equal(answer.status, 429);
    assert.match(answer.text, /Try again in an hour/);
    return sent;
  }
  throw new Error("nobody counts");
}

test("invitations are no means of sending mail to strangers, withdrawn or not", async () => {
  const shop = await service.world.merchant();
  const stranger = `stranger-${shop.accountNumber}@example.com`;
  assert.equal(await inviteUntilRefused(shop, () => stranger), 3);
  await service.clock.advance({ minutes: 61 });
  assert.equal(await inviteUntilRefused(shop, () => stranger), 3);
  await service.clock.advance({ minutes: 61 });
  assert.equal(await inviteUntilRefused(shop, () => stranger), 0, "six in a day");
  const another = (sent: number) => `s${sent}-${shop.accountNumber}@example.com`;
  await service.clock.advance({ minutes: 61 });
  assert.equal(await inviteUntilRefused(shop, another), 30);
  // Nor by many accounts together.
  const other = await service.world.merchant();
  assert.equal(await inviteUntilRefused(other, () => stranger), 3);
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from mails where recipient = ${stranger}`);
  assert.equal(count, 9);
});

test("a name with a link is refused, and one that is there already is not mailed", async () => {
  const shop = await service.world.merchant();
  const owner = await signInTo(service, shop);
  const name = "Your parcel waits: https://evil.example/x";
  const refused = await owner.post("/console/me/name", { name }, { from: "/console/me" });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /must not contain a link/);
  await service.ctx.db.run(sql`
    update accounts set first_name = 'See', last_name = 'evil.example/x'
    where account_number = ${shop.accountNumber}`);
  const email = `linked-${shop.accountNumber}@example.com`;
  assert.equal((await invite(owner, email, "viewer")).status, 303);
  const mail = await mailTo(email);
  assert.equal(mail.subject, `A member invites you to account ${shop.accountNumber}`);
  assert(!mail.text.includes("evil.example"));
  const path = await linkOf(email);
  const answer = await join(path, { name });
  assert.equal(answer.status, 422);
  assert.match(answer.text, /must not contain a link/);
});
