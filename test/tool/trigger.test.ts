/**
 * The guarantee: `windward trigger` makes every event of the catalogue happen through the public
 * API, and forces it on an object that exists; `simulate` and `clock` do what they say.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { EVENT_NAMES } from "../../src/modules/events/catalogue.ts";
import { freshDatabase, type TestDatabase } from "../../testkit/database.ts";
import { freePort } from "../../testkit/free-port.ts";
import { endAll, type Running, start, UNHINDERED } from "../../testkit/processes.ts";
import { startReceiver } from "../../testkit/receivers.ts";
import { openTerminal, type Terminal } from "../../testkit/windward-tool.ts";

let database: TestDatabase;
let service: Running;
let terminal: Terminal;
before(async () => {
  database = await freshDatabase();
  // The payment page has the service's own address, which has to be known beforehand.
  const PORT = String(await freePort());
  service = await start({ settings: { ...UNHINDERED, DATABASE_URL: database.url, PORT } });
  terminal = openTerminal({ WINDWARD_URL: service.url });
  const stdin = "merchant@example.com\nSandbox-2026\n";
  const { code, stderr } = await terminal.run(["login"], { stdin });
  assert.equal(code, 0, stderr);
});
after(async () => {
  terminal.close();
  await service.stop();
  await endAll();
  await database.drop();
});

async function windward(...args: readonly string[]) {
  const { code, stdout, stderr } = await terminal.run([...args, "--json"]);
  assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

describe("by trigger happens", () => {
  // It moves the clock by a day, which ends everything that is open.
  const last = "webhook.failing";
  for (const name of [...EVENT_NAMES.filter((each) => each !== last), last] as const)
    test(name, async () => {
      const { event, sequence } = await windward("trigger", name);
      assert.equal(event, name);
      const feed = await windward("events", "show", String(sequence));
      assert.equal(feed.event, name, "it is in the feed");
    });
});

test("an event is forced on a payment that exists, once", async () => {
  const { meta } = await windward("trigger", "payment.created");
  const id = meta.transaction_id;
  const paid = await windward("trigger", "payment.success", "--on", id);
  assert.equal(paid.meta.transaction_id, id);
  const again = await terminal.run(["trigger", "payment.success", "--on", id]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /incomplete/);
});

test("a payment is declined with a code, and the clock moves by a duration", async () => {
  const { meta } = await windward("trigger", "payment.created");
  const { status } = await windward("simulate", meta.transaction_id, "decline", "--code", "51");
  assert.equal(status, "failed");
  const before = await windward("clock");
  const moved = await windward("clock", "advance", "3m");
  const seconds = moved.shift_seconds - before.shift_seconds;
  assert(Math.abs(seconds - 180) <= 1, `${seconds} s`);
});

test("webhook.failing is forced on an endpoint whose own receiver is well", async () => {
  const receiver = await startReceiver("well");
  try {
    const body = { environment: "sandbox", url: receiver.url, events: ["webhook.test"] };
    const id = await makeEndpoint(body);
    const { event, data } = await windward("trigger", "webhook.failing", "--on", id);
    assert.deepEqual([event, data.id], ["webhook.failing", id]);
    assert.equal(receiver.received.length, 0, "it is not called: it is simulated all the time");
  } finally {
    await receiver.close();
  }
});

async function makeEndpoint(json: object): Promise<string> {
  const file = path.join(terminal.folder, "config/windward/logins.json");
  const [{ key }] = Object.values(JSON.parse(readFileSync(file, "utf8"))) as [{ key: string }];
  const answer = await service.ask("/webhooks", { method: "POST", key, json });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
}
