/**
 * Reads from a standby: what a caller was told is in every list at once, on every process, however
 * far behind the standby is; and a standby in trouble costs no answer (Decision 0125).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { MISSES } from "../../src/infra/db/standby-position.ts";
import { startCuttingProxy } from "../../testkit/cutting-proxy.ts";
import { clean } from "../../testkit/database-owners.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import {
  readOutcomes,
  serviceOn,
  startPair,
  startStandby,
  untilCounted,
} from "../../testkit/standby.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";

let pair: Awaited<ReturnType<typeof startPair>>;
let service: TestService;
let sibling: TestService;
let shop: Shop;
before(async () => {
  pair = await startPair();
  service = await startService(pair.options);
  sibling = await startService(pair.options);
  shop = await openShop(service);
  await pay(service, newPayment(shop), APPROVED);
});
after(async () => {
  await sibling.stop();
  await service.stop();
  await pair.standby.stop();
  await clean();
});

async function history(from: TestService, { token }: Shop): Promise<string[]> {
  const { status, body, text } = await from.request("/transactions/?page_size=5", { token });
  assert.equal(status, 200, text);
  return body.data.map((row: { order_id: string }) => row.order_id);
}

async function feed(from: TestService, { token }: Shop): Promise<string> {
  const { status, text } = await from.request("/events?environment=live", { token });
  assert.equal(status, 200, text);
  return text;
}

test("the history is read from the standby", async () => {
  const outcomes = Object.keys(await readOutcomes());
  assert.deepEqual(outcomes.toSorted(), ["resting", "served", ...MISSES].toSorted());
  await untilCounted("served", () => history(service, shop));
  await untilCounted("served", () => history(sibling, shop));
  const seen =
    "select count(*)::int as n from pg_stat_activity where application_name = 'windward_reads'";
  assert.notEqual((await pair.standby.query(seen))[0]?.n, 0);
  assert.equal((await pair.primary.query(seen))[0]?.n, 0);
});

describe("while the standby replays nothing", () => {
  before(async () => {
    await untilCounted("served", () => history(service, shop));
    await untilCounted("served", () => history(sibling, shop));
    await pair.standby.pauseReplay();
  });
  after(() => pair.standby.resumeReplay());

  test("a payment is in the history once it is made, on another process too", async () => {
    await untilCounted("behind", async () => {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      const lists = await Promise.all([history(service, shop), history(sibling, shop)]);
      for (const list of lists) assert.equal(list[0], orderId);
    });
  });

  test("an event is in the feed once it has its number", async () => {
    const { transaction_id: id } = await pay(service, newPayment(shop), APPROVED);
    await service.numberEvents();
    for (const one of [sibling, service]) assert((await feed(one, shop)).includes(id));
  });

  test("once it goes on, the history is read from it again", async () => {
    await pair.standby.resumeReplay();
    await untilCounted("served", () => history(service, shop));
  });
});

test("a standby that is always a little behind is waited for, and nothing told is missing", async () => {
  const late = await startStandby(pair.primary, { recovery_min_apply_delay: "15ms" });
  const options = serviceOn(pair.primary, late.url);
  const both = [await startService(options), await startService(options)] as const;
  try {
    for (let turn = 0; turn < 40; turn++) {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      const [list] = await history(both[turn % 2 === 0 ? 0 : 1], shop);
      assert.equal(list, orderId);
    }
    await untilCounted("served", async () => {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      assert.equal((await history(both[0], shop))[0], orderId);
    });
  } finally {
    for (const one of both) await one.stop();
    await late.stop();
  }
});

/** Reads all the time, on four connections, until the work is done; none may fail. */
async function whileReading(work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!isDone) await history(service, shop);
  });
  try {
    await work();
  } finally {
    isDone = true;
    await Promise.all(readers);
  }
}

test("a standby that is killed costs no answer, and is read from when it is back", async () => {
  await untilCounted("served", () => history(service, shop));
  await whileReading(async () => {
    await pair.standby.kill();
    await untilCounted("resting", () => history(service, shop));
    await pair.standby.start();
    await untilCounted("served", () => history(service, shop));
  });
});

function timesGivenUp({ logged }: TestService): number {
  return logged.filter((line) => line.includes("nothing is read from the standby")).length;
}

test("a standby that does not answer is left alone after the first question", async () => {
  const wire = await startCuttingProxy(pair.standby.url);
  const one = await startService(serviceOn(pair.primary, wire.url));
  try {
    await untilCounted("served", () => history(one, shop));
    wire.swallowFrom("replayed");
    await untilCounted("failed", async () => {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      assert.equal((await history(one, shop))[0], orderId);
    });
    assert(wire.hasSwallowed());
    await untilCounted("resting", () => history(one, shop));
    assert.equal(timesGivenUp(one), 1);
    await wire.goAway();
    await history(one, shop);
  } finally {
    await one.stop();
    await wire.close();
  }
});

describe("a list that takes long on the standby", () => {
  let slow: TestService;
  let givenUpBefore: number;
  before(async () => {
    // The feed of events is not made of payments.
    await pair.primary.query("create schema slow; grant usage on schema slow to ordinary");
    await pair.primary.query(`create view slow.transactions as
      select payment.* from public.transactions as payment, (select pg_sleep(10)) as moment`);
    await pair.primary.query("grant select on slow.transactions to ordinary");
    const url = new URL(pair.standby.url);
    url.searchParams.set("options", "-c search_path=slow,public");
    slow = await startService(serviceOn(pair.primary, url.href));
    await untilCounted("served", () => feed(slow, shop));
    givenUpBefore = timesGivenUp(slow);
  });
  after(() => slow.stop());

  /** To the standby, of a service of `startService`. */
  const CONNECTIONS = 10;
  const lists = (count: number) =>
    Promise.all(Array.from({ length: count }, () => history(slow, shop)));

  test("comes from the primary, and others from the standby as before", async () => {
    await untilCounted("slow", () => lists(1));
    await untilCounted("served", () => feed(slow, shop));
    await untilCounted("busy", () => lists(CONNECTIONS + 1));
    await untilCounted("served", () => feed(slow, shop));
    assert.equal(timesGivenUp(slow), givenUpBefore);
  });

  test("twenty in a row open the breaker, until a probe is served", async () => {
    await untilCounted("resting", () => lists(20));
    assert.equal(timesGivenUp(slow), givenUpBefore + 1);
    await untilCounted("served", () => feed(slow, shop));
  });
});

test("without a standby at its address the service starts, and reads from the primary", async () => {
  const wire = await startCuttingProxy(pair.standby.url);
  await wire.goAway();
  const one = await startService(serviceOn(pair.primary, wire.url));
  try {
    await untilCounted("unreachable", () => history(one, shop));
    await untilCounted("resting", () => history(one, shop));
  } finally {
    await one.stop();
    await wire.close();
  }
});

test("another database, and a server that leads, are not read from", async () => {
  const other = new URL(pair.standby.url);
  other.pathname = "/postgres";
  for (const url of [other.href, pair.primary.url]) {
    const one = await startService(serviceOn(pair.primary, url));
    await untilCounted("unrelated", () => history(one, shop)).finally(() => one.stop());
  }
});
