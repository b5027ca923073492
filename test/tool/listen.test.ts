/**
 * The guarantee: `windward listen` forwards each event byte for byte and signed in both schemes,
 * holds back later events of a record whose event was refused and nothing else, takes up after a
 * stop where it was, gets what is sent again, and notices that a feed was set back.
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { sql, sqlOf } from "../../src/infra/db/query.ts";
import { bigint } from "../../src/infra/db/row.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { happen, openShop, post, type Shop } from "../../testkit/webhook-endpoints.ts";
import { type Begun, openTerminal, type Terminal } from "../../testkit/windward-tool.ts";

interface Delivery {
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly id: string;
}

let service: TestService;
let terminal: Terminal;
let shop: Shop;
let receiver: http.Server;
const received: Delivery[] = [];
/** Ids that are answered with 503; all but `taken` while `refusesAll`. */
const refused = new Set<string>();
const taken = new Set<string>();
let refusesAll = false;
/** What is held back is not answered. */
let holdsBack = false;
let target: string;

before(async () => {
  service = await startService();
  shop = await openShop(service);
  const { key } = await mintKey(service.ctx, shop, ["svc-user-all"], { prefix: "test" });
  terminal = openTerminal({ WINDWARD_URL: service.url, WINDWARD_KEY: key });
  receiver = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const id = String(request.headers["webhook-id"]);
    received.push({ body, headers: request.headers, id });
    if (holdsBack) return;
    if (refused.has(id) || (refusesAll && !taken.has(id)))
      response.writeHead(503).end("\u001b[2Jnot now\nand more");
    else response.end("ok");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
});
after(async () => {
  terminal.close();
  receiver.closeAllConnections();
  receiver.close();
  await service.stop();
});

const sandbox = { environment: "sandbox" } as const;
const ids = () => received.map(({ id }) => id);
const came = (...wanted: readonly string[]) =>
  until(() => wanted.every((id) => ids().includes(id)), `${wanted.join()} came`, 60);

async function listen(...more: readonly string[]): Promise<Begun> {
  const begun = terminal.begin(["listen", "--forward-to", target, ...more]);
  await until(() => /Forwarding to/.test(begun.said.stderr), "it listens", 60);
  return begun;
}

async function end({ child, ended }: Begun): Promise<void> {
  child.kill("SIGTERM");
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
}

test("forwards what happens from now on, as the service would send it", async () => {
  await happen(service, shop, ["payment.created"], sandbox);
  const listener = await listen();
  const [, secret = ""] = /: (whsec_\S+)/.exec(listener.said.stderr) ?? [];
  const [id = ""] = await happen(service, shop, ["payment.success"], sandbox);
  await came(id);
  assert.deepEqual(ids(), [id]);
  const [{ body, headers }] = received as [Delivery];
  const plain = headers as Record<string, string>;
  for (const Verifier of [Webhook, SvixWebhook]) new Verifier(secret).verify(body, plain);
  const older = createHmac("sha256", secret).update(body).digest("hex");
  assert.equal(headers["x-svc-webhook-signature"], `sha256=${older}`);
  assert.equal(headers["x-svc-webhook-event"], "payment.success");
  const feed = await service.request("/events?environment=sandbox", { token: shop.token });
  assert(feed.text.includes(body), "byte for byte");
  await until(() => /payment\.success .* 200 in \d+ ms/.test(listener.said.stdout), "shown");
  await end(listener);
});

test("a refused event holds its record, nothing else, and is tried again after a restart", async () => {
  const held = { ...sandbox, resource: "SB-TT-HELD" };
  const listener = await listen();
  const [first = ""] = await happen(service, shop, ["payment.created"], {
    ...held,
  });
  refused.add(first);
  const [second = "", other = ""] = [
    ...(await happen(service, shop, ["payment.success"], held)),
    ...(await happen(service, shop, ["payment.failed"], sandbox)),
  ];
  await came(other);
  await until(() => /503 in \d+ ms: not now; again in/.test(listener.said.stdout), "shown", 60);
  await end(listener);
  assert(!ids().includes(second), "it waits for the one before");
  const before = ids().filter((id) => id === other).length;
  refused.clear();
  const next = await listen();
  await came(second);
  assert(ids().lastIndexOf(first) < ids().indexOf(second), "in order");
  assert.equal(ids().filter((id) => id === other).length, before, "not what was acknowledged");
  await end(next);
});

test("what happens while it is away arrives, and what is sent again, too", async () => {
  const [id = ""] = await happen(service, shop, ["payment.refunded"], sandbox);
  const listener = await listen();
  await came(id);
  const answer = await post(service, `/events/${id}/resend?environment=sandbox`, shop);
  assert.equal(answer.status, 202, answer.text);
  await until(() => ids().filter((each) => each === id).length === 2, "again", 60);
  const [one, two] = received.filter((each) => each.id === id);
  assert.equal(one?.body, two?.body);
  await end(listener);
});

test("two for the same target: the second says which process is there", async () => {
  const listener = await listen();
  const second = terminal.begin(["listen", "--forward-to", target]);
  const told = () => new RegExp(`process ${listener.child.pid}\\)`).test(second.said.stderr);
  const listens = () => /Forwarding to/.test(second.said.stderr);
  await until(() => told() || listens(), "the second says something", 60);
  assert(!listens(), "one is enough");
  assert.equal((await second.ended).code, 1);
  listener.child.kill("SIGKILL");
  await listener.ended;
  await end(await listen());
});

test("Ctrl-C that comes several times, as through npx, does not cut its end short", async () => {
  const listener = await listen();
  holdsBack = true;
  const [id = ""] = await happen(service, shop, ["payment.created"], sandbox);
  await came(id);
  // Its end takes two seconds now, because it waits for the receiver.
  for (let count = 0; count < 3; count += 1) {
    listener.child.kill("SIGINT");
    await sleep(100);
  }
  const { code, stderr } = await listener.ended;
  assert.equal(code, 0, stderr);
  holdsBack = false;
  const count = ids().filter((each) => each === id).length;
  const next = await listen();
  await until(() => ids().filter((each) => each === id).length > count, "it comes again", 60);
  await end(next);
});

test("only chosen events are forwarded, and others are not waited for", async () => {
  const listener = await listen("--events", "withdrawal.*");
  const [unwanted = "", wanted = ""] = await happen(
    service,
    shop,
    ["payment.success", "withdrawal.completed"],
    sandbox,
  );
  await came(wanted);
  assert(!ids().includes(unwanted));
  await end(listener);
});

test("a feed that was set back is noticed, and followed from where both agree", async () => {
  const listener = await listen();
  const [kept = "", undone = ""] = await happen(
    service,
    shop,
    ["payment.created", "payment.failed"],
    sandbox,
  );
  await came(kept, undone);
  await end(listener);
  await setBack(undone);
  const [instead = ""] = await happen(service, shop, ["payment.success"], sandbox);
  const next = await listen();
  await came(instead);
  assert.match(next.said.stderr, /a snapshot was restored/);
  await end(next);
});

test("an event that was being retried when the feed was set back costs no other its turn", async () => {
  refusesAll = true;
  const listener = await listen();
  const [undone = ""] = await happen(service, shop, ["payment.created"], sandbox);
  await came(undone);
  await setBack(undone);
  const [instead = ""] = await happen(service, shop, ["payment.failed"], sandbox);
  taken.add(undone);
  await came(instead);
  assert.match(listener.said.stderr, /a snapshot was restored/);
  listener.child.kill("SIGKILL");
  await listener.ended;
  refusesAll = false;
  const count = ids().filter((id) => id === instead).length;
  const next = await listen();
  await until(() => ids().filter((id) => id === instead).length > count, "it comes", 60);
  await end(next);
});

test("a list of resends that was set back is noticed, too", async () => {
  const [id = ""] = await happen(service, shop, ["payment.success"], sandbox);
  const resend = () => post(service, `/events/${id}/resend?environment=sandbox`, shop);
  const count = () => ids().filter((each) => each === id).length;
  const listener = await listen();
  await came(id);
  const before = count();
  await resend();
  await until(() => count() === before + 1, "the first resend", 60);
  await end(listener);
  const { db } = service.ctx;
  const { number } = await db.one(sqlOf({ number: bigint })`
    delete from event_resends where event_id = ${id} returning number`);
  await db.run(sql`
    select setval(pg_get_serial_sequence('event_resends', 'number'), ${number}, false)`);
  await resend();
  const next = await listen();
  await until(() => count() === before + 2, "the one that took its number", 60);
  await end(next);
});

test("--since counts back from the sandbox's time", async () => {
  const [old = ""] = await happen(service, shop, ["payment.created"], sandbox);
  const advance = 30 * 24 * 60 * 60;
  const moved = await post(service, "/sandbox/clock", shop, { json: { advance } });
  assert.equal(moved.status, 200, moved.text);
  const [fresh = ""] = await happen(service, shop, ["payment.created"], sandbox);
  received.length = 0;
  const listener = await listen("--since", "1h");
  await came(fresh);
  assert(!ids().includes(old), "what happened before the move is a month ago");
  await end(listener);
});

/** As restoring a snapshot does it: the event and its number never were. */
async function setBack(eventId: string): Promise<void> {
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`delete from events where event_id = ${eventId}`);
    await tx.run(sql`
      update event_feeds set last_sequence = last_sequence - 1
      where account_number = ${shop.accountNumber} and environment = 'sandbox'`);
  });
}
