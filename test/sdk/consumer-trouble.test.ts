/**
 * Whatever the merchant's own parts do, the consumer pauses and goes on: it never holds up the
 * process that it runs in, and never takes for a cursor what is none (Decision 0053).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type ConsumerOptions, createConsumer, type Trouble } from "../../sdk/src/consumer.ts";
import { createMemoryStore } from "../../sdk/src/cursor-store.ts";
import type { WindwardEvent } from "../../sdk/src/lists.ts";
import { until } from "../../testkit/until.ts";

const meta = { transaction_id: null, environment: "sandbox", account_number: "1234567890" };
const FEED = [1, 2, 3].map((sequence) => ({ sequence, meta }) as unknown as WindwardEvent);

const windward = {
  GET: async (_path: string, { params }: { params: { query: { after: number } } }) => ({
    data: FEED.slice(params.query.after),
    meta: { last_sequence: FEED.length },
  }),
} as unknown as ConsumerOptions["windward"];

function consumerOf(more: Partial<ConsumerOptions>) {
  const handled: number[] = [];
  const troubles: Trouble[] = [];
  const consumer = createConsumer({
    windward,
    accountNumber: "1234567890",
    environment: "sandbox",
    store: createMemoryStore(),
    handle: ({ sequence }) => void handled.push(sequence),
    onTrouble: (trouble) => void troubles.push(trouble),
    retrySeconds: { first: 0.02, most: 0.02 },
    ...more,
  });
  return { consumer, handled, troubles };
}

const storeWith = (kept: unknown) => ({ ...createMemoryStore(), load: async () => kept as never });

describe("a store", () => {
  for (const kept of ["3", 3n, Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, {}, ""])
    test(`that loads ${typeof kept} ${String(kept)} is told of, and nothing is handled`, async () => {
      const { consumer, handled, troubles } = consumerOf({ store: storeWith(kept) });
      consumer.start();
      await until(() => troubles.length === 2, "there is trouble, and again after a pause");
      await consumer.stop();
      assert.match(String(troubles[0]?.error), /The store's load gave /);
      assert.deepEqual([handled, consumer.cursor()], [[], undefined]);
    });

  for (const kept of [null, undefined, 0])
    test(`that loads ${kept} begins at the beginning`, async () => {
      const { consumer, handled } = consumerOf({ store: storeWith(kept) });
      consumer.start();
      await until(() => handled.length === 3, "all was handled");
      await consumer.stop();
    });
});

describe("a failure is followed by a pause, though", () => {
  const cases: [string, Partial<ConsumerOptions>][] = [
    ["onTrouble throws", { onTrouble: () => assert.fail("of the log") }],
    ["onTrouble rejects", { onTrouble: async () => assert.fail("of the log") }],
    ["it is nothing that was thrown", {}],
  ];
  for (const [name, more] of cases)
    test(name, async () => {
      let tried = 0;
      const handle = () => {
        tried += 1;
        // A bound, so that a consumer that freezes the process fails here instead.
        if (tried > 100) return new Promise<void>(() => {});
        throw more.onTrouble === undefined ? undefined : new Error("no");
      };
      const { consumer } = consumerOf({ handle, ...more });
      consumer.start();
      await pause(100);
      assert(tried >= 2 && tried <= 20, `${tried} tries in a tenth of a second`);
      await consumer.stop();
    });
});

describe("deliver", () => {
  const [first] = FEED;
  const foreign = { ...first, meta: { ...meta, account_number: "1" } };
  const nameless = { ...first, sequence: undefined };
  for (const [name, event, words] of [
    ["of another account", foreign, /came to the consumer of/],
    ["without a number", nameless, /no sequence/],
  ] as const)
    test(`rejects an event ${name}, tells of it, and goes on`, async () => {
      const { consumer, handled, troubles } = consumerOf({});
      // As a route does that waits for nothing: nobody may be ended by it.
      void consumer.deliver(event as never);
      await assert.rejects(consumer.deliver(event as never), words);
      assert.equal(troubles.length, 2);
      assert.equal(await consumer.deliver(first as never), true);
      assert.deepEqual(handled, [1]);
      await consumer.stop();
    });
});
