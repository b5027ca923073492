/**
 * The SDK's consumer hands every event to its function once and in order, from webhooks where they
 * come and from the feed where they do not (Decision 0053).
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type ConsumerOptions, createConsumer, type Trouble } from "../../sdk/src/consumer.ts";
import { createMemoryStore } from "../../sdk/src/cursor-store.ts";
import type { WindwardEvent } from "../../sdk/src/lists.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { type Feed, openFeed } from "./consumer-support.ts";

let service: TestService;
let feed: Feed;
let handled: number[];
let troubles: Trouble[];
before(async () => {
  service = await startService();
});
after(() => service.stop());
beforeEach(async () => {
  feed = await openFeed(service);
  handled = [];
  troubles = [];
});

function consumerOf(more: Partial<ConsumerOptions> = {}) {
  return createConsumer({
    ...feed,
    store: createMemoryStore(),
    handle: ({ sequence }) => void handled.push(sequence),
    onTrouble: (trouble) => void troubles.push(trouble),
    retrySeconds: { first: 0.01, most: 0.02 },
    overtakenSeconds: 0.02,
    ...more,
  });
}
const upTo = (last: number) => Array.from({ length: last }, (_none, index) => index + 1);
const at = (events: WindwardEvent[], ...sequences: number[]) =>
  sequences.map((sequence) => events[sequence - 1] as WindwardEvent);

describe("deliveries", () => {
  test("in order are handled as they come, without asking the feed", async () => {
    const consumer = consumerOf();
    for (const event of await feed.grow(4)) assert.equal(await consumer.deliver(event), true);
    assert.deepEqual(handled, [1, 2, 3, 4]);
    assert.equal(feed.looks(), 0);
    assert.equal(consumer.cursor(), 4);
    await consumer.stop();
  });

  test("that overtook each other are put in order, without asking the feed", async () => {
    const consumer = consumerOf({ overtakenSeconds: 0.3 });
    const events = await feed.grow(5);
    const early = at(events, 1, 3, 5).map((event) => consumer.deliver(event));
    await until(() => consumer.cursor() === 1, "the first was handled");
    const late = at(events, 4, 2).map((event) => consumer.deliver(event));
    assert((await Promise.all([...early, ...late])).every(Boolean));
    assert.deepEqual(handled, upTo(5));
    assert.equal(feed.looks(), 0);
    await consumer.stop();
  });

  test("that come again, at once or long after, are handled once", async () => {
    const consumer = consumerOf();
    const events = await feed.grow(3);
    const told = at(events, 1, 1, 2, 1, 2, 3, 3).map((event) => consumer.deliver(event));
    assert((await Promise.all(told)).every(Boolean));
    for (const event of events) assert.equal(await consumer.deliver(event), true);
    assert.deepEqual(handled, [1, 2, 3]);
    await consumer.stop();
  });

  test("that never came are fetched from the feed, all in one look", async () => {
    const consumer = consumerOf();
    const events = await feed.grow(90);
    await Promise.all(at(events, 1, 90).map((event) => consumer.deliver(event)));
    assert.deepEqual(handled, upTo(90));
    assert.equal(feed.looks(), 1);
    await consumer.stop();
  });

  test("of another account or environment are refused, and change nothing", async () => {
    const consumer = consumerOf();
    const [event] = await feed.grow(1);
    const other = await openFeed(service);
    const [foreign] = await other.grow(1);
    assert(event !== undefined && foreign !== undefined);
    await assert.rejects(consumer.deliver(foreign), /came to the consumer of/);
    const live = { ...event, meta: { ...event.meta, environment: "live" as const } };
    const words = /\(live\) came to the consumer of .+ \(sandbox\)/;
    await assert.rejects(consumer.deliver(live), words);
    assert.match(String(troubles[1]?.error), words);
    assert.equal(await consumer.deliver(event), true);
    assert.deepEqual(handled, [1]);
    await consumer.stop();
  });
});

describe("the feed", () => {
  test("is caught up with at the start, over as many pages as it has", async () => {
    await feed.grow(230);
    const consumer = consumerOf({ store: createMemoryStore(12) });
    consumer.start();
    await until(() => consumer.cursor() === 230, "it has caught up");
    assert.deepEqual(handled, upTo(230).slice(12));
    await consumer.stop();
  });

  test("is looked at though no webhook comes", async () => {
    const consumer = consumerOf({ pollSeconds: 0.02 });
    consumer.start();
    await feed.grow(2);
    await until(() => handled.length === 2, "it looked");
    await feed.grow(1);
    await until(() => handled.length === 3, "it looked again");
    assert.deepEqual(handled, [1, 2, 3]);
    await consumer.stop();
  });

  test("is begun at its end by who wants no history, deliveries of that moment included", async () => {
    const events = await feed.grow(5);
    const store = createMemoryStore();
    const consumer = consumerOf({ store, from: "now" });
    await Promise.all(at(events, 5).map((event) => consumer.deliver(event)));
    assert.deepEqual(handled, [5]);
    await consumer.stop();
    const quiet = consumerOf({ store: createMemoryStore(), from: "now" });
    quiet.start();
    await until(() => quiet.cursor() === 5, "it has begun");
    await quiet.stop();
    assert.deepEqual(handled, [5]);
  });

  test("that is shorter than the store says is another one, and that is told", async () => {
    await feed.grow(2);
    const consumer = consumerOf({ store: createMemoryStore(7) });
    consumer.start();
    await until(() => troubles.length > 0, "there is trouble");
    await consumer.stop();
    assert.match(String(troubles[0]?.error), /ends with 2, but the store has got to 7/);
    assert.deepEqual(handled, []);
  });

  test("that cannot be read is asked again until it can", async () => {
    await feed.grow(3);
    let isAway = true;
    const GET = ((...asked: Parameters<typeof feed.windward.GET>) => {
      if (isAway) return Promise.reject(new Error("away"));
      return feed.windward.GET(...asked);
    }) as typeof feed.windward.GET;
    const consumer = consumerOf({ windward: { GET } });
    consumer.start();
    await until(() => troubles.length >= 3, "there is trouble");
    assert.deepEqual(
      troubles.slice(0, 3).map(({ attempt }) => attempt),
      [1, 2, 3],
    );
    isAway = false;
    await until(() => handled.length === 3, "it goes on");
    await consumer.stop();
  });
});

describe("a function that fails", () => {
  test("gets the same event again, and nothing passes it", async () => {
    const tried: number[] = [];
    const handle = ({ sequence }: WindwardEvent) => {
      tried.push(sequence);
      if (sequence === 2 && tried.length < 5) throw new Error("no");
      handled.push(sequence);
    };
    const consumer = consumerOf({ handle });
    const events = await feed.grow(4);
    await Promise.all(events.map((event) => consumer.deliver(event)));
    assert.deepEqual(tried, [1, 2, 2, 2, 2, 3, 4]);
    assert.deepEqual(handled, [1, 2, 3, 4]);
    assert.deepEqual(
      troubles.map(({ event, attempt }) => [event?.sequence, attempt]),
      [
        [2, 1],
        [2, 2],
        [2, 3],
      ],
    );
    await consumer.stop();
  });
});

describe("a store that fails", () => {
  test("after the work was done is asked again, without doing the work twice", async () => {
    const store = createMemoryStore();
    let failures = 2;
    const save = async (sequence: number) => {
      if (sequence === 2 && failures-- > 0) throw new Error("the disk is full");
      await store.save(sequence);
    };
    const consumer = consumerOf({ store: { ...store, save } });
    await Promise.all((await feed.grow(3)).map((event) => consumer.deliver(event)));
    assert.deepEqual(handled, [1, 2, 3]);
    assert.equal(troubles.length, 2);
    assert.equal(await store.load(), 3);
    await consumer.stop();
  });
});

describe("an end", () => {
  test("between the work and the cursor brings that one event again, and the rest once", async () => {
    const store = createMemoryStore();
    const events = await feed.grow(5);
    const crashing = {
      ...store,
      save: async (sequence: number) => {
        if (sequence === 3) throw new Error("the process is gone");
        await store.save(sequence);
      },
    };
    const first = consumerOf({ store: crashing, retrySeconds: { first: 60, most: 60 } });
    const told = events.map((event) => first.deliver(event));
    await until(() => troubles.length === 1, "it has crashed");
    await first.stop();
    assert.deepEqual(await Promise.all(told), [true, true, false, false, false]);
    const second = consumerOf({ store });
    second.start();
    await until(() => second.cursor() === 5, "it has caught up");
    await second.stop();
    assert.deepEqual(handled, [1, 2, 3, 3, 4, 5]);
  });

  test("in order waits for the work in hand and begins nothing more", async () => {
    let finish: (() => void) | undefined;
    const handle = async ({ sequence }: WindwardEvent) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      handled.push(sequence);
    };
    const store = createMemoryStore();
    const consumer = consumerOf({ handle, store });
    const told = (await feed.grow(2)).map((event) => consumer.deliver(event));
    await until(() => finish !== undefined, "it has begun");
    const stopped = consumer.stop();
    finish?.();
    await stopped;
    assert.deepEqual(handled, [1]);
    assert.equal(await store.load(), 1);
    assert.deepEqual(await Promise.all(told), [true, false]);
    const [event] = await feed.grow(1);
    assert.equal(event && (await consumer.deliver(event)), false);
  });
});
