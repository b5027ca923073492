/**
 * Who loses their role or session at the moment that they manage members changes nothing any more:
 * no promotion, no invitation is left behind (Decision 0084). Each race is made certain: the change
 * waits for the account's row while the role is taken.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import type { Tx } from "../../src/infra/db/transaction.ts";
import { makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { untilWaiting } from "../../testkit/lock-waits.ts";
import { startService, type TestAnswer } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const { db } = service.ctx;

const MEMBERS = "/console/settings/members";

async function open() {
  const { accountNumber } = await service.world.merchant();
  const manager = await makeMember(service, accountNumber, "admin");
  const viewer = await makeMember(service, accountNumber, "viewer");
  return { accountNumber, manager, viewer, tab: await signInTo(service, manager) };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** The post begins, waits for the account, and goes on after the manager lost what they had. */
async function lateBy(
  { accountNumber }: Opened,
  lose: (tx: Tx) => Promise<unknown>,
  post: () => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const { answer } = await db.transaction(async (tx) => {
    await tx.run(sql`select from accounts where account_number = ${accountNumber} for update`);
    const posted = post();
    await untilWaiting(db);
    await lose(tx);
    return { answer: posted };
  });
  return answer;
}

async function stateOf({ accountNumber, viewer }: Opened) {
  const { role } = await db.one<{ role: string }>(sql`
    select role from members
    where account_number = ${accountNumber} and person_id = ${viewer.personId}`);
  const { open: invitations } = await db.one<{ open: number }>(sql`
    select count(*)::int as open from invitations
    where account_number = ${accountNumber} and withdrawn_at is null`);
  return { role, invitations };
}

const LOSSES: Record<string, (opened: Opened) => (tx: Tx) => Promise<unknown>> = {
  "is removed":
    ({ accountNumber, manager }) =>
    (tx) =>
      tx.run(sql`
      delete from members
      where account_number = ${accountNumber} and person_id = ${manager.personId}`),
  "becomes a viewer":
    ({ accountNumber, manager }) =>
    (tx) =>
      tx.run(sql`
      update members set role = 'viewer'
      where account_number = ${accountNumber} and person_id = ${manager.personId}`),
  "is signed out":
    ({ manager }) =>
    (tx) =>
      tx.run(sql`
      update console_sessions set ended_at = real_now() where person_id = ${manager.personId}`),
};

const POSTS: Record<string, (tab: Tab, opened: Opened) => Promise<TestAnswer>> = {
  "a promotion": (tab, { viewer }) =>
    tab.post(`${MEMBERS}/${viewer.personId}/role`, { role: "finance" }, { from: MEMBERS }),
  "a removal": (tab, { viewer }) =>
    tab.post(`${MEMBERS}/${viewer.personId}/remove`, {}, { from: MEMBERS }),
  "an invitation": (tab, { accountNumber }) =>
    tab.post(
      MEMBERS,
      { email: `late-${accountNumber}@example.com`, role: "viewer" },
      { from: MEMBERS },
    ),
};

for (const [loss, lose] of Object.entries(LOSSES))
  for (const [name, post] of Object.entries(POSTS))
    test(`${name} by an admin who ${loss} at that moment has no effect`, async () => {
      const opened = await open();
      const answer = await lateBy(opened, lose(opened), () => post(opened.tab, opened));
      assert.notEqual(answer.status, 500, answer.text);
      assert.deepEqual(await stateOf(opened), { role: "viewer", invitations: 0 });
    });
