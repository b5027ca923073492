/**
 * The guarantee: `windward events` shows as many as were asked for, what follows a log ends when
 * its key does, and a live key is refused where the sandbox is meant, and named where it may be.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mintKey } from "../../testkit/credentials.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { happen, openShop, type Shop } from "../../testkit/webhook-endpoints.ts";
import { openTerminal, type Terminal } from "../../testkit/windward-tool.ts";

const COUNT = 130;

let service: TestService;
let terminal: Terminal;
let shop: Shop;
let ids: readonly string[];
before(async () => {
  service = await startService();
  shop = await openShop(service);
  const names = Array.from({ length: COUNT }, () => "payment.success" as const);
  ids = await happen(service, shop, names, { environment: "sandbox" });
  terminal = openTerminal({ WINDWARD_URL: service.url, WINDWARD_KEY: (await newKey("test")).key });
});
after(async () => {
  terminal.close();
  await service.stop();
});

const newKey = (prefix: "live" | "test") =>
  mintKey(service.ctx, shop, ["svc-user-all", "svc-transactions-all"], { prefix });

for (const limit of [20, 120, 500])
  test(`of ${COUNT} events --limit ${limit} shows ${Math.min(limit, COUNT)}, newest first`, async () => {
    const { stdout } = await terminal.run(["events", "--limit", String(limit), "--json"]);
    const shown = JSON.parse(stdout).map(({ id }: { id: string }) => id);
    assert.deepEqual(shown, [...ids].reverse().slice(0, limit));
  });

test("the oldest event is found by its id", async () => {
  const { code, stdout } = await terminal.run(["events", "show", ids[0] ?? "", "--json"]);
  assert.deepEqual([code, JSON.parse(stdout).sequence], [0, 1]);
});

test("requests --follow ends with 1 when its key is revoked, and says what to do", async () => {
  const { key, kid } = await newKey("test");
  const follower = terminal.begin(["requests", "--follow"], { env: { WINDWARD_KEY: key } });
  await until(() => /Waiting for requests/.test(follower.said.stderr), "it follows", 60);
  const { token } = shop;
  const answer = await service.request(`/auth/keys/${kid}`, { method: "DELETE", token });
  assert.equal(answer.status, 200);
  const { code, stderr } = await follower.ended;
  assert.equal(code, 1);
  assert.match(stderr, /Sign in with npx windward login/);
});

test("with a live key no shop is examined, and listening says that the events are real", async () => {
  const env = { WINDWARD_KEY: (await newKey("live")).key };
  const orders = Array.from({ length: 12 }, (_, index) => `order-${index}:1.00`).join();
  // Something answers there, and that is all it is asked for.
  const exam = await terminal.run(["exam", service.url, service.url, "--orders", orders], { env });
  assert.equal(exam.code, 1);
  assert.match(exam.stderr, /This is a live key: no live shop is examined/);
  // A live key reads no clock of the sandbox: the time is the machine's.
  const listener = terminal.begin(["listen", "--since", "1h"], { env });
  await until(() => /live key: the events are real/.test(listener.said.stderr), "it says so", 60);
  listener.child.kill("SIGTERM");
  assert.equal((await listener.ended).code, 0);
});

test("a key that may read events alone listens since a while ago, by the machine's time", async () => {
  const { key } = await mintKey(service.ctx, shop, ["svc-user-retrieve"], { prefix: "test" });
  const env = { WINDWARD_KEY: key };
  const listener = terminal.begin(["listen", "--since", "1h"], { env });
  const count = () => listener.said.stdout.match(/payment\.success/g)?.length;
  await until(() => count() === COUNT, "all of the last hour are shown", 60);
  listener.child.kill("SIGTERM");
  assert.equal((await listener.ended).code, 0);
});
