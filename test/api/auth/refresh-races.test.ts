/**
 * Refreshing under load and theft: one new pair for any number of concurrent requests, no owner
 * signed out, no thief left signed in, and nothing valid once a revocation was answered.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/infra/db/query.ts";
import {
  attempt,
  auditsOf,
  change,
  REFRESH_INVALID,
  refresh,
  refreshTokensOf,
  UNAUTHORIZED,
  whoami,
} from "../../../testkit/auth.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";
import type { Person, Tokens } from "../../../testkit/world.ts";

let service: TestService;
let sibling: TestService;
before(async () => {
  service = await startService();
  sibling = await startService({ database: service.database });
});
after(async () => {
  await sibling.stop();
  await service.stop();
});

/** In every second one, the change waits until one of the others has come first. */
const RACES = 4;

/** Those that came first; all others are refused, or told to come again. */
function grantedOf(answers: readonly TestAnswer[]): TestAnswer[] {
  const others = answers.filter(({ status }) => status !== 200);
  assert(others.every(({ status }) => status === 401 || status === 503));
  return answers.filter(({ status }) => status === 200);
}

const either = (turn: number) => (turn % 2 === 0 ? service : sibling);

describe("one refresh token used 32 times at once, on two processes", () => {
  let who: Person;
  let answers: TestAnswer[];
  before(async () => {
    who = await service.world.merchant();
    const { refresh_token: token } = await who.signIn();
    answers = await Promise.all(Array.from({ length: 32 }, (_, i) => refresh(either(i), token)));
  });

  test("answers all with 200 and the same bytes", () => {
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      assert.equal(answer.text, answers[0]?.text);
    }
  });

  test("makes one new member of the family", async () => {
    assert.equal(await refreshTokensOf(service, who), 2);
    assert.equal(await auditsOf(service, who, "refresh_token_reused"), 0);
  });

  test("logs nobody out", async () => {
    const { access_token: token, refresh_token } = answers[0]?.body ?? {};
    assert.equal((await whoami(sibling, { token })).status, 200);
    assert.equal((await refresh(service, refresh_token)).status, 200);
  });
});

test("a chain of 32 refreshes in parallel families never mixes them", async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => service.world.merchant()));
  await Promise.all(
    people.map(async (who) => {
      let pair = await who.signIn();
      for (let i = 0; i < 8; i++) pair = (await refresh(either(i), pair.refresh_token)).body;
      const { body } = await whoami(service, { token: pair.access_token });
      assert.equal(body.data.account_number, who.accountNumber);
      assert.equal(await refreshTokensOf(service, who), 9);
    }),
  );
});

describe("an owner and a thief with the same token", () => {
  test("are both out as soon as the slower of them uses it", async () => {
    const who = await service.world.merchant();
    const stolen = (await who.signIn()).refresh_token;
    const second: Tokens = (await refresh(service, stolen)).body;
    await service.clock.advance({ seconds: 11 });
    const third: Tokens = (await refresh(service, second.refresh_token)).body;
    assert.equal((await whoami(sibling, { token: third.access_token })).status, 200);
    assert.equal((await refresh(sibling, stolen)).text, REFRESH_INVALID);
    assert.equal((await refresh(service, third.refresh_token)).text, REFRESH_INVALID);
    for (const token of [second.access_token, third.access_token])
      assert.equal((await whoami(service, { token })).text, UNAUTHORIZED);
    assert.equal(await auditsOf(service, who, "refresh_token_reused"), 1);
  });

  test("never both stay in, whatever the order and the pauses of their uses", async () => {
    const step = fc.record({
      who: fc.constantFrom("owner", "thief"),
      pauseSeconds: fc.constantFrom(0, 4, 11, 3600),
    });
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), playTheft), {
      numRuns: fuzzRuns({ usual: 6, proof: 12 }),
    });
  });
});

/** Once both have come back, each past the grace of the other's use, neither is admitted. */
async function playTheft(steps: { who: string; pauseSeconds: number }[]): Promise<void> {
  const person = await service.world.merchant();
  const start = await person.signIn();
  const held: Record<string, Tokens> = { owner: start, thief: start };
  const use = async (who: string) => {
    const answer = await refresh(service, held[who]?.refresh_token ?? "");
    if (answer.status === 200) held[who] = answer.body;
    return answer.status;
  };
  for (const { who, pauseSeconds } of steps) {
    await service.clock.advance({ seconds: pauseSeconds });
    await use(who);
  }
  await service.clock.advance({ seconds: 11 });
  await use("owner");
  await service.clock.advance({ seconds: 11 });
  assert.equal(await use("thief"), 401);
  assert.equal(await use("owner"), 401);
  for (const { access_token: token } of Object.values(held))
    assert.equal((await whoami(service, { token })).status, 401);
}

describe("refresh against what ends a sign-in", () => {
  test("leaves no live token once the revocation was answered", async () => {
    for (let round = 0; round < 8; round++) {
      const who = await service.world.merchant();
      const pair = await who.signIn();
      const refreshing = Array.from({ length: 4 }, (_, i) =>
        refresh(either(i), pair.refresh_token),
      );
      const revoked = await sibling.request("/auth/tokens", {
        method: "DELETE",
        token: pair.access_token,
      });
      assert.equal(revoked.status, 200);
      const minted = (await Promise.all(refreshing)).filter(({ status }) => status === 200);
      for (const { body } of [{ body: pair }, ...minted]) {
        const { status } = await whoami(either(round), { token: body.access_token });
        assert.equal(status, 401);
        assert.equal((await refresh(either(round), body.refresh_token)).text, REFRESH_INVALID);
      }
    }
  });

  test("leaves no live token of the old password once it was changed", async () => {
    let grantedCount = 0;
    for (let round = 0; round < RACES; round++) {
      const who = await service.world.merchant();
      const pair = await who.signIn();
      const racing = [
        ...Array.from({ length: 4 }, (_, i) => refresh(either(i), pair.refresh_token)),
        ...Array.from({ length: 4 }, (_, i) => attempt(either(i), who)),
      ];
      if (round % 2 === 1) await Promise.race(racing);
      // As a password change does: digest and epoch in one statement.
      const fresh = await service.ctx.passwords.digest("another password");
      await service.ctx.db.run(sql`
        update accounts set password_digest = ${fresh.digest},
          credential_epoch = credential_epoch + 1 where account_number = ${who.accountNumber}`);
      for (const { body } of grantedOf(await Promise.all(racing))) {
        grantedCount += 1;
        assert.equal((await whoami(sibling, { token: body.access_token })).status, 401);
        assert.equal((await refresh(sibling, body.refresh_token)).status, 401);
      }
    }
    assert(grantedCount > 0, "the change was always the first");
  });

  test("makes no token for an account that is closed while it waits", async () => {
    let grantedCount = 0;
    for (let round = 0; round < RACES; round++) {
      const who = await service.world.merchant();
      const pair = await who.signIn();
      const racing = Array.from({ length: 6 }, (_, i) => refresh(either(i), pair.refresh_token));
      if (round % 2 === 1) await Promise.race(racing);
      await change(service, who, "closed");
      for (const { body } of grantedOf(await Promise.all(racing))) {
        grantedCount += 1;
        assert.equal((await whoami(service, { token: body.access_token })).status, 401);
      }
    }
    assert(grantedCount > 0, "the change was always the first");
  });
});
