/**
 * Who gives the SDK an e-mail and a password never thinks of tokens: one is there when it is
 * needed, it is renewed in time and once for all, and no answer that is lost signs anybody out.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createWindward } from "../../sdk/src/windward.ts";
import { WindwardError } from "../../sdk/src/windward-error.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import type { Person } from "../../testkit/world.ts";
import { startWire, type Wire } from "./support.ts";

const GRANT = "/auth/tokens";
const REFRESH = "/auth/tokens/refresh";
const HOURS_12_MS = 12 * 3_600_000;

let service: TestService;
let wire: Wire;
let shop: Person;
before(async () => {
  service = await startService();
  wire = await startWire(service.url);
  shop = await service.world.merchant();
});
after(async () => {
  await wire.close();
  await service.stop();
});
beforeEach(() => wire.forget());

/** A client whose clock is moved by hand, as the service's is. */
function signedIn(more: { password?: string } = {}) {
  const clock = { ms: Date.now() };
  const { email, password } = { ...shop, ...more };
  const scopes = ["svc-user-all", "svc-transactions-all"];
  const now = () => clock.ms;
  const windward = createWindward({ baseUrl: wire.url, email, password, scopes, now });
  const advance = async (ms: number) => {
    clock.ms += ms;
    await service.clock.advance({ seconds: ms / 1000 });
  };
  return { windward, advance, clock, whoami: () => windward.GET("/auth/whoami") };
}
const asked = (path: string) =>
  wire.requests.filter((one) => one.method === "POST" && one.path === path);

describe("a token", () => {
  test("is granted when it is first needed, once for many calls at the same moment", async () => {
    const { whoami } = signedIn();
    assert.equal(wire.requests.length, 0, "making a client asks for nothing");
    const answers = await Promise.all(Array.from({ length: 8 }, whoami));
    for (const { data } of answers) assert.equal(data.account_number, shop.accountNumber);
    assert.deepEqual(answers[0]?.data.scopes, ["svc-user-all", "svc-transactions-all"]);
    assert.equal(asked(GRANT).length, 1);
  });

  test("is refreshed a minute before its end, once for many calls at the same moment", async () => {
    const { whoami, advance } = signedIn();
    await whoami();
    await advance(HOURS_12_MS - 62_000);
    await whoami();
    assert.equal(asked(REFRESH).length, 0, "62 seconds before its end");
    await advance(3_000);
    await Promise.all(Array.from({ length: 8 }, whoami));
    assert.equal(asked(REFRESH).length, 1, "59 seconds before its end");
    assert.equal(asked(GRANT).length, 1);
  });

  test("that ended without the client knowing is refreshed upon the 401, and the call goes on", async () => {
    const { whoami } = signedIn();
    await whoami();
    await service.clock.advance({ seconds: HOURS_12_MS / 1000 + 10 });
    wire.forget();
    const answers = await Promise.all(Array.from({ length: 4 }, whoami));
    assert.equal(answers[3]?.data.account_number, shop.accountNumber);
    assert.deepEqual([asked(GRANT).length, asked(REFRESH).length], [0, 1]);
  });

  test("that was revoked, with what refreshes it, is granted anew", async () => {
    const { windward, whoami } = signedIn();
    await windward.DELETE("/auth/tokens");
    await whoami();
    assert.deepEqual([asked(GRANT).length, asked(REFRESH).length], [2, 1]);
  });

  test("that is refused twice is told as the 401 it is, and not asked for a third time", async () => {
    const { whoami } = signedIn();
    wire.fate("/auth/whoami", { status: 401 }, { status: 401 });
    await assert.rejects(whoami, { name: "WindwardError", status: 401 });
    assert.equal(wire.calls().length, 2);
  });
});

describe("a refresh whose answer is lost", () => {
  for (const [how, fate] of [
    ["before it reaches the service", "before"],
    ["after the service has answered", "after"],
    ["in its middle", "middle"],
  ] as const)
    test(`${how} is asked for again, and the sign-in lives on`, async () => {
      const { whoami, advance } = signedIn();
      await whoami();
      await advance(HOURS_12_MS - 30_000);
      wire.fate(REFRESH, fate);
      await whoami();
      assert.deepEqual([asked(GRANT).length, asked(REFRESH).length], [1, 2]);
      assert.equal(asked(REFRESH)[0]?.body, asked(REFRESH)[1]?.body, "with the same token");
      await advance(HOURS_12_MS - 30_000);
      await whoami();
      assert.deepEqual([asked(GRANT).length, asked(REFRESH).length], [1, 3], "no theft was seen");
    });

  test("again and again is given up before the service would take it for theft", async () => {
    const { whoami, advance } = signedIn();
    await whoami();
    await advance(HOURS_12_MS - 30_000);
    wire.fate(REFRESH, "after", "after", "after", "after");
    await whoami();
    assert.deepEqual([asked(GRANT).length, asked(REFRESH).length], [2, 4], "then signs in anew");
  });
});

describe("a refresh that has to wait", () => {
  test("leaves the token in use as long as it is good, and is tried again later", async () => {
    const { whoami, advance } = signedIn();
    await whoami();
    await advance(HOURS_12_MS - 30_000);
    wire.fate(REFRESH, { status: 429, headers: { "retry-after": "20" } });
    await whoami();
    assert.deepEqual([asked(GRANT).length, asked(REFRESH).length], [1, 1]);
    await whoami();
    assert.deepEqual([asked(GRANT).length, asked(REFRESH).length], [1, 2]);
  });
});

describe("a refresh that is lost while nobody can sign in", () => {
  test("leaves the token in use to all calls as long as it is good", async () => {
    const { whoami, advance } = signedIn();
    await whoami();
    await advance(HOURS_12_MS - 50_000);
    const away = Array.from({ length: 3 }, () => ({ status: 500 }));
    wire.fate(REFRESH, { status: 401 });
    wire.fate(GRANT, ...away);
    await whoami();
    await whoami();
    await whoami();
    assert.deepEqual([asked(GRANT).length, asked(REFRESH).length], [4, 1], "it is used up");
    await whoami();
    assert.equal(asked(GRANT).length, 5, "and a new one granted");
  });
});

describe("a wrong password", () => {
  test("is told as the service tells it, and rests for half a minute", async () => {
    const { whoami, clock } = signedIn({ password: "not the password" });
    const error = await whoami().catch((caught) => caught);
    assert(error instanceof WindwardError);
    assert.equal(error.status, 401);
    assert.match(error.requestId ?? "", /^[0-9a-f-]{36}$/);
    await assert.rejects(whoami, { status: 401 });
    assert.equal(asked(GRANT).length, 1, "not asked again");
    assert.deepEqual(wire.calls(), [], "nothing was called without a token");
    clock.ms += 30_001;
    await assert.rejects(whoami, { status: 401 });
    assert.equal(asked(GRANT).length, 2);
  });
});
