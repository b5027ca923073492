/**
 * Links that come by mail open what they were made for, once, to the one they were sent to
 * (Decisions 0070, 0084, 0085). That a reset link works once, of many at once too, and ends with
 * time, a newer one and a changed password is proven in `test/api/user/reset.test.ts`; that an
 * invitation is accepted once and ends with time in `test/people/members.test.ts`.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { findPersonByEmail } from "../../../src/modules/people/person.ts";
import { makeResetLink } from "../../../src/modules/people/reset-link.ts";
import { change, made, mainMerchant, newEmail } from "../../../testkit/accounts.ts";
import { hiddenOf, makeMember, openTab, signInTo, type Tab } from "../../../testkit/console.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import { linkMailedTo } from "../../../testkit/mails.ts";
import type { TestAnswer } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const { service, atOnce } = await startTwoServices();

const MEMBERS = "/console/settings/members";
const NEW_PASSWORD = "a password of their own";

async function resetLinkOf(email: string): Promise<string> {
  const person = await findPersonByEmail(service.ctx.db, email);
  assert(person !== undefined);
  const { url } = await service.ctx.db.transaction((tx) =>
    makeResetLink(service.ctx.config, tx, person),
  );
  return new URL(url).pathname;
}

function setPassword(path: string, password = NEW_PASSWORD): Promise<TestAnswer> {
  const form = { new_password: password, confirm_password: password };
  return service.request(path, { method: "POST", form });
}

async function invitationOf(tab: Tab, email: string, role = "viewer"): Promise<string> {
  const asked = await tab.post(MEMBERS, { email, role }, { from: MEMBERS });
  assert.equal(asked.headers.get("location"), `${MEMBERS}?done=invited`, asked.text);
  return (await linkMailedTo(service, email, "invite")) ?? "";
}

const newcomer = { name: "Nia", new_password: NEW_PASSWORD, confirm_password: NEW_PASSWORD };

/** With the token of a page that had the form, so that only the link and the cookie decide. */
async function acceptLater(path: string, seenBy = openTab(service), { cookie }: Tab = seenBy) {
  const hidden = hiddenOf(await seenBy.get(path));
  const headers = { cookie, origin: service.url };
  const form = { ...hidden, ...newcomer };
  return (one = service) =>
    one.request(path, { method: "POST", form, headers: { ...headers, origin: one.url } });
}

async function roleOf(accountNumber: string, email: string): Promise<string | undefined> {
  const row = await service.ctx.db.maybeOne<{ role: string }>(sql`
    select role from members join persons using (person_id)
    where account_number = ${accountNumber} and email = ${email}`);
  return row?.role;
}

describe("a reset link", () => {
  test("in the mailbox of an old address opens nothing after the address changed", async () => {
    const main = await mainMerchant(service);
    const { accountNumber, email } = await made(service, main);
    const path = await resetLinkOf(email);
    assert.equal((await service.request(path)).status, 200);
    const same = await change(service, main, accountNumber, { email, first_name: "Ann" });
    assert.equal(same.status, 200);
    assert.equal((await service.request(path)).status, 200, "the same address is no change");
    assert.equal((await change(service, main, accountNumber, { email: newEmail() })).status, 200);
    assert.equal((await service.request(path)).status, 404);
    assert.equal((await setPassword(path)).status, 404);
  });

  test("of a member without an account ends when they change their password", async () => {
    const shop = await service.world.merchant();
    const member = await makeMember(service, shop.accountNumber, "viewer");
    const path = await resetLinkOf(member.email);
    const tab = await signInTo(service, member);
    const form = { old_password: "correct horse", new_password: "the newest of all" };
    const changed = await tab.post("/console/me/password", {
      ...form,
      confirm_password: form.new_password,
    });
    assert.equal(changed.status, 303);
    assert.equal((await setPassword(path)).status, 404);
  });

  test("used by many at once on two processes sets one password, and only that one", async () => {
    const shop = await service.world.merchant();
    const member = await makeMember(service, shop.accountNumber, "viewer");
    const path = await resetLinkOf(member.email);
    const answers = await atOnce(6, (one, turn) =>
      one.request(path, {
        method: "POST",
        form: { new_password: `password ${turn}`, confirm_password: `password ${turn}` },
      }),
    );
    const won = answers.flatMap(({ status }, turn) => (status === 200 ? [turn] : []));
    assert.equal(won.length, 1);
    await signInTo(service, { ...member, password: `password ${won[0]}` });
  });

  test("does not sign in, and leaves the second step to be done", async () => {
    const shop = await service.world.merchant();
    const answer = await setPassword(await resetLinkOf(shop.email));
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.headers.getSetCookie(), []);
  });
});

describe("an invitation", () => {
  test("is not accepted by somebody else who is signed in", async () => {
    const [shop, other] = [await service.world.merchant(), await service.world.merchant()];
    const invited = await makeMember(service, other.accountNumber, "viewer");
    const path = await invitationOf(await signInTo(service, shop), invited.email, "owner");
    const tab = await signInTo(service, invited);
    const answer = await (await acceptLater(path, tab, await signInTo(service, other)))();
    assert.match(answer.headers.get("location") ?? "", /^\/sign-in\?next=%2Finvite%2F/);
    assert.equal(await roleOf(shop.accountNumber, other.email), undefined);
    assert.equal(await roleOf(shop.accountNumber, invited.email), undefined);
    const own = await acceptLater(path, tab);
    assert.equal((await own()).headers.get("location"), "/console?done=joined");
    assert.equal(await roleOf(shop.accountNumber, invited.email), "owner");
  });

  test("of a known person does not set their password or sign them in", async () => {
    const [shop, other] = [await service.world.merchant(), await service.world.merchant()];
    const path = await invitationOf(await signInTo(service, shop), other.email);
    const tab = await signInTo(service, other);
    const answer = await (await acceptLater(path, tab, openTab(service)))();
    assert.match(answer.headers.get("location") ?? "", /^\/sign-in/);
    assert.deepEqual(answer.headers.getSetCookie(), []);
    await signInTo(service, other);
  });

  test("accepted by many at once on two processes makes one person, one member", async () => {
    const shop = await service.world.merchant();
    const email = newEmail();
    const path = await invitationOf(await signInTo(service, shop), email);
    const accept = await acceptLater(path);
    const answers = await atOnce(6, (one) => accept(one));
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [303, 404, 404, 404, 404, 404]);
    assert.equal(await roleOf(shop.accountNumber, email), "viewer");
  });

  test("of a known person is accepted once, by posts that all found it open", async () => {
    const [shop, other] = [await service.world.merchant(), await service.world.merchant()];
    const path = await invitationOf(await signInTo(service, shop), other.email);
    const accept = await acceptLater(path, await signInTo(service, other));
    const { db } = service.ctx;
    const answers = await db.transaction(async (tx) => {
      await tx.run(sql`
        select from invitations where account_number = ${shop.accountNumber} for update`);
      const sent = atOnce(4, (one) => accept(one));
      await untilWaiting(db, 4);
      return { sent };
    });
    const statuses = (await answers.sent).map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [303, 404, 404, 404]);
    assert.equal(await roleOf(shop.accountNumber, other.email), "viewer");
  });

  for (const [what, act] of Object.entries({
    removed: "remove",
    "given another role": "role",
  }))
    test(`ends when the one who sent it is ${what}`, async () => {
      const shop = await service.world.merchant();
      const admin = await makeMember(service, shop.accountNumber, "admin");
      const email = newEmail();
      const path = await invitationOf(await signInTo(service, admin), email, "finance");
      const accept = await acceptLater(path);
      const owner = await signInTo(service, shop);
      const place = `${MEMBERS}/${admin.personId}/${act}`;
      assert.equal((await owner.post(place, { role: "viewer" }, { from: MEMBERS })).status, 303);
      assert.equal((await accept()).status, 404);
      assert.equal(await roleOf(shop.accountNumber, email), undefined);
    });

  test("withdrawn or over between the page and its form makes nobody a member", async () => {
    const shop = await service.world.merchant();
    const owner = await signInTo(service, shop);
    const email = newEmail();
    const withdrawn = await acceptLater(await invitationOf(owner, email));
    const page = (await owner.get(MEMBERS)).text;
    const [place = ""] = /\/console\/settings\/invitations\/[^"]+/.exec(page) ?? [];
    assert.equal((await owner.post(place, {}, { from: MEMBERS })).status, 303);
    assert.equal((await withdrawn()).status, 404);
    const late = await acceptLater(await invitationOf(owner, email));
    await service.clock.advance({ hours: 7 * 24 + 1 });
    assert.equal((await late()).status, 404);
    assert.equal(await roleOf(shop.accountNumber, email), undefined);
  });
});
