/**
 * When the answer to COMMIT is lost the outcome is unknown: the work is looked up by its own id and
 * the caller gets the true result, or 503; never a "no" that was a "yes", never the work twice.
 */

import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { Unavailable } from "../../../src/kit/errors.ts";
import { insertRow as insert, openProbeDatabase } from "../../../testkit/probe-database.ts";
import { until } from "../../../testkit/until.ts";

const probe = await openProbeDatabase();
const { db, proxy, exists } = probe;
after(() => probe.close());
afterEach(() => probe.expectNothingLeftOpen());

const isThere = (name: string) => async () => ((await exists(name)) ? "found" : undefined);
const isUnavailable = (error: unknown) => error instanceof Unavailable;

test("work that is there is found by its own id, and the caller gets success", async () => {
  proxy.cutNextCommit("after");
  const confirm = isThere("lost after");
  const given = await db.transaction(
    async (tx) => {
      await insert(tx, "lost after");
      return "told";
    },
    { confirm },
  );
  assert.equal(given, "found");
  assert(await exists("lost after"));
});

test("work that is not there is a 503, after it was looked for more than once", async () => {
  proxy.cutNextCommit("before");
  let asked = 0;
  const confirm = async () => {
    asked++;
    return isThere("lost before")();
  };
  const work = db.transaction((tx) => insert(tx, "lost before").then(() => "told"), { confirm });
  await assert.rejects(work, isUnavailable);
  assert(asked > 1);
  assert.equal(await exists("lost before"), false);
});

test("when nobody can look for the work, it is a 503 and never run again", async () => {
  proxy.cutNextCommit("after");
  let tries = 0;
  const work = db.transaction(async (tx) => {
    tries++;
    await insert(tx, "nobody looks");
  });
  await assert.rejects(work, isUnavailable);
  assert.equal(tries, 1);
  assert(await exists("nobody looks"));
});

test("when looking fails at first, it is looked again", async () => {
  proxy.cutNextCommit("after");
  let asked = 0;
  const confirm = async () => {
    asked++;
    if (asked < 3) throw new Error("the database is away");
    return isThere("looked again")();
  };
  const work = db.transaction((tx) => insert(tx, "looked again").then(() => "told"), { confirm });
  assert.equal(await work, "found");
});

test("when the backend died on the way, the work is looked for too", async () => {
  let asked = 0;
  const confirm = async () => {
    asked++;
    return asked === 2 ? "settled" : undefined;
  };
  const work = db.transaction((tx) => insert(tx, "dies at commit").then(() => "told"), {
    confirm,
  });
  assert.equal(await work, "settled");
  assert.equal(await exists("dies at commit"), false);
});

test("a COMMIT that answers with a warning is not believed: the standby may not have it", async () => {
  const work = db.transaction((tx) => insert(tx, "warns at commit"));
  await assert.rejects(work, isUnavailable);
  assert(await exists("warns at commit"));
});

test("work that was found counts once a later commit has been waited for", async () => {
  const name = "warns at commit and is found";
  const confirm = isThere(name);
  assert.equal(
    await db.transaction((tx) => insert(tx, name).then(() => "told"), { confirm }),
    "found",
  );
});

test("work that was found is a 503 when nobody can tell that the standby has it", async () => {
  const name = "warns at commit and stays alone";
  const confirm = async () => {
    proxy.cutNextCommit("before");
    return isThere(name)();
  };
  const work = db.transaction((tx) => insert(tx, name).then(() => "told"), { confirm });
  await assert.rejects(work, isUnavailable);
  assert(proxy.hasCut());
  assert(await exists(name));
});

test("the connection is thrown away, and the next work gets a good one", async () => {
  proxy.cutNextCommit("after");
  await assert.rejects(
    db.transaction((tx) => insert(tx, "thrown away")),
    isUnavailable,
  );
  await until(() => db.pool.idleCount === db.pool.totalCount, "nothing is lent out");
  await db.transaction((tx) => insert(tx, "after it"));
  assert(await exists("after it"));
});
