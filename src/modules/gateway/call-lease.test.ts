/**
 * A gateway or a bank may take 20 seconds; after that the caller goes on, and what comes later is
 * kept.
 */

import assert from "node:assert/strict";
import process from "node:process";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { scheduledSeconds, withinLimit } from "./call-lease.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a call of the gateway", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  /** A call whose end the test decides, and what has become of it so far. */
  function begin() {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const seen = { said: "nothing", late: "nothing", isAborted: false };
    let signal: AbortSignal | undefined;
    const said = withinLimit(
      (given) => {
        signal = given;
        return promise;
      },
      async (late) => {
        seen.late = await late.catch((error: Error) => error.message);
      },
    );
    void said.then(
      (text) => {
        seen.said = text;
      },
      (error: Error) => {
        seen.said = error.message;
      },
    );
    return {
      resolve,
      reject,
      async after(ms: number) {
        mock.timers.tick(ms);
        await turn();
        return { ...seen, isAborted: signal?.aborted };
      },
    };
  }

  test("that is answered in the last moment has its answer, and nothing comes late", async () => {
    const call = begin();
    await call.after(19_999);
    call.resolve("refunded");
    const seen = { said: "refunded", late: "nothing", isAborted: false };
    assert.deepEqual(await call.after(0), seen);
    assert.deepEqual(await call.after(60_000), seen);
  });

  test("that is still silent after 20 seconds is given up and told to begin nothing more", async () => {
    const call = begin();
    assert.equal((await call.after(19_999)).said, "nothing");
    assert.deepEqual(await call.after(1), {
      said: "no answer came for 20 s",
      late: "nothing",
      isAborted: true,
    });
  });

  for (const [how, end] of [
    ["is answered", (call: ReturnType<typeof begin>) => call.resolve("refunded")],
    ["fails", (call: ReturnType<typeof begin>) => call.reject(new Error("refunded"))],
  ] as const)
    test(`that ${how} after the limit hands that on`, async () => {
      const call = begin();
      await call.after(20_000);
      end(call);
      assert.equal((await call.after(0)).late, "refunded");
    });

  test("whose late answer cannot be taken harms nobody: the process goes on", async () => {
    const unhandled = mock.fn();
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", unhandled);
    try {
      const said = withinLimit(
        () => new Promise<never>(() => {}),
        () => Promise.reject(new Error("the database is away")),
      );
      const refused = assert.rejects(said, /no answer came for 20 s/);
      mock.timers.tick(20_000);
      await refused;
      await turn();
      await turn();
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const one of others) process.on("unhandledRejection", one);
    }
    assert.equal(unhandled.mock.callCount(), 0);
  });

  test("that fails within the limit fails at once, and leaves no timer behind", async () => {
    const call = begin();
    call.reject(new Error("connection lost"));
    const seen = { said: "connection lost", late: "nothing", isAborted: false };
    assert.deepEqual(await call.after(0), seen);
    assert.deepEqual(await call.after(60_000), seen);
  });
});

test("a timetable is followed to its end, whose delay stays", () => {
  const delays = [0, 1, 2, 3, 30].map((count) => scheduledSeconds([5, 15, 60], count));
  assert.deepEqual(delays, [5, 15, 60, 60, 60]);
});
