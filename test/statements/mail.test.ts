/**
 * The statement of a month is mailed once, from the first of the next in the account's time zone
 * on, to the members who asked for it before; one that cannot be made delays no other, and is made
 * later (Decision 0088).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { now } from "../../src/infra/db/clock.ts";
import { sql } from "../../src/infra/db/query.ts";
import { SECOND_MS } from "../../src/kit/clock.ts";
import { addDays, dayAt, startOfDay } from "../../src/kit/local-day.ts";
import { mailStatements } from "../../src/modules/statements/mail-statements.ts";
import { signInTo } from "../../testkit/console.ts";
import { sendMails } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const ZONE = "America/Port_of_Spain";
const PAGE = "/console/settings/notifications";

async function statementsTo(email: string): Promise<{ subject: string; text: string }[]> {
  await mailStatements(service.ctx);
  await sendMails(service.ctx);
  const { body } = await service.request("/dev/mail.json");
  return body.filter(
    (mail: { to: string; subject: string }) =>
      mail.to === email && mail.subject.startsWith("Your statement"),
  );
}

async function goTo(moment: Date): Promise<void> {
  const at = await now(service.ctx.db);
  await service.clock.advance({ seconds: (moment.getTime() - at.getTime()) / SECOND_MS });
}

/** The first day of the next month there, as the clock is. */
async function nextFirst(): Promise<string> {
  const today = dayAt(await now(service.ctx.db), ZONE);
  return `${addDays(`${today.slice(0, 7)}-01`, 32).slice(0, 7)}-01`;
}

const startOf = (day: string) => startOfDay(day, ZONE).getTime();

async function subscribed() {
  const merchant = await service.world.merchant();
  const tab = await signInTo(service, merchant);
  const saved = await tab.post(PAGE, { statements: "yes" }, { from: PAGE });
  assert.equal(saved.status, 303);
  return merchant;
}

test("on the first of the month, once, and to members who asked", async () => {
  const [asked, other] = [await subscribed(), await service.world.merchant()];
  const first = await nextFirst();
  // The last minute of the month in Trinidad, which is four hours later than in London.
  await goTo(new Date(startOf(first) - 60 * SECOND_MS));
  assert.deepEqual(await statementsTo(asked.email), []);
  await goTo(new Date(startOf(first) + 60 * SECOND_MS));
  for (let i = 0; i < 2; i++) {
    const [mail, ...more] = await statementsTo(asked.email);
    assert.equal(more.length, 0);
    assert.equal(mail?.subject, `Your statement of ${addDays(first, -1).slice(0, 7)}`);
    assert.match(mail?.text ?? "", /See it day by day/);
  }
  assert.deepEqual(await statementsTo(other.email), []);
});

test("some days late where no worker ran on the first, and not of a month before it was asked for", async () => {
  const early = await subscribed();
  const first = await nextFirst();
  await goTo(new Date(startOf(addDays(first, 9))));
  const late = await subscribed();
  for (let i = 0; i < 2; i++) {
    const [mail, ...more] = await statementsTo(early.email);
    assert.equal(mail?.subject, `Your statement of ${addDays(first, -1).slice(0, 7)}`);
    assert.deepEqual(more, []);
  }
  assert.deepEqual(await statementsTo(late.email), []);
});

test("once, also where the mail that was sent is forgotten before the month is over", async () => {
  const asked = await subscribed();
  const first = await nextFirst();
  await goTo(new Date(startOf(first) + 60 * SECOND_MS));
  assert.equal((await statementsTo(asked.email)).length, 1);
  await service.ctx.db.run(sql`delete from mails where recipient = ${asked.email}`);
  await goTo(new Date(startOf(addDays(first, 27))));
  await mailStatements(service.ctx);
  const waiting = await service.ctx.db.rows(sql`
    select reason from mails where recipient = ${asked.email}`);
  assert.deepEqual(waiting, []);
});

test("to everybody else, where one cannot be made; to that one later", async () => {
  const all = [await subscribed(), await subscribed(), await subscribed()].toSorted((a, b) =>
    a.accountNumber < b.accountNumber ? -1 : 1,
  );
  const [busy, ...others] = all;
  assert(busy !== undefined);
  await goTo(new Date(startOf(await nextFirst()) + 60 * SECOND_MS));
  await setEntries(busy.accountNumber, 30_000);
  for (const { email } of others) assert.equal((await statementsTo(email)).length, 1);
  assert.deepEqual(await statementsTo(busy.email), []);
  assert(service.logged.some((line) => line.includes(`statement ${busy.accountNumber}`)));
  await setEntries(busy.accountNumber, 0);
  assert.equal((await statementsTo(busy.email)).length, 1);
});

/** More than are read when a statement is asked for, as after an upgrade. */
function setEntries(accountNumber: string, count: number): Promise<void> {
  return service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      insert into ledger_accounts (environment, currency, kind, account_number)
      values ('live', 'TTD', 'available', ${accountNumber}) on conflict do nothing`);
    await tx.run(sql`
      insert into ledger_balances (ledger_account_id, may_go_below_zero, entry_count)
      select ledger_account_id, false, ${count} from ledger_accounts
      where account_number = ${accountNumber} and environment = 'live'
      on conflict (ledger_account_id) do update set entry_count = excluded.entry_count`);
  });
}
