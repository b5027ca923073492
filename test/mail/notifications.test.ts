/**
 * The guarantee: members are mailed of a payment that came in, a dispute, and a withdrawal that is
 * held, has failed or came back, once each, as they chose and as far as their role may see it; the
 * sandbox mails nobody where mail leaves the machine (Decision 0143).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { workOffNotes } from "../../src/infra/jobs/due-notes.ts";
import { notificationsDue } from "../../src/modules/notifications/mail-notifications.ts";
import { setNotificationChoices } from "../../src/modules/notifications/notification-choices.ts";
import { membersOf } from "../../src/modules/people/member.ts";
import { confirmFraud, openChargeback } from "../../src/modules/transactions/dispute.ts";
import { moveWithdrawal } from "../../src/modules/withdrawals/move-withdrawal.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { makeMember, signInTo } from "../../testkit/console.ts";
import { PRODUCTION_SETTINGS, sendMails, startSmtpServer } from "../../testkit/mails.ts";
import { makeLink } from "../../testkit/payment-links.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  newPayment,
  openShop,
  pay,
  type Shop,
} from "../../testkit/transactions.ts";
import { NORMAL, openOwner, withdraw } from "../../testkit/withdrawals.ts";

const PAGE = "/console/settings/notifications";

const service = await startService();
const smtp = await startSmtpServer();
const production = await startService({
  settings: { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url },
});
// Production refuses to simulate live money; here nobody is charged.
Object.assign(production.ctx.gateways, { live: production.ctx.gateways.sandbox });
after(async () => {
  await smtp.stop();
  for (const each of [service, production]) {
    await expectBooksToBalance(each.ctx.db);
    await each.stop();
  }
});

interface Received {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const queue = ({ ctx }: TestService) => workOffNotes(ctx.db, notificationsDue(ctx));

async function deliver(service: TestService): Promise<void> {
  await service.numberEvents();
  await queue(service);
  await sendMails(service.ctx);
}

const NEWS = /A customer paid|disputes|was fraud|A withdrawal|More withdrawals/;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

/** Oldest first. */
async function newsTo(...emails: readonly string[]): Promise<Received[]> {
  await deliver(service);
  const { body } = await service.request("/dev/mail.json");
  return body
    .filter(({ to, subject }: Received) => emails.includes(to) && NEWS.test(subject))
    .map((mail: Received) => ({ ...mail, subject: plain(mail.subject), text: plain(mail.text) }))
    .reverse();
}

async function subjectsTo(...emails: readonly string[]): Promise<string[]> {
  return (await newsTo(...emails)).map(({ subject }) => subject);
}

async function payByLink(shop: Shop, environment: "live" | "sandbox" = "live"): Promise<string> {
  const { id: linkId } = await makeLink(service, shop, { environment });
  const link = { linkId, reference: "for Anika" };
  const row = await pay(service, newPayment(shop, { environment, link }), APPROVED);
  return row.transaction_id;
}

describe("a payment that came in", () => {
  test("by a link is mailed to owners, once, with the way to its page", async () => {
    const shop = await openShop(service);
    const id = await payByLink(shop, "sandbox");
    const mails = await newsTo(shop.email);
    assert.equal(mails.length, 1);
    const [mail] = mails;
    assert.equal(mail?.subject, "[Sandbox] A customer paid TTD 105.20");
    for (const line of ["Payment link: Yoga class", `Reference: ${id}`, `/console/payments/${id}`])
      assert(mail?.text.includes(line), `${line} in ${mail?.text}`);
    assert.doesNotMatch(mail?.text ?? "", /anika/i, "nothing that a customer typed");
    assert.equal((await newsTo(shop.email)).length, 1);
  });

  test("by a shop is mailed to who wants every payment, and to nobody else", async () => {
    const shop = await openShop(service);
    const viewer = await makeMember(service, shop.accountNumber, "viewer");
    const finance = await makeMember(service, shop.accountNumber, "finance");
    await pay(service, newPayment(shop), APPROVED);
    assert.deepEqual(await subjectsTo(shop.email, viewer.email, finance.email), []);
    const tab = await signInTo(service, viewer);
    await tab.post(PAGE, { payments: "all" }, { from: PAGE });
    await pay(service, newPayment(shop), APPROVED);
    await pay(service, newPayment(shop), DECLINED);
    assert.deepEqual(await subjectsTo(viewer.email), ["A customer paid TTD 105.20"]);
    assert.deepEqual(await subjectsTo(shop.email, finance.email), []);
  });

  test("is mailed to no owner who wants none, and a form without the choice keeps it", async () => {
    const shop = await openShop(service);
    const tab = await signInTo(service, shop);
    assert.match((await tab.get(PAGE)).text, /<option value="by_link" selected>/);
    await tab.post(PAGE, { payments: "none", disputes: "yes" }, { from: PAGE });
    await tab.post(PAGE, { statements: "yes" }, { from: PAGE });
    const page = await tab.get(PAGE);
    assert.match(page.text, /<option value="none" selected>/);
    assert.match(page.text, /name="disputes"[^>]* checked/);
    assert.doesNotMatch(page.text, /name="withdrawals"[^>]* checked/);
    await payByLink(shop);
    assert.deepEqual(await subjectsTo(shop.email), []);
  });

  test("is queued once, however many do the work at once", async () => {
    const shop = await openShop(service);
    await payByLink(shop);
    await service.numberEvents();
    await Promise.all([1, 2, 3].map(() => queue(service)));
    assert.deepEqual(await subjectsTo(shop.email), ["A customer paid TTD 105.20"]);
  });
});

test("a dispute and confirmed fraud are mailed to owners and finance", async () => {
  const shop = await openShop(service);
  const finance = await makeMember(service, shop.accountNumber, "finance");
  const support = await makeMember(service, shop.accountNumber, "support");
  const { transaction_id: transactionId } = await pay(service, newPayment(shop), APPROVED);
  const by = { transactionId, by: "nia", why: "the bank says so" };
  await service.ctx.db.transaction((tx) => openChargeback(tx, by));
  await service.ctx.db.transaction((tx) => confirmFraud(tx, by));
  for (const { email } of [shop, finance]) {
    const [opened, fraud, ...more] = await newsTo(email);
    assert.equal(opened?.subject, "A customer disputes TTD 105.20");
    assert.match(fraud?.subject ?? "", /^A payment of TTD \S+ was fraud$/);
    assert.match(opened?.text ?? "", /As much of it as your balance had is held until the bank/);
    assert.match(opened?.text ?? "", /proves the sale.* send it to us soon: banks often allow/s);
    assert.deepEqual(more, []);
  }
  assert.deepEqual(await subjectsTo(support.email), []);
});

test("a dispute names the bank's day where there is one, also on the payment's page", async () => {
  const shop = await openShop(service);
  const { transaction_id: transactionId } = await pay(service, newPayment(shop), APPROVED);
  const by = { transactionId, by: "nia", why: "the bank says so", answerBy: "2027-01-05" };
  await service.ctx.db.transaction((tx) => openChargeback(tx, by));
  const said = /send it to us in time: the bank wants an answer by 5 January 2027\./;
  const [mail] = await newsTo(shop.email);
  assert.match(mail?.text.replaceAll("\n", " ") ?? "", said);
  const tab = await signInTo(service, shop);
  assert.match((await tab.get(`/console/payments/${transactionId}`)).text, said);
});

test("a withdrawal that is held, came back or failed is mailed to who may see it", async () => {
  const owner = await openOwner(service);
  const finance = await makeMember(service, owner.accountNumber, "finance");
  const admin = await makeMember(service, owner.accountNumber, "admin");
  const id = await withdraw(service, owner, NORMAL);
  const move = (to: "held" | "failed", reason: string) =>
    service.ctx.db.transaction((tx) => moveWithdrawal(tx, id, { to, reason }));
  // An older form may name what the role does not see.
  const tab = await signInTo(service, admin);
  await tab.post(PAGE, { payments: "all", withdrawals: "yes" }, { from: PAGE });
  await move("held", "The name differs.");
  await deliver(service);
  await move("failed", "No such account.");
  for (const { email } of [owner, finance]) {
    const [held, failed, ...more] = await newsTo(email);
    assert.equal(held?.subject, "[Sandbox] A withdrawal of TTD 100.00 is held");
    assert.match(held?.text ?? "", /Reason: The name differs\./);
    assert.equal(failed?.subject, "[Sandbox] A withdrawal of TTD 100.00 has failed");
    assert.match(failed?.text ?? "", /Its money is in your balance again\./);
    assert.deepEqual(more, []);
  }
  assert.deepEqual(await subjectsTo(admin.email), []);
});

test("many withdrawals of one hour share a mail from the eleventh on", async () => {
  const owner = await openOwner(service);
  const { db } = service.ctx;
  const ids = await Promise.all(Array.from({ length: 13 }, () => withdraw(service, owner, NORMAL)));
  for (const id of ids)
    await db.transaction((tx) => moveWithdrawal(tx, id, { to: "held", reason: "It is checked." }));
  // One hour, but where the clock struck meanwhile.
  const hours = await db.rows<{ count: number }>(sql`
    select count(*)::integer as count from events
    where account_number = ${owner.accountNumber} and event = 'withdrawal.held'
    group by date_trunc('hour', occurred_at, 'UTC')`);
  const own = hours.reduce((sum, { count }) => sum + Math.min(count, 10), 0);
  const shared = hours.filter(({ count }) => count > 10).length;
  const mails = await newsTo(owner.email);
  const more = mails.filter(({ subject }) => subject === "[Sandbox] More withdrawals are held");
  assert.deepEqual([mails.length, more.length], [own + shared, shared]);
  for (const { text } of more) assert.match(text, /See Withdrawals[\s\S]*\/console\/withdrawals\s/);
});

test("a choice that the form did not show stays open until the role shows it", async () => {
  const owner = await openOwner(service);
  const { accountNumber } = owner;
  const viewer = await makeMember(service, accountNumber, "viewer");
  const setRole = (role: string) =>
    service.ctx.db.run(sql`
      update members set role = ${role}
      where account_number = ${accountNumber} and person_id = ${viewer.personId}`);
  const hold = async () => {
    const id = await withdraw(service, owner, NORMAL);
    await service.ctx.db.transaction((tx) =>
      moveWithdrawal(tx, id, { to: "held", reason: "The name differs." }),
    );
  };
  const tab = await signInTo(service, viewer);
  await tab.post(PAGE, { statements: "yes", payments: "none" }, { from: PAGE });
  await hold();
  assert.deepEqual(await subjectsTo(viewer.email), []);
  await setRole("finance");
  await hold();
  const held = "[Sandbox] A withdrawal of TTD 100.00 is held";
  assert.deepEqual(await subjectsTo(viewer.email), [held]);
  assert.match((await tab.get(PAGE)).text, /name="withdrawals"[^>]* checked/);
  await tab.post(PAGE, { payments: "none" }, { from: PAGE });
  await setRole("viewer");
  await tab.post(PAGE, { payments: "none" }, { from: PAGE });
  await setRole("owner");
  await hold();
  assert.deepEqual(await subjectsTo(viewer.email), [held], "what was chosen is kept");
});

test("where mail leaves the machine, the sandbox mails nobody", async () => {
  const shop = await openShop(production);
  const { accountNumber } = shop;
  const [owner] = await membersOf(production.ctx.db, accountNumber);
  assert(owner !== undefined);
  const wanted = { payments: "all", disputes: true, withdrawals: true } as const;
  const membership = { accountNumber, personId: owner.personId };
  await setNotificationChoices(production.ctx.db, membership, wanted);
  await pay(production, newPayment(shop, { environment: "sandbox" }), APPROVED);
  await deliver(production);
  assert.equal(smtp.received.length, 0);
  await pay(production, newPayment(shop), APPROVED);
  await deliver(production);
  assert.deepEqual(
    smtp.received.map(({ subject }) => plain(subject ?? "")),
    ["A customer paid TTD 105.20"],
  );
});
