/**
 * The guarantee (Decision 0119): from a set amount on an action at `/operator` is done only when a
 * second person agrees, once, as it was asked for; and the books balance whatever happens.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { hiddenOf, type Tab } from "../../testkit/console.ts";
import { sendMails } from "../../testkit/mails.ts";
import { operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import {
  act,
  makeOperator,
  saidAfter,
  signInOperator,
  type TestOperator,
} from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { expectAllToAddUp, type Owner, statusOf, withdraw } from "../../testkit/withdrawals.ts";
import { liveOwner } from "../api/withdrawals/bank-files-support.ts";

const service = await startService();
const { db } = service.ctx;
let owner: Owner;
let first: TestOperator;
let one: Tab;
let two: Tab;
before(async () => {
  owner = await liveOwner(service, { live: "100000.00 TTD" });
  first = await makeOperator(service, "finance");
  one = await signInOperator(service, first);
  two = await signInOperator(service, await makeOperator(service, "finance"));
});
beforeEach(() => db.run(sql`delete from approvals`));
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

async function heldOne(amount: string): Promise<string> {
  const id = await withdraw(service, owner, { environment: "live", amount });
  await operatorJson(service, ["hold-withdrawal", id, "--tell", "checked", ...SIGNED]);
  return id;
}

const release = (tab: Tab, id: string) => act(tab, "release-withdrawal", { transaction_id: id });

async function asked(id: string): Promise<string> {
  assert.match(await saidAfter(one, await release(one, id)), /^Waiting for approval: /);
  const row = await db.one<{ approval_id: string }>(sql`
    select approval_id from approvals where transaction_id = ${id} and state = 'waiting'`);
  return row.approval_id;
}

const decide = (tab: Tab, command: "approve" | "reject", approvalId: string) =>
  act(tab, command, { approval_id: approvalId }, "looked at it");

async function entries(id: string) {
  const rows = await db.rows<{
    action: string;
    actor: string;
    detail: Record<string, unknown>;
  }>(sql`
    select action, actor, detail from audit_entries
    where detail ->> 'transaction_id' = ${id} and actor like 'operator %' order by entry_id`);
  return rows;
}

test("below the amount one person is enough, and is named with place and reason", async () => {
  const id = await heldOne("4999.99");
  assert.match(await saidAfter(one, await release(one, id)), /is released/);
  assert.equal(await statusOf(service, id), "pending");
  const last = (await entries(id)).at(-1);
  assert.deepEqual([last?.action, last?.actor], ["withdrawal_released", `operator ${first.email}`]);
  assert.equal(last?.detail.why, "ticket 4711");
  assert.equal(last?.detail.person_id, first.personId);
  assert.ok(last?.detail.address && last.detail.browser);
});

describe("from TTD 5,000 on", () => {
  test("it waits, and another person's approval does it, once", async () => {
    const id = await heldOne("5000.00");
    const approvalId = await asked(id);
    assert.equal(await statusOf(service, id), "held");
    await sendMails(service.ctx);
    const { body: mails } = await service.request("/dev/mail.json");
    const mail = mails.find(({ text }: { text: string }) => text.includes(approvalId));
    const rule = /One of you has to approve it within a day; then the request ends\./;
    assert.match(mail.text.replaceAll("\n", " "), rule);
    assert.match(await saidAfter(two, await decide(two, "approve", approvalId)), /is released/);
    assert.equal(await statusOf(service, id), "pending");
    const [, , released, given] = (await entries(id)).slice(-4);
    assert.deepEqual([released?.action, given?.action], ["withdrawal_released", "approval_given"]);
    assert.equal(released?.actor, `operator ${first.email}`);
    assert.equal(released?.detail.approved_because, "looked at it");
    const again = await decide(two, "approve", approvalId);
    assert.equal(again.status, 409);
    assert.match(again.text, /It was decided before: it is approved\./);
  });

  test("its record's page tells of it, and offers the action again once it is decided", async () => {
    const id = await heldOne("5000.00");
    const page = async () => (await two.get(`/operator/withdrawals/${id}`)).text;
    assert.match(await page(), /actions\/release-withdrawal/);
    const approvalId = await asked(id);
    const waiting = await page();
    assert.match(waiting, /Waiting for approval: Release/);
    assert(waiting.includes(`${first.email} asked for it.`));
    assert(waiting.includes(`/operator/approvals/${approvalId}`));
    assert.doesNotMatch(waiting, /actions\/release-withdrawal/);
    assert.match(waiting, /actions\/fail-withdrawal/);
    await decide(two, "reject", approvalId);
    assert.doesNotMatch(await page(), /Waiting for approval/);
    assert.match(await page(), /actions\/release-withdrawal/);
  });

  test("its record's page tells of it though a whole list has waited longer", async () => {
    const id = await heldOne("5000.00");
    const approvalId = await asked(id);
    await db.run(sql`
      insert into approvals (command, input, account_number, transaction_id, currency,
        amount_minor, asked_by, asked_from, why, asked_at, expires_at)
      select command, input, account_number, 'other-' || n, currency, amount_minor, asked_by,
        asked_from, why, asked_at - interval '1 hour', expires_at
      from approvals, generate_series(1, 60) as n where approval_id = ${approvalId}`);
    const { text } = await two.get(`/operator/withdrawals/${id}`);
    assert(text.includes(`/operator/approvals/${approvalId}`));
    assert.match((await two.get("/operator")).text, /Approvals<\/span> <span class="waits">61</);
  });

  test("its like in another currency needs one, too", async () => {
    const { needsSecondPerson } = await import(
      "../../src/modules/operator/approvals/second-person.ts"
    );
    const config = { secondPersonFromTtd: 5000 };
    const needs = (currency: "TTD" | "USD" | "JMD", minor: bigint) =>
      needsSecondPerson(config, { currency, minor }, new Date("2026-11-18T00:00:00Z"));
    // 5,000 TTD at 6.80 are 735.294… USD, which at 155 are 113,970.58… JMD.
    assert.deepEqual(
      [needs("TTD", 4999_99n), needs("TTD", 5000_00n), needs("USD", 735_29n)],
      [false, true, false],
    );
    assert.deepEqual(
      [needs("USD", 735_30n), needs("JMD", 113_970_58n), needs("JMD", 113_970_59n)],
      [true, false, true],
    );
  });

  test("nobody approves their own, but may take it back", async () => {
    const id = await heldOne("6000.00");
    const approvalId = await asked(id);
    const page = await one.get(`/operator/approvals/${approvalId}`);
    assert.doesNotMatch(page.text, /actions\/approve/);
    const own = await decide(one, "approve", approvalId);
    assert.equal(own.status, 409);
    assert.match(own.text, /You asked for it yourself/);
    const named = await operator(service, [
      "approve",
      approvalId,
      ...["--by", first.email.toUpperCase(), "--why", "x"],
    ]);
    assert.match(named.stderr, /You asked for it yourself/);
    assert.equal(await statusOf(service, id), "held");
    assert.match(await saidAfter(one, await decide(one, "reject", approvalId)), /is rejected/);
    assert.equal((await decide(two, "approve", approvalId)).status, 409);
    assert.equal(await statusOf(service, id), "held");
  });

  test("of two approvals at once one has an effect", async () => {
    const third = await signInOperator(service, await makeOperator(service, "admin"));
    const id = await heldOne("7000.00");
    const approvalId = await asked(id);
    const answers = await Promise.all([
      decide(two, "approve", approvalId),
      decide(third, "approve", approvalId),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409]);
    const done = (await entries(id)).filter(({ action }) => action === "withdrawal_released");
    assert.equal(done.length, 1);
  });

  test("what is no longer possible is refused with its sentence, and the request ends", async () => {
    const id = await heldOne("8000.00");
    const approvalId = await asked(id);
    await operatorJson(service, ["release-withdrawal", id, ...SIGNED]);
    const said = await saidAfter(two, await decide(two, "approve", approvalId));
    assert.match(said, /its request has ended\. .* is not held: it is pending\./);
    const { state } = await db.one<{ state: string }>(sql`
      select state from approvals where approval_id = ${approvalId}`);
    assert.equal(state, "refused");
  });

  test("after a day it is over, and can be asked for again", async () => {
    const id = await heldOne("9000.00");
    const approvalId = await asked(id);
    assert.equal((await release(one, id)).status, 409, "the same is waiting already");
    await db.run(sql`update approvals set expires_at = now() - interval '1 second'`);
    const late = await decide(two, "approve", approvalId);
    assert.equal(late.status, 409);
    assert.match(late.text, /Too much time has passed/);
    assert.equal(await statusOf(service, id), "held");
    await asked(id);
  });

  test("a role that may not act may not approve", async () => {
    const risk = await signInOperator(service, await makeOperator(service, "risk"));
    const id = await heldOne("9500.00");
    const approvalId = await asked(id);
    const answer = await decide(risk, "approve", approvalId);
    assert.equal(answer.status, 409);
    assert.match(answer.text, /Your role may not do this action/);
    assert.equal(await statusOf(service, id), "held");
  });

  test("what is impossible already is refused before anybody is asked", async () => {
    const id = await withdraw(service, owner, { environment: "live", amount: "5100.00" });
    const answer = await release(one, id);
    assert.equal(answer.status, 409);
    assert.match(answer.text, /is not held: it is pending\./);
    const { count } = await db.one<{ count: number }>(sql`
      select count(*)::int as count from approvals`);
    assert.equal(count, 0);
  });
});

test("a form sent twice acts once and leads to the same page", async () => {
  const id = await heldOne("100.00");
  const path = "/operator/actions/release-withdrawal";
  const hidden = hiddenOf(await one.get(`${path}?transaction_id=${id}`));
  const send = () =>
    one.post(path, { ...hidden, transaction_id: id, why: "twice" }, { from: path });
  const [left, right] = await Promise.all([send(), send()]);
  assert.deepEqual([left?.status, right?.status], [303, 303]);
  assert.equal(left?.headers.get("location"), right?.headers.get("location"));
  const done = (await entries(id)).filter(({ action }) => action === "withdrawal_released");
  assert.equal(done.length, 1);
});

test("no action is done without a reason", async () => {
  const id = await heldOne("100.00");
  const answer = await act(one, "release-withdrawal", { transaction_id: id }, "  ");
  assert.equal(answer.status, 400);
  assert.match(answer.text, /“Reason” is required/);
  assert.equal(await statusOf(service, id), "held");
});
