/**
 * Where commits wait for a synchronous standby, nothing is told that the standby may not have: not
 * even what can be read here because somebody cancelled the wait. The standby of this test never
 * comes, in a cluster of its own.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../src/infra/db/migrate.ts";
import { createLog } from "../../src/infra/log.ts";
import { CARDS, expectAllToAddUp, openOrder, submit } from "../../testkit/checkout-sessions.ts";
import {
  clean,
  makeUsedDataDir,
  type Owner,
  query,
  startOwner,
} from "../../testkit/database-owners.ts";
import { minimal, PATH } from "../../testkit/payment-requests.ts";
import { startService, type TestAnswer, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";

const CANCEL_PAUSE_MS = 20;

let owner: Owner;
let service: TestService;

before(async () => {
  owner = await startOwner({ dataDir: await makeUsedDataDir() });
  await migrate({ url: owner.url, log: createLog({ level: "silent" }) });
  service = await startService({ database: { url: owner.url, drop: async () => {} } });
});
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
  await clean();
});

async function waitFor(standby: string): Promise<void> {
  await query(owner.url, `alter system set synchronous_standby_names = '${standby}'`);
  await query(owner.url, "select pg_reload_conf()");
  const shown = "select current_setting('synchronous_standby_names') as now";
  const isSet = async () => (await query(owner.url, shown))[0]?.now === standby;
  await until(isSet, "the setting is in force");
}

/** Asks while every wait is ended by hand, as an operator under pressure may do it. */
async function askWithCancelledWaits(ask: () => Promise<TestAnswer>): Promise<TestAnswer> {
  await waitFor("nobody");
  let isAnswered = false;
  const asking = ask().finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await query(
      owner.url,
      "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
    );
    await sleep(CANCEL_PAUSE_MS);
  }
  await waitFor("");
  return asking;
}

for (const path of ["", "/status"])
  test(`a result at /checkout/{token}${path} is told once the standby has it`, async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.approved);
    const look = () => service.request(`/checkout/${order.token}${path}`);
    const alone = await askWithCancelledWaits(look);
    assert.equal(alone.status, 503);
    assert(!alone.text.includes("signature="));
    const told = await look();
    assert.match(told.text, /status=success.*signature=/);
  });

test("an order that is asked for again has its address once the standby has it", async () => {
  const shop = await service.world.merchant();
  const json = minimal(shop.accountNumber, { order_id: "asked-again" });
  const ask = () => service.request(PATH, { method: "POST", json });
  const first = await ask();
  assert.equal(first.status, 200);
  assert.equal((await askWithCancelledWaits(ask)).status, 503);
  assert.equal((await ask()).body.url, first.body.url);
});
