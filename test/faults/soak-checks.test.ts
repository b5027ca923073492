/**
 * A check that cannot fail proves nothing: after a little real traffic in calm every check of the
 * soak holds, and each is broken by the one harm that it is there to find (Decision 0055).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { raw } from "sql-template-tag";
import { settingsOf, startAcquirer } from "../../scripts/soak/acquirer.ts";
import { CHECKS, checkAll } from "../../scripts/soak/check/check-all.ts";
import type { Evidence } from "../../scripts/soak/check/evidence.ts";
import { secretsAreNowhere } from "../../scripts/soak/check/rest.ts";
import { whatWasToldIsThere } from "../../scripts/soak/check/told.ts";
import { gather, type Participants } from "../../scripts/soak/participants.ts";
import type { PostOffice } from "../../scripts/soak/post-office.ts";
import { SETTINGS } from "../../scripts/soak/settings.ts";
import { settle } from "../../scripts/soak/settle.ts";
import { useKeys } from "../../scripts/soak/traffic/access.ts";
import { changePicture, pictureOf } from "../../scripts/soak/traffic/changes.ts";
import { refund, useConsole } from "../../scripts/soak/traffic/console.ts";
import { makeLink, useLink } from "../../scripts/soak/traffic/links.ts";
import { look } from "../../scripts/soak/traffic/looking.ts";
import { askForReceipt, forget } from "../../scripts/soak/traffic/mail.ts";
import { withdraw } from "../../scripts/soak/traffic/money.ts";
import { letGo } from "../../scripts/soak/traffic/pair.ts";
import { pay } from "../../scripts/soak/traffic/payments.ts";
import { causeMail } from "../../scripts/soak/traffic/post.ts";
import { runClients } from "../../scripts/soak/traffic/run-clients.ts";
import {
  simulatedOf,
  simulatePayment,
  simulateWithdrawal,
} from "../../scripts/soak/traffic/sandbox.ts";
import { startWitness } from "../../scripts/soak/witness.ts";
import { type Config, readConfig } from "../../src/infra/config.ts";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { sql } from "../../src/infra/db/query.ts";
import { sealAnswer } from "../../src/infra/http/serve/sealed-answer.ts";
import { createLog } from "../../src/infra/log.ts";
import { CHECKOUT_TOKEN } from "../../src/modules/checkout/session/checkout-token.ts";
import { runService, type Service } from "../../src/run-service.ts";
import { freshDatabase, type TestDatabase } from "../../testkit/database.ts";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import { sealedRows } from "../../testkit/sealed-answers.ts";
import { until } from "../../testkit/until.ts";
import { openPost } from "./soak-post-office.ts";

const TRAFFIC_MS = 1_500;
/** As far as the last rungs of the ladder, and further than a sign-in lasts. */
const FAR = { hours: 23 };
const log = createLog({ level: "silent" });
let config: Config;
let acquirer: PowertranzFake;
let post: PostOffice;
let database: TestDatabase;
let service: Service;
let db: Database;
let participants: Participants;
let evidence: Evidence;

before(async () => {
  database = await freshDatabase();
  acquirer = await startAcquirer();
  config = readConfig({ ...SETTINGS, ...settingsOf(acquirer), PORT: "0" });
  service = await runService({ config, databaseUrl: database.url, log });
  db = openDatabase({ url: database.url, connectionsMax: 4, log });
  const port = Number(new URL(service.address ?? "").port);
  participants = await gather({ db, ports: [port], seed: 7, count: 4, acquirer });
  const beganAt = performance.now();
  await runClients(participants.clients, [], () => performance.now() - beganAt > TRAFFIC_MS);
  for (const client of participants.clients) {
    for (let turn = 0; turn < 4; turn++) await pay(client, "sandbox");
    for (let turn = 0; turn < 4; turn++) await pay(client, "live");
    for (let turn = 0; turn < 6; turn++) await look(client);
    await makeLink(client);
    for (let turn = 0; turn < 4; turn++) await useLink(client);
    for (let turn = 0; turn < 12; turn++) await useConsole(client);
    await refund(client);
    await askForReceipt(client);
    await forget(client);
    for (let turn = 0; turn < 3; turn++) await simulatePayment(client);
    for (let turn = 0; turn < 3; turn++) await simulateWithdrawal(client);
    await withdraw(client);
    await useKeys(client);
  }
  const [first] = participants.clients;
  const { diary } = participants;
  while (first && diary.registers.get(pictureOf(first))?.told !== "a picture")
    await changePicture(first);
  participants.fleet.mend();
  const pair = await participants.openPair();
  await letGo(pair);
  post = await openPost();
  for (const client of post.clients) for (let turn = 0; turn < 6; turn++) await causeMail(client);
  await post.mailbox.mend();
  await sendAgainIn(FAR);
  const settled = await settle(db, { lastFaultAt: performance.now(), say: () => {}, acquirer });
  await settle(post.db, { lastFaultAt: performance.now(), say: () => {} });
  await participants.signInAnew();
  const witness = startWitness(db, 100);
  await sleep(100);
  await witness.stop();
  evidence = {
    ...{ db, acquirer, post, ...participants, witness, settled, weather: { forgotten: [] } },
    house: { words: () => ["all is well"], folders: [] },
  };
});
after(async () => {
  await participants.close();
  await db.close();
  await service.stop();
  await post.close();
  await acquirer.stop();
  await database.drop();
});

/** One that was delivered waits once more, as after many failures. */
async function sendAgainIn({ hours }: { hours: number }): Promise<void> {
  await until(async () => (await deliveredCount()) > 0, "something was delivered");
  const count = await db.run(sql`
    with one as (
      select delivery_id from webhook_deliveries where state = 'delivered' limit 1
    ), far as (
      update webhook_deliveries
      set state = 'waiting', ended_at = null, due_at = app_now() + make_interval(hours => ${hours})
      where delivery_id = (select delivery_id from one) returning endpoint_id, due_at
    )
    update webhook_endpoints as endpoint
    set next_due_at = least(next_due_at, far.due_at), wake_count = wake_count + 1
    from far where endpoint.endpoint_id = far.endpoint_id`);
  assert.equal(count, 1);
}

async function deliveredCount(): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int from webhook_deliveries where state = 'delivered'`);
  return count;
}

test("what waits for a day ends within seconds of the wall, because the clock goes there", () => {
  const { left, seconds, movedSeconds } = evidence.settled;
  assert.deepEqual(left, {});
  assert(movedSeconds > (FAR.hours - 1) * 3_600, `moved by ${movedSeconds} s`);
  assert(seconds < 15, `it took ${seconds} s`);
});

test("every check of the soak holds after traffic in calm, and has seen something", async () => {
  const broken = (await checkAll(evidence)).filter(({ wrong }) => wrong.length > 0);
  assert.deepEqual(broken, []);
});

/** Past every guard of the database, as a bug in them would be. */
const tamper = (statement: string) => () =>
  db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    assert((await tx.run(sql`${raw(statement)}`)) > 0, statement);
  });
const someOf = (table: string, key: string, where = "true") =>
  `${key} = (select ${key} from ${table} where ${where} limit 1)`;

const LIVE_AND_PAID = "environment = 'live' and status = 'success'";

const HARMS: Readonly<Record<string, () => unknown>> = {
  "money sums to zero": tamper(
    `update ledger_balances set balance_minor = balance_minor + 1
     where ${someOf("ledger_balances", "ledger_account_id")}`,
  ),
  "balances are their movements": tamper(
    `update ledger_transfers set amount_minor = amount_minor + 1
     where ${someOf("ledger_transfers", "posting_id")}`,
  ),
  "nobody is overdrawn": tamper(
    `update ledger_transfers set debit_balance_minor = -1 where debit_account_id in
       (select ledger_account_id from ledger_accounts where not is_of_the_house)`,
  ),
  "no more goes back than was paid": tamper(
    `update simulator_sales set voided_at = app_now()
     where ${someOf("simulator_sales", "reference", "outcome = 'approved' and voided_at is null")}`,
  ),
  "withdrawals are paid once": tamper(
    `update simulator_payouts set reference = gen_random_uuid()::text
     where ${someOf("simulator_payouts", "reference")}`,
  ),
  "live payments are the acquirer's": tamper(
    `update transactions set status = 'failed' where environment = 'live'
       and ${someOf("transactions", "transaction_id", LIVE_AND_PAID)}`,
  ),
  "payment links are paid once": tamper(
    `update payment_link_months set paid_count = paid_count + 1
     where ${someOf("payment_link_months", "link_id")}`,
  ),
  "the console's forms take effect once": tamper(
    "update refunds set amount_minor = amount_minor + 1",
  ),
  "promised mail is sent": tamper("delete from mails where reason like 'receipt %'"),
  "mail arrives": () => {
    const mailbox = { ...post.mailbox, received: () => [] };
    evidence = { ...evidence, post: { ...post, mailbox } };
  },
  "much money needs two": tamper("delete from approvals"),
  "what was simulated happened": async () => {
    const { id } = await db.one<{ id: string }>(sql`
      select transaction_id as id from withdrawals where status <> 'failed' limit 1`);
    participants.diary.register(simulatedOf(id), "").told = "failed";
  },
  "the request log is true": tamper(
    `insert into logged_requests select * from logged_requests
     where ${someOf("logged_requests", "request_id")}`,
  ),
  "what was told is there": tamper(
    `update transactions set data = 'other'
     where ${someOf("transactions", "transaction_id", "data <> ''")}`,
  ),
  "nothing happened twice": tamper(
    "update withdrawals set data = (select min(data) from withdrawals)",
  ),
  "every change is told": tamper(
    `delete from events where ${someOf("events", "event_id", "event = 'payment.created'")}`,
  ),
  "nothing was rewritten": tamper(
    `update ledger_postings set reference = 'other'
     where ${someOf("ledger_postings", "posting_id")}`,
  ),
  "ends stay ends": tamper("update transactions set status = 'error' where status = 'failed'"),
  "secrets are nowhere": () => {
    evidence = {
      ...evidence,
      house: { words: () => ["card 4111111111111111"], folders: [] },
    };
  },
  "dead credentials stay dead": () => participants.diary.complain("dead credentials", "a key: 200"),
  "nobody sees what is another's": () => {
    const [station] = participants.fleet.stations;
    Object.assign(station ?? {}, { accountNumber: "1" });
    participants.diary.complain("foreign records", "somebody got 200");
  },
  "all settles within a minute": () => {
    evidence = { ...evidence, settled: { ...evidence.settled, seconds: 61 } };
  },
  "limits count once for all": () => {
    const at = { beganAt: 1, endedAt: 2 };
    participants.diary.phoneChanges.set("1", [at, at, at, at, at, at]);
  },
  "pictures are whole": tamper("delete from pictures"),
  "answers were documented": () => {
    const asked = { method: "GET", path: "/livez" } as const;
    const answer = { status: 500, headers: {}, text: "", body: {}, beganAt: 0, endedAt: 0 };
    participants.watch.look(asked, answer);
  },
};

test("there is a harm for every check", () => {
  assert.deepEqual(Object.keys(HARMS), Object.keys(CHECKS));
});

test("an answer that is told otherwise under its key is found", async () => {
  const countBefore = (await whatWasToldIsThere(evidence)).wrong.length;
  // Sealed as ours are: one that does not open would be noticed when it is opened.
  const other = Buffer.from('{"message":"other"}');
  for (const row of await sealedRows(db))
    await db.run(sql`
      update idempotency_keys set body_box = ${sealAnswer(config.tokenPeppers.current, row, other)}
      where account_number = ${row.accountNumber} and environment = ${row.environment}
        and route = ${row.route} and idempotency_key = ${row.key}`);
  assert((await whatWasToldIsThere(evidence)).wrong.length > countBefore);
});

test("the address of a payment page in a log is found", async () => {
  const [token = ""] = participants.diary.checkoutTokens;
  assert.match(token, CHECKOUT_TOKEN);
  const house = { words: () => [`GET /checkout/${token}`], folders: [] };
  const { wrong } = await secretsAreNowhere({ ...evidence, house });
  assert.deepEqual(wrong, [`${token} is in a log`]);
});

for (const [name, harm] of Object.entries(HARMS))
  test(`the check that ${name} finds the harm that breaks it`, async () => {
    const check = CHECKS[name];
    assert(check !== undefined);
    const countBefore = (await check(evidence)).wrong.length;
    await harm();
    assert((await check(evidence)).wrong.length > countBefore);
  });
