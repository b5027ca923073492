/**
 * A check that cannot fail proves nothing: after a little real traffic in calm every check of the
 * soak holds, and each is broken by the one harm that it is there to find (Decision 0055).
 */

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { settingsOf, startAcquirer } from "../../scripts/soak/acquirer.ts";
import { nobodySeesWhatIsAnothers } from "../../scripts/soak/check/access.ts";
import { CHECKS, checkAll } from "../../scripts/soak/check/check-all.ts";
import type { Evidence } from "../../scripts/soak/check/evidence.ts";
import { secretsAreNowhere } from "../../scripts/soak/check/rest.ts";
import { whatWasToldIsThere } from "../../scripts/soak/check/told.ts";
import { openPatiently } from "../../scripts/soak/open-patiently.ts";
import { gather, type Participants } from "../../scripts/soak/participants.ts";
import type { PostOffice } from "../../scripts/soak/post-office.ts";
import { SETTINGS } from "../../scripts/soak/settings.ts";
import { SETTLE_SECONDS_MAX, settle } from "../../scripts/soak/settle.ts";
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
import { simulatePayment, simulateWithdrawal } from "../../scripts/soak/traffic/sandbox.ts";
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
import { HARMS } from "./soak-harms.ts";
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
let patient: Database;
let participants: Participants;
let evidence: Evidence;
/** As one of the database, with a file that holds nothing secret. */
let folder: string;

before(async () => {
  database = await freshDatabase();
  acquirer = await startAcquirer();
  config = readConfig({ ...SETTINGS, ...settingsOf(acquirer), PORT: "0" });
  service = await runService({ config, databaseUrl: database.url, log });
  db = openDatabase({ url: database.url, connectionsMax: 4, log });
  patient = openPatiently(database.url, db);
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
  folder = mkdtempSync(path.join(tmpdir(), "windward-soak-checks-"));
  writeFileSync(path.join(folder, "1234"), "all is well");
  const faults = new Map([["kill web", 2] as const]);
  const weather = { planned: faults, counts: faults, forgotten: [] };
  evidence = {
    ...{ db: patient, acquirer, post, ...participants, witness, settled, weather },
    house: { words: () => ["all is well"], folders: [folder] },
  };
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await participants.close();
  await Promise.all([db.close(), patient.close()]);
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

test("what waits for a day ends within a minute of the wall, because the clock goes there", () => {
  const { left, seconds, movedSeconds } = evidence.settled;
  assert.deepEqual(left, {});
  assert(movedSeconds > (FAR.hours - 1) * 3_600, `moved by ${movedSeconds} s`);
  assert(seconds < SETTLE_SECONDS_MAX, `it took ${seconds} s`);
});

test("every check of the soak holds after traffic in calm, and has seen something", async () => {
  const broken = (await checkAll(evidence)).filter(({ wrong }) => wrong.length > 0);
  assert.deepEqual(broken, []);
});

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
  const house = { words: () => [`GET /checkout/${token}`], folders: [folder] };
  const { wrong } = await secretsAreNowhere({ ...evidence, house });
  assert.deepEqual(wrong, [`${token} is in a log`]);
});

test("a token in a file of the database is found, and told by its file", async () => {
  const [token = ""] = participants.diary.checkoutTokens;
  const other = mkdtempSync(path.join(folder, "base-"));
  const file = path.join(other, "1259");
  writeFileSync(file, Buffer.concat([Buffer.alloc(8_192), Buffer.from(`\0${token}\0`)]));
  const inFolder = { words: () => [], folders: [folder] };
  const found = await secretsAreNowhere({ ...evidence, house: inFolder });
  assert.deepEqual(found.wrong, [`found in ${file}`]);
  await rm(other, { recursive: true });
  assert.deepEqual((await secretsAreNowhere({ ...evidence, house: inFolder })).wrong, []);
});

test("a webhook that was sent to another is found", async () => {
  const [first, ...rest] = participants.fleet.stations;
  assert(first !== undefined && first.receiver.received.length > 0);
  const stations = [{ ...first, accountNumber: "1" }, ...rest];
  const fleet = { ...participants.fleet, stations };
  const { wrong } = await nobodySeesWhatIsAnothers({ ...evidence, fleet });
  assert.equal(wrong.length, first.receiver.received.length);
});

for (const [name, harm] of Object.entries(HARMS))
  test(`the check that ${name} finds the harm that breaks it`, async () => {
    const check = CHECKS[name];
    assert(check !== undefined);
    const countBefore = (await check(evidence)).wrong.length;
    evidence = (await harm({ evidence, participants, folder })) ?? evidence;
    assert((await check(evidence)).wrong.length > countBefore);
  });
