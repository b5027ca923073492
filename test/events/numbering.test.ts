/**
 * Numbers follow commits and nothing else: not when an event was written, not what was rolled back,
 * not which process numbers or how it ends (Decision 0032).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import type { Tx } from "../../src/infra/db/transaction.ts";
import type { NumberedEvent } from "../../src/modules/events/event.ts";
import { EVENTS_AT_ONCE_MAX, numberEvents } from "../../src/modules/events/number-events.ts";
import { recordEvents } from "../../src/modules/events/record-event.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import type { Person } from "../../testkit/world.ts";
import { handingTo, note, notesOf, nothingMore, waitingCount } from "./support.ts";

let service: TestService;
let shop: Person;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const write = (text: string, of: Parameters<typeof note>[1] = shop) =>
  service.ctx.db.transaction((tx) => note(tx, of, text));
const number = async () => (await numberEvents(service.ctx.db, nothingMore)).count;

/** A tx that has done its work and waits for a signal before it commits. */
async function held(work: (tx: Tx) => Promise<unknown>) {
  const worked = Promise.withResolvers<void>();
  const word = Promise.withResolvers<void>();
  const done = service.ctx.db.transaction(async (tx) => {
    await work(tx);
    worked.resolve();
    await word.promise;
  });
  await worked.promise;
  return {
    async commit() {
      word.resolve();
      await done;
    },
    async abort() {
      word.reject(new Error("given up"));
      await assert.rejects(done, /given up/);
    },
  };
}

describe("numbers", () => {
  before(async () => {
    shop = await service.world.merchant();
  });

  test("follow commits: an event written early and committed late comes last", async () => {
    const early = await held((tx) => note(tx, shop, "early"));
    await write("late");
    await early.commit();
    await number();
    assert.deepEqual(await notesOf(service.ctx.db, shop), ["late", "early"]);
  });

  test("given while one is not committed yet leave no room for it; it gets the next", async () => {
    const open = await held((tx) => note(tx, shop, "open"));
    await write("third");
    assert.equal(await number(), 1);
    await open.commit();
    assert.equal(await number(), 1);
    assert.deepEqual((await notesOf(service.ctx.db, shop)).slice(2), ["third", "open"]);
  });

  test("have no gap where a tx was rolled back, before or between turns", async () => {
    const gone = await held((tx) => note(tx, shop, "gone"));
    await write("fifth");
    await number();
    await gone.abort();
    await write("sixth");
    await number();
    assert.deepEqual((await notesOf(service.ctx.db, shop)).slice(4), ["fifth", "sixth"]);
  });

  test("of one tx follow the order of recording, by one statement or several", async () => {
    await service.ctx.db.transaction(async (tx) => {
      await note(tx, shop, "a");
      const of = { accountNumber: shop.accountNumber, environment: "live" } as const;
      const told = ["b", "c", "d"].map((text) => ({
        ...of,
        event: "payment.success" as const,
        resource: "TT-1",
        record: { note: text },
      }));
      assert.equal(new Set(await recordEvents(tx, told)).size, 3);
      await note(tx, shop, "e");
    });
    await number();
    assert.deepEqual((await notesOf(service.ctx.db, shop)).slice(6), ["a", "b", "c", "d", "e"]);
  });

  test("are of one account and environment each, though given in one turn", async () => {
    const [anika, delroy] = [await service.world.merchant(), await service.world.merchant()];
    const feeds = [anika, { ...anika, environment: "sandbox" as const }, delroy];
    for (const text of ["1", "2", "3"]) for (const feed of feeds) await write(text, feed);
    assert.equal(await number(), 9);
    for (const feed of feeds)
      assert.deepEqual(await notesOf(service.ctx.db, feed), ["1", "2", "3"]);
  });

  test("of a long line are given in several turns, in order", async () => {
    const busy = await service.world.merchant();
    const texts = Array.from({ length: EVENTS_AT_ONCE_MAX + 30 }, (_, i) => String(i));
    await service.ctx.db.transaction(async (tx) => {
      for (const text of texts) await note(tx, busy, text);
    });
    assert.deepEqual([await number(), await number(), await number()], [EVENTS_AT_ONCE_MAX, 30, 0]);
    assert.deepEqual(await notesOf(service.ctx.db, busy), texts);
  });
});

describe("a turn", () => {
  before(async () => {
    shop = await service.world.merchant();
  });

  test("hands over what it numbered, in the same tx", async () => {
    const endpoint = "00000000-0000-4000-8000-000000000001";
    const id = await service.ctx.db.transaction((tx) =>
      note(tx, shop, "handed", { event: "webhook.test", onlyEndpointId: endpoint }),
    );
    const handed: NumberedEvent[] = [];
    const take = async (tx: Tx, events: readonly NumberedEvent[]) => {
      handed.push(...events);
      const { body } = await tx.one<{ body: string }>(
        sql`select body from events where event_id = ${id}`,
      );
      assert.equal(JSON.parse(body).id, id);
    };
    await numberEvents(service.ctx.db, handingTo(take));
    assert.equal(handed.length, 1);
    assert.deepEqual(handed[0], {
      event_id: id,
      account_number: shop.accountNumber,
      environment: "live",
      event: "webhook.test",
      resource: "TT-1",
      sequence: 1n,
      only_endpoint_id: endpoint,
    });
  });

  test("that fails after the numbers were drawn has given none", async () => {
    await write("second");
    const failing = async () => {
      throw new Error("no room");
    };
    await assert.rejects(numberEvents(service.ctx.db, handingTo(failing)), /no room/);
    assert.equal(await waitingCount(service.ctx.db), 1);
    await write("third");
    assert.equal(await number(), 2);
    assert.deepEqual((await notesOf(service.ctx.db, shop)).slice(1), ["second", "third"]);
  });

  test("under way lets no other begin, and no writer wait", async () => {
    await write("fourth");
    const word = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const waitForWord = async () => {
      begun.resolve();
      await word.promise;
    };
    const turn = numberEvents(service.ctx.db, handingTo(waitForWord));
    await begun.promise;
    // The lock timeout of 2 s would end a writer that waits.
    await Promise.all(["x", "y", "z"].map((text) => write(text)));
    assert.equal(await number(), 0);
    word.resolve();
    assert.equal((await turn).count, 1);
    assert.equal(await number(), 3);
    const notes = await notesOf(service.ctx.db, shop);
    assert.deepEqual(notes.slice(3, 4), ["fourth"]);
    assert.deepEqual(notes.slice(4).sort(), ["x", "y", "z"]);
  });

  test("of a process that sleeps is taken from it, and comes to nothing when it wakes", async () => {
    await write("slept over");
    const word = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const sleep = async (tx: Tx) => {
      begun.resolve();
      await word.promise;
      await tx.run(sql`select 1`);
    };
    const sleeper = numberEvents(service.ctx.db, handingTo(sleep));
    const outcome = assert.rejects(sleeper, { status: 503 });
    await begun.promise;
    let count = 0;
    const beganAt = performance.now();
    while (count === 0) count = await number();
    assert(performance.now() - beganAt < 8_000, "within seconds, not when it wakes");
    word.resolve();
    await outcome;
    assert.equal((await notesOf(service.ctx.db, shop)).at(-1), "slept over");
    assert.equal(await number(), 0);
  });
});
