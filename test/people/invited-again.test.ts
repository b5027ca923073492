/**
 * The guarantee: somebody whose sign-in leads nowhere, because they were removed or their account
 * was closed, joins another company by its invitation with a new password. Of somebody who acts
 * for an account a link alone opens nothing (Decision 0146).
 */

import assert from "node:assert/strict";
import { after, describe, mock, test } from "node:test";
import { pageFormToken } from "../../src/console/form-token.ts";
import { sql } from "../../src/infra/db/query.ts";
import { close, made, mainMerchant } from "../../testkit/accounts.ts";
import { makeMember, openTab, signInTo, type Tab } from "../../testkit/console.ts";
import { linkMailedTo } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

const MEMBERS = "/console/settings/members";
const NEW = "Another-Good-Pass-71!";
const FORM = { new_password: NEW, confirm_password: NEW };

const service = await startService();
after(() => service.stop());

type Merchant = Awaited<ReturnType<typeof service.world.merchant>>;

interface Invited {
  readonly path: string;
  readonly accountNumber: string;
}

/** By a company of its own. */
async function invite(email: string): Promise<Invited> {
  const company = await service.world.merchant();
  const owner = await signInTo(service, company);
  await owner.post(MEMBERS, { email, role: "viewer" }, { from: MEMBERS });
  const path = await linkMailedTo(service, email, "invite");
  assert(path !== undefined, "an invitation was mailed");
  return { path, accountNumber: company.accountNumber };
}

async function removed() {
  const shop = await service.world.merchant();
  const member = await makeMember(service, shop.accountNumber, "developer");
  const owner = await signInTo(service, shop);
  await owner.post(`${MEMBERS}/${member.personId}/remove`, {}, { from: MEMBERS });
  return { email: member.email, shop, personId: member.personId };
}

async function holderOfClosed() {
  const main = await mainMerchant(service);
  const who = await made(service, main, { password: PASSWORD });
  assert.equal((await close(service, main, who.accountNumber)).status, 200);
  return who;
}

async function signIn(email: string, password: string): Promise<Tab | undefined> {
  const tab = openTab(service);
  const answer = await tab.post("/sign-in", { email, password }, { from: "/sign-in" });
  return answer.status === 303 ? tab : undefined;
}

for (const [who, make] of [
  ["somebody who was removed", removed],
  ["the holder of a closed account", holderOfClosed],
] as const)
  describe(who, () => {
    test("chooses a new password, and acts for the company alone", async () => {
      const { email } = await make();
      const { path, accountNumber } = await invite(email);
      assert.equal(await signIn(email, PASSWORD), undefined);
      const page = await openTab(service).get(path);
      assert.match(page.text, /Choose a new\s+password/);
      assert.doesNotMatch(page.text, /Your name/);
      const joined = await openTab(service).post(path, FORM, { from: path });
      assert.equal(joined.headers.get("location"), "/sign-in?done=joined");
      assert.equal(await signIn(email, PASSWORD), undefined, "the old password is over");
      const tab = await signIn(email, NEW);
      assert.match((await tab?.get("/console"))?.text ?? "", new RegExp(accountNumber));
      assert.equal((await openTab(service).get(path)).status, 404, "the link works once");
    });

    test("is told what is wrong, and has joined nobody until it is right", async () => {
      const { email } = await make();
      const { path } = await invite(email);
      for (const wrong of [
        { new_password: "short" },
        { confirm_password: "other" },
        { new_password: PASSWORD, confirm_password: PASSWORD },
      ]) {
        const answer = await openTab(service).post(path, { ...FORM, ...wrong }, { from: path });
        assert.equal(answer.status, 422, JSON.stringify(wrong));
        assert.equal(answer.headers.get("x-svc-error"), "console_form_refused");
      }
      for (const password of [PASSWORD, "short", NEW])
        assert.equal(await signIn(email, password), undefined);
    });
  });

test("of two posts at once one joins, and its password is the one", async () => {
  const { email } = await removed();
  const { path } = await invite(email);
  const passwords = [NEW, "Yet-Another-Pass-72!"];
  const answers = await Promise.all(
    passwords.map((one) =>
      openTab(service).post(path, { new_password: one, confirm_password: one }, { from: path }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 404]);
  for (const [at, password] of passwords.entries())
    assert.equal((await signIn(email, password)) !== undefined, answers[at]?.status === 303);
});

/** Back with the company that removed them. */
async function takeBack({ shop, personId }: Awaited<ReturnType<typeof removed>>): Promise<void> {
  await service.ctx.db.run(sql`
    insert into members (account_number, person_id, role)
    values (${shop.accountNumber}, ${personId}, 'viewer')`);
}

/** As a page sends it that was open while it had the form. */
const formOf = (path: string) => ({
  ...FORM,
  csrf_token: pageFormToken(service.ctx.config, `invite ${path.replace("/invite/", "")}`),
});

test("who is back with the first company meanwhile signs in, and the link sets no password", async () => {
  const who = await removed();
  const { path } = await invite(who.email);
  await takeBack(who);
  const answer = await openTab(service).post(path, formOf(path));
  assert.equal(answer.headers.get("location"), `/sign-in?next=${encodeURIComponent(path)}`);
  assert.notEqual(await signIn(who.email, PASSWORD), undefined);
  assert.equal(await signIn(who.email, NEW), undefined);
});

test("the same where they come back while the new password is hashed", async () => {
  const who = await removed();
  const { path } = await invite(who.email);
  const { passwords } = service.ctx;
  const { digest } = passwords;
  const hashing = mock.method(passwords, "digest", async (password: string) => {
    await takeBack(who);
    return digest(password);
  });
  const answer = await openTab(service).post(path, formOf(path));
  hashing.mock.restore();
  assert.equal(answer.status, 404);
  assert.notEqual(await signIn(who.email, PASSWORD), undefined);
  assert.equal(await signIn(who.email, NEW), undefined);
});

for (const [who, ofFrozen] of [
  ["the holder", (shop: Merchant) => shop.email],
  [
    "a member",
    async (shop: Merchant) => (await makeMember(service, shop.accountNumber, "admin")).email,
  ],
] as const)
  test(`${who} of a frozen account, which may be unfrozen, sets no password`, async () => {
    const frozen = await service.world.merchant();
    const email = await ofFrozen(frozen);
    const { path } = await invite(email);
    await service.ctx.db.run(sql`
      update accounts set status = 'frozen' where account_number = ${frozen.accountNumber}`);
    const tab = openTab(service);
    assert.match((await tab.get(path)).text, /Sign in, then accept/);
    const answer = await tab.post(path, formOf(path));
    assert.equal(answer.headers.get("location"), `/sign-in?next=${encodeURIComponent(path)}`);
  });
