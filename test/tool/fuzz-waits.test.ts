/** The guarantee: the fuzzer passes over no 503 but that of a wait, and counts these. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createWaits } from "../../scripts/fuzz/waits.ts";
import type { TestAnswer } from "../../testkit/service.ts";

const SENT = { method: "POST", path: "/auth/keys" };
const LOCK = '"err":{"type":"DatabaseError","code":"55P03"}';
const POOL = '"err":{"type":"Error","message":"timeout exceeded when trying to connect"}';
const HASH = '"err":{"type":"SemaphoreFull","message":"waited too long"}';
const DISK = '"err":{"type":"DatabaseError","code":"53100"}';

/** Answers 503 for each of these reasons in turn, and then 201. */
function serviceWith(reasons: readonly string[]) {
  const logged: string[] = [];
  const left = [...reasons];
  let asked = 0;
  return {
    logged,
    async request(): Promise<TestAnswer> {
      const id = `request-${++asked}`;
      const reason = left.shift();
      if (reason !== undefined)
        logged.push(`{"level":40,"reqId":"${id}",${reason},"msg":"a request was refused"}`);
      const headers = new Headers({ "x-request-id": id, "retry-after": "0" });
      return { status: reason === undefined ? 201 : 503, headers, text: "", body: undefined };
    },
  };
}

async function sentTo(reasons: readonly string[]) {
  const waits = createWaits(serviceWith(reasons));
  const statuses: number[] = [];
  await waits.send(SENT, ({ status }) => void statuses.push(status));
  return { waits, statuses };
}

describe("a request that was answered 503", () => {
  for (const [turn, reason] of Object.entries({
    "a lock": LOCK,
    "a connection": POOL,
    "the hash of a password": HASH,
  }))
    test(`is sent again when it waited for ${turn}, and that is told`, async () => {
      const { waits, statuses } = await sentTo([reason, reason]);
      assert.deepEqual(statuses, [503, 503, 201]);
      assert.equal(waits.told(), `503 after waiting too long: 2 for ${turn}`);
    });

  test("is not sent again for any other reason, or for none that is known", async () => {
    for (const reason of [DISK, '"err":"not ready"', '"code":"unavailable"']) {
      const { waits, statuses } = await sentTo([reason]);
      assert.deepEqual(statuses, [503], reason);
      assert.equal(waits.told(), undefined);
    }
  });

  test("must be served in the end, so the third 503 is its answer", async () => {
    const { statuses } = await sentTo([LOCK, LOCK, LOCK, LOCK]);
    assert.deepEqual(statuses, [503, 503, 503]);
  });
});

test("more than a few are too many, for a run of that size", async () => {
  const waits = createWaits(serviceWith(Array.from({ length: 12 }, () => LOCK)));
  const once = () => waits.send(SENT, () => {});
  await once();
  assert(!waits.areTooMany(500));
  await once();
  assert(!waits.areTooMany(500));
  await once();
  assert(waits.areTooMany(500));
  assert(!waits.areTooMany(2_000));
});
