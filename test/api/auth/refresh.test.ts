/**
 * A refresh token works once and keeps the scopes; a lost answer can be had again for ten seconds;
 * any other second use ends the whole sign-in.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeJwt } from "jose";
import { sql } from "../../../src/infra/db/query.ts";
import {
  auditsOf,
  change,
  REFRESH_INVALID,
  refresh,
  refreshTokensOf,
  UNAUTHORIZED,
  whoami,
  wholeDatabase,
} from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person, Tokens } from "../../../testkit/world.ts";

let service: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
});
after(() => service.stop());

async function expectInvalid(token: string) {
  const answer = await refresh(service, token);
  assert.equal(answer.status, 401);
  assert.equal(answer.text, REFRESH_INVALID);
}

async function expectDead(...tokens: string[]) {
  for (const token of tokens) assert.equal((await whoami(service, { token })).text, UNAUTHORIZED);
}

describe("a good refresh token", () => {
  for (const encoding of ["form", "json"] as const)
    test(`as ${encoding} is exchanged for a new pair with the same scopes`, async () => {
      const first = await shop.signIn("svc-user-all svc-withdrawals-create");
      const answer = await service.request("/auth/tokens/refresh", {
        method: "POST",
        [encoding]: { refresh_token: first.refresh_token },
      });
      assert.equal(answer.status, 200);
      const names = ["message", "token_type", "expires_in", "access_token", "refresh_token"];
      assert.deepEqual(Object.keys(answer.body), names);
      assert.equal(answer.body.message, "OK");
      assert.equal(answer.body.token_type, "Bearer");
      assert.equal(answer.body.expires_in, 43200);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      assert.notEqual(answer.body.refresh_token, first.refresh_token);
      assert.notEqual(answer.body.access_token, first.access_token);
      const { data } = (await whoami(service, { token: answer.body.access_token })).body;
      assert.deepEqual(data.scopes, ["svc-user-all", "svc-withdrawals-create"]);
      assert.equal(data.account_number, shop.accountNumber);
    });

  test("leaves the access token before it good until its own end", async () => {
    const first = await shop.signIn();
    await refresh(service, first.refresh_token);
    assert.equal((await whoami(service, { token: first.access_token })).status, 200);
  });

  test("gives a token that lives twelve hours from now, not from the sign-in", async () => {
    const first = await shop.signIn();
    await service.clock.advance({ hours: 11 });
    const { body } = await refresh(service, first.refresh_token);
    await service.clock.advance({ hours: 2 });
    await expectDead(first.access_token);
    assert.equal((await whoami(service, { token: body.access_token })).status, 200);
    assert.equal(decodeJwt(body.access_token).gid, decodeJwt(first.access_token).gid);
  });

  test("ignores a scopes field that asks for more", async () => {
    const first = await shop.signIn("svc-user-retrieve");
    const form = { refresh_token: first.refresh_token, scopes: "svc-user-all", scope: "svc-*" };
    const { body } = await service.request("/auth/tokens/refresh", { method: "POST", form });
    const { data } = (await whoami(service, { token: body.access_token })).body;
    assert.deepEqual(data.scopes, ["svc-user-retrieve"]);
  });

  test("asks for no other credential and minds none", async () => {
    const first = await shop.signIn();
    const stranger = await (await service.world.merchant()).signIn();
    const answer = await service.request("/auth/tokens/refresh", {
      method: "POST",
      form: { refresh_token: first.refresh_token },
      token: stranger.access_token,
      key: "nonsense",
    });
    assert.equal(answer.status, 200);
    const { data } = (await whoami(service, { token: answer.body.access_token })).body;
    assert.equal(data.account_number, shop.accountNumber);
  });

  test("can be the last of a long chain", async () => {
    let pair = await shop.signIn();
    for (let i = 0; i < 12; i++) pair = (await refresh(service, pair.refresh_token)).body;
    assert.equal((await whoami(service, { token: pair.access_token })).status, 200);
  });

  test("works for 18 hours and not a second longer", async () => {
    const [early, late] = [await shop.signIn(), await shop.signIn()];
    await service.clock.advance({ hours: 17, minutes: 59 });
    assert.equal((await refresh(service, early.refresh_token)).status, 200);
    await service.clock.advance({ minutes: 1 });
    await expectInvalid(late.refresh_token);
  });
});

describe("a refresh token that is not good", () => {
  const FIELD: readonly [name: string, body: Record<string, unknown>, message: string][] = [
    ["missing", {}, "The refresh token field is required."],
    ["empty", { refresh_token: "" }, "The refresh token field is required."],
    ["null", { refresh_token: null }, "The refresh token field is required."],
    ["a number", { refresh_token: 1 }, "The refresh token must be a string."],
    ["a list", { refresh_token: ["svc_rt_x"] }, "The refresh token must be a string."],
    ["an object", { refresh_token: { $ne: "" } }, "The refresh token must be a string."],
  ];
  for (const [name, json, message] of FIELD)
    test(`that is ${name} answers 400: ${message}`, async () => {
      const answer = await service.request("/auth/tokens/refresh", { method: "POST", json });
      assert.equal(answer.status, 400);
      assert.equal(answer.text, JSON.stringify({ message }));
    });

  const SPOILED: readonly [name: string, spoil: (good: string) => string][] = [
    ["unknown", () => `svc_rt_${"A".repeat(43)}`],
    ["cut short", (good) => good.slice(0, -1)],
    ["longer", (good) => `${good}A`],
    ["with its case changed", (good) => swapCase(good)],
    ["without its prefix", (good) => good.replace("svc_rt_", "")],
    ["with a space before it", (good) => ` ${good}`],
    ["with a newline after it", (good) => `${good}\n`],
    ["of SQL", () => "' or '1'='1"],
  ];
  for (const [name, spoil] of SPOILED)
    test(`that is ${name} answers 401 and harms nobody`, async () => {
      const pair = await shop.signIn();
      await expectInvalid(spoil(pair.refresh_token));
      assert.equal((await refresh(service, pair.refresh_token)).status, 200);
    });

  test("that is an access token is refused in the same words and still opens routes", async () => {
    const { access_token: token } = await shop.signIn();
    await expectInvalid(token);
    assert.equal((await whoami(service, { token })).status, 200);
  });

  test("opens no route in the place of an access token", async () => {
    const pair = await shop.signIn();
    await expectDead(pair.refresh_token);
  });

  for (const what of ["frozen", "closed", "given a new password"] as const)
    test(`of an account that was ${what} answers 401 and makes no token`, async () => {
      const who = await service.world.merchant();
      const pair = await who.signIn();
      await change(service, who, what);
      await expectInvalid(pair.refresh_token);
      assert.equal(await refreshTokensOf(service, who), 1);
    });

  test("with a scope that is no longer allowed answers 403, and works again if it is", async () => {
    const main = await service.world.mainMerchant();
    const pair = await main.signIn("svc-user-all svc-accounts-all");
    await change(service, main, "no main merchant any more");
    const answer = await refresh(service, pair.refresh_token);
    assert.equal(answer.status, 403);
    assert.equal(answer.text, '{"message":"Forbidden"}');
    assert.equal(await refreshTokensOf(service, main), 1);
    await service.ctx.db.run(sql`
      update accounts set is_main_merchant = true where account_number = ${main.accountNumber}`);
    assert.equal((await refresh(service, pair.refresh_token)).status, 200);
  });
});

describe("a refresh token used a second time", () => {
  test("within ten seconds, its answer lost, gives the same bytes again", async () => {
    const first = await shop.signIn();
    const before = await refreshTokensOf(service, shop);
    const answers = [await refresh(service, first.refresh_token)];
    await service.clock.advance({ seconds: 5 });
    for (let i = 0; i < 3; i++) answers.push(await refresh(service, first.refresh_token));
    for (const answer of answers) assert.equal(answer.text, answers[0]?.text);
    assert.equal(await refreshTokensOf(service, shop), before + 1);
    const { access_token: token, refresh_token: next } = answers[0]?.body ?? {};
    assert.equal((await whoami(service, { token })).status, 200);
    assert.equal((await refresh(service, next)).status, 200);
  });

  test("when the clock was set back to before its use ends the whole sign-in", async () => {
    const first = await shop.signIn();
    const second = (await refresh(service, first.refresh_token)).body;
    await service.clock.advance({ hours: -1 });
    await expectInvalid(first.refresh_token);
    await service.clock.advance({ hours: 1 });
    await expectDead(first.access_token, second.access_token);
    await expectInvalid(second.refresh_token);
  });

  /** How the first pair's token comes to be used again; gives every pair of the sign-in. */
  const STORIES: readonly [name: string, story: (first: Tokens) => Promise<Tokens[]>][] = [
    [
      "after ten seconds",
      async (first) => {
        const second = await next(first);
        await service.clock.advance({ seconds: 11 });
        return [first, second];
      },
    ],
    [
      "within ten seconds, but after its successor was used",
      async (first) => {
        const second = await next(first);
        return [first, second, await next(second)];
      },
    ],
    [
      "by somebody who slept longer than the token lived",
      async (first) => {
        const second = await next(first);
        await service.clock.advance({ hours: 17 });
        const third = await next(second);
        await service.clock.advance({ hours: 2 });
        return [first, second, third];
      },
    ],
  ];
  for (const [name, story] of STORIES)
    test(`${name} ends the whole sign-in, no other, and is written down once`, async () => {
      const who = await service.world.merchant();
      const pairs = await story(await who.signIn());
      const other = await who.signIn();
      const newest = pairs.at(-1)?.access_token ?? "";
      assert.equal((await whoami(service, { token: newest })).status, 200);
      const rows = await refreshTokensOf(service, who);
      for (const pair of pairs) await expectInvalid(pair.refresh_token);
      await expectDead(...pairs.map((pair) => pair.access_token));
      assert.equal(await refreshTokensOf(service, who), rows, "no new token was made");
      assert.equal(await auditsOf(service, who, "refresh_token_reused"), 1);
      assert.equal((await whoami(service, { token: other.access_token })).status, 200);
      assert.equal((await refresh(service, other.refresh_token)).status, 200);
    });

  async function next(pair: Tokens): Promise<Tokens> {
    const answer = await refresh(service, pair.refresh_token);
    assert.equal(answer.status, 200);
    return answer.body;
  }
});

test("the database and the log alone reveal no token", async () => {
  const first = await shop.signIn();
  const second = (await refresh(service, first.refresh_token)).body;
  const dump = await wholeDatabase(service);
  assert(dump.includes(shop.accountNumber));
  const places = { dump, log: service.logged.join("") };
  for (const token of Object.values({ ...first, ...second, old: first.refresh_token })) {
    if (typeof token !== "string" || token.length < 20) continue;
    const [secret = token] = token.split(".").slice(-1);
    const spellings = [secret, Buffer.from(secret).toString("hex")];
    for (const [place, text] of Object.entries(places))
      for (const spelling of spellings) assert(!text.includes(spelling), `${place} shows a token`);
  }
});

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  );
}
