/**
 * `/sandbox/clock`: who may move it, how far, and what stays on real time (Decision 0104).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { now, realNow } from "../../../src/infra/db/clock.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { PRODUCTION_SETTINGS } from "../../../testkit/mails.ts";
import { startService } from "../../../testkit/service.ts";

const DAY = 86_400;
const service = await startService();
after(() => service.stop());
const merchant = await service.world.merchant();
const { access_token: token } = await merchant.signIn();

const read = async () => (await service.request("/sandbox/clock", { token })).body.data;
const move = (json: object, headers: Record<string, string> = {}) =>
  service.request("/sandbox/clock", { method: "POST", token, json, headers });

describe("the clock", () => {
  test("shows both times", async () => {
    const clock = await read();
    assert.equal(clock.shift_seconds, 0);
    assert(Math.abs(Date.parse(clock.now) - Date.parse(clock.real_time)) < 1_000);
  });

  test("is advanced by seconds, and set to a time", async () => {
    const before = await read();
    const advanced = (await move({ advance: 180 })).body.data;
    assert.equal(advanced.shift_seconds, before.shift_seconds + 180);
    const time = new Date(Date.parse(advanced.now) + DAY * 1_000).toISOString();
    const beganAt = Date.now();
    const set = (await move({ set: time })).body.data;
    const endedAt = Date.now();
    const late = Date.parse(set.now) - Date.parse(time);
    assert(0 <= late && late <= endedAt - beganAt, `${late} ms late`);
    const real = Date.parse(set.real_time);
    assert(beganAt <= real + 1 && real <= endedAt, "the time of everybody else");
  });

  test("is moved once per Idempotency-Key", async () => {
    const before = await read();
    for (let i = 0; i < 2; i++)
      assert.equal((await move({ advance: 60 }, { "idempotency-key": "once" })).status, 200);
    assert.equal((await read()).shift_seconds, before.shift_seconds + 60);
  });

  test("moves of the same moment add up", async () => {
    const before = await read();
    const moves = Array.from({ length: 5 }, () => move({ advance: 10 }));
    for (const { status } of await Promise.all(moves)) assert.equal(status, 200);
    assert.equal((await read()).shift_seconds, before.shift_seconds + 50);
  });

  const refused: [what: string, json: object, status: number, message: string][] = [
    ["neither field", {}, 400, "Send advance or set, one of them."],
    [
      "both fields",
      { advance: 1, set: "2030-01-01T00:00:00Z" },
      400,
      "Send advance or set, one of them.",
    ],
    [
      "a negative advance",
      { advance: -1 },
      400,
      "The advance must be a whole number from 0 to 316224000.",
    ],
    [
      "a past time",
      { set: "2020-01-01T00:00:00Z" },
      409,
      "The clock runs forward only. Restore a snapshot to go back.",
    ],
    [
      "a time too far ahead",
      { set: "2100-01-01T00:00:00Z" },
      409,
      "The clock can be at most 10 years ahead.",
    ],
  ];
  for (const [what, json, status, message] of refused)
    test(`is not moved by ${what}`, async () => {
      const before = await read();
      const answer = await move(json);
      assert.deepEqual([answer.status, answer.body], [status, { message }]);
      assert.equal((await read()).shift_seconds, before.shift_seconds);
    });

  test("is moved with a sandbox key; a live one does not reach it", async () => {
    const sandbox = await merchant.makeKey("svc-user-all");
    const live = await merchant.makeKey("svc-user-all", { environment: "live" });
    const asked = { method: "POST", json: { advance: 1 } };
    const one = await service.request("/sandbox/clock", { ...asked, key: sandbox.key });
    assert.equal(one.status, 200, one.text);
    for (const request of [asked, {}]) {
      const other = await service.request("/sandbox/clock", { ...request, key: live.key });
      assert.equal(other.status, 404);
    }
  });

  test("is audited", async () => {
    const { count } = await service.ctx.db.one<{ count: number }>(sql`
      select count(*)::int as count from audit_entries where action = 'clock_moved'`);
    assert(count >= 9);
  });
});

test("a year later credentials are as they were, and limits still count", async () => {
  const { key } = await merchant.makeKey("svc-user-all");
  const { access_token, refresh_token } = await merchant.signIn();
  const { db } = service.ctx;
  await move({ advance: 365 * DAY });
  assert((await now(db)).getTime() - (await realNow(db)).getTime() > 364 * DAY * 1_000);
  assert.equal((await service.request("/auth/whoami", { token: access_token })).status, 200);
  assert.equal((await service.request("/auth/whoami", { key })).status, 200);
  const refreshed = await service.request("/auth/tokens/refresh", {
    method: "POST",
    json: { refresh_token },
  });
  assert.equal(refreshed.status, 200, refreshed.text);
  const { exp } = JSON.parse(
    Buffer.from(refreshed.body.access_token.split(".")[1] ?? "", "base64url").toString(),
  );
  const hours = (exp - Date.now() / 1_000) / 3_600;
  assert(hours > 11.9 && hours < 12.1, "a foreign verifier finds 12 hours left");
});

test("there is no clock to move outside of the development stage", async (t) => {
  const production = await startService({ settings: PRODUCTION_SETTINGS });
  t.after(() => production.stop());
  const headers = { host: "pay.example.com" };
  for (const method of ["GET", "POST"]) {
    const { status } = await production.request("/sandbox/clock", { method, headers });
    assert.equal(status, 404);
  }
});
