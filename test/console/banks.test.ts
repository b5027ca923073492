/**
 * Bank details are added, changed and removed in the console by the rules of the API, with a fresh
 * proof; numbers are shown by their ends; owners hear of every change, wherever it was made.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { readMailbox } from "../../src/modules/mail/mailbox.ts";
import { auditsOf } from "../../testkit/auth.ts";
import {
  bank,
  bankRows,
  FOREIGN_BANK,
  type Holder,
  JM_BANK,
  signedIn,
  TT_BANK,
} from "../../testkit/banks.ts";
import { hiddenOf, makeMember, signInTo } from "../../testkit/console.ts";
import { sendMails } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const LIST = "/console/withdrawals";
const LOCAL = `${LIST}/banks/local`;
const FOREIGN = `${LIST}/banks/foreign`;
const HOSTILE = `"><img src=x onerror=alert(1)>`;

async function mailsAboutBanks(email: string) {
  const mails = await readMailbox(service.ctx);
  return mails.filter(({ to, subject }) => to === email && subject.includes("bank"));
}

const shown = async (who: Holder, type: "local" | "foreign") =>
  (await bank(service, who, "GET", type)).body.data[type];

test("a bank at home is added, changed and removed, and shown by its end", async () => {
  const who = await signedIn(service);
  const tab = await signInTo(service, who);
  assert.match((await tab.get(LIST)).text, /There are no bank details for TTD yet/);
  const added = await tab.post(LOCAL, TT_BANK, { from: LOCAL });
  assert.equal(added.headers.get("location"), `${LIST}?done=bank`, added.text);
  const list = await tab.get(`${LIST}?done=bank`);
  assert.match(list.text, /First Citizens/);
  assert.match(list.text, /•••• 5678/);
  assert.ok(!list.text.includes(TT_BANK.bank_account));
  assert.match(list.text, /The bank details have been saved/);
  const form = await tab.get(LOCAL);
  assert.ok(!form.text.includes(TT_BANK.bank_account));
  // Without a number the old one stays.
  const renamed = { ...TT_BANK, bank_account: "", name_in_bank: "Ali" };
  assert.equal((await tab.post(LOCAL, renamed, { from: LOCAL })).status, 303);
  assert.deepEqual(await shown(who, "local"), {
    ...TT_BANK,
    bank_account: "****5678",
    name_in_bank: "Ali",
    bank_account_type: null,
    bank_branch: null,
  });
  const elsewhere = { ...renamed, bank_name: "Republic Bank LTD" };
  const refused = await tab.post(LOCAL, elsewhere, { from: LOCAL });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /The bank account field is required with another bank/);
  assert.match(refused.text, /value="Republic Bank LTD" selected/);
  const asked = await tab.get(`${LOCAL}/remove`);
  assert.match(asked.text, /Remove these bank details\?/);
  const removed = await tab.post(`${LOCAL}/remove`, {}, { from: `${LOCAL}/remove` });
  assert.equal(removed.headers.get("location"), `${LIST}?done=bank_removed`);
  assert.equal(await bankRows(service, who, "local"), 0);
  assert.equal((await tab.get(`${LOCAL}/remove`)).headers.get("location"), LIST);
});

test("Jamaica asks for the branch and the kind of account; others do not", async () => {
  const jamaican = await signedIn(service, "JM");
  const tab = await signInTo(service, jamaican);
  const form = await tab.get(LOCAL);
  assert.match(form.text, /name="bank_branch"/);
  assert.match(form.text, /Half Way Tree \(/);
  const { bank_branch, ...without } = JM_BANK;
  const refused = await tab.post(LOCAL, without, { from: LOCAL });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /The bank branch field is required/);
  const wrong = await tab.post(LOCAL, { ...without, bank_branch: "Nowhere" }, { from: LOCAL });
  assert.equal(wrong.status, 400);
  assert.equal((await tab.post(LOCAL, { ...without, bank_branch }, { from: LOCAL })).status, 303);
  assert.equal((await shown(jamaican, "local")).bank_branch, bank_branch);
  const trinidadian = await signInTo(service, await signedIn(service));
  assert.ok(!(await trinidadian.get(LOCAL)).text.includes("bank_branch"));
});

test("a bank abroad, and texts that would be markup", async () => {
  const who = await signedIn(service);
  const tab = await signInTo(service, who);
  const hostile = { ...FOREIGN_BANK, beneficiary_bank: HOSTILE, beneficiary_name: HOSTILE };
  assert.equal((await tab.post(FOREIGN, hostile, { from: FOREIGN })).status, 303);
  assert.equal((await shown(who, "foreign")).beneficiary_bank, HOSTILE);
  for (const page of [LIST, FOREIGN, `${FOREIGN}/remove`, `${LIST}/new`]) {
    const { text } = await tab.get(page);
    assert.ok(!text.includes("<img"), page);
    assert.match(text, /&quot;&gt;&lt;img/, page);
  }
  const refused = await tab.post(
    FOREIGN,
    { ...hostile, beneficiary_bank_swift_or_routing_code: HOSTILE },
    { from: FOREIGN },
  );
  assert.equal(refused.status, 400);
  assert.ok(!refused.text.includes("<img"));
});

test("the same form twice adds one bank; without a fresh proof none is written", async () => {
  const who = await signedIn(service);
  const tab = await signInTo(service, who);
  const hidden = hiddenOf(await tab.get(LOCAL));
  const send = () => tab.post(LOCAL, { ...TT_BANK, ...hidden }, { from: LOCAL });
  const answers = await Promise.all([send(), send(), send()]);
  for (const { status } of answers) assert.equal(status, 303);
  assert.equal(await auditsOf(service, who, "bank_added"), 1);
  await service.clock.advance({ minutes: 6 });
  for (const page of [LOCAL, `${LOCAL}/remove`]) {
    assert.match((await tab.get(page)).headers.get("location") ?? "", /^\/console\/prove/);
    const posted = await tab.post(page, { name_in_bank: "Ali" }, { from: LIST });
    assert.match(posted.headers.get("location") ?? "", /^\/console\/prove/);
  }
  assert.equal((await shown(who, "local")).name_in_bank, TT_BANK.name_in_bank);
});

test("every owner is told by mail, of changes by programs too, and by whom", async () => {
  const who = await signedIn(service);
  const second = await makeMember(service, who.accountNumber, "owner");
  const finance = await makeMember(service, who.accountNumber, "finance");
  const tab = await signInTo(service, finance);
  assert.equal((await tab.post(LOCAL, TT_BANK, { from: LOCAL })).status, 303);
  await bank(service, who, "PATCH", "local", { json: { name_in_bank: "Ali" } });
  await bank(service, who, "DELETE", "local");
  // One that is refused is no change.
  await bank(service, who, "DELETE", "local");
  await sendMails(service.ctx);
  for (const { email } of [who, second]) {
    const mails = await mailsAboutBanks(email);
    const subjects = mails.map(({ subject }) => subject).toSorted();
    assert.deepEqual(subjects, [
      "Your local bank details were added",
      "Your local bank details were changed",
      "Your local bank details were removed",
    ]);
    const added = mails.find(({ subject }) => subject.endsWith("added"))?.text ?? "";
    assert.match(added, /A finance/);
    assert.match(added, /127\.0\.0\.1|::1/);
    const changed = mails.find(({ subject }) => subject.endsWith("changed"))?.text ?? "";
    assert.match(changed, /A program that signed in with the password/);
    for (const { text } of mails) assert.ok(!text.includes(TT_BANK.bank_account));
  }
  assert.deepEqual(await mailsAboutBanks(finance.email), []);
});

test("audit entries name the person, address and browser", async () => {
  const who = await signedIn(service);
  const tab = await signInTo(service, who);
  await tab.post(LOCAL, TT_BANK, { from: LOCAL });
  const { detail } = await service.ctx.db.one<{ detail: Record<string, string> }>(sql`
    select detail from audit_entries
    where account_number = ${who.accountNumber} and action = 'bank_added'`);
  assert.deepEqual(Object.keys(detail).toSorted(), [
    "address",
    "browser",
    "person_id",
    "session_id",
    "type",
  ]);
});
