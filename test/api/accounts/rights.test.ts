/**
 * Only main merchants manage accounts. Nobody else is even granted the scope, and one that is no
 * main merchant any more, or whose credential has ended, is refused with its next request, on every
 * process, and also in the middle of one.
 */

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  books,
  change,
  close,
  create,
  type Main,
  made,
  mainMerchant,
  newAccount,
  newEmail,
  retrieve,
} from "../../../testkit/accounts.ts";
import {
  attempt,
  change as become,
  countOf,
  grantsOf,
  SCOPE_REFUSED,
  UNAUTHORIZED,
} from "../../../testkit/auth.ts";
import { type Credential, mintKey, mintToken } from "../../../testkit/credentials.ts";
import type { TestService } from "../../../testkit/service.ts";
import { type SlowRequest, slowly } from "../../../testkit/slow-request.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const FORBIDDEN = '{"message":"Forbidden"}';
const ACTIONS = ["all", "create", "retrieve", "update", "delete"] as const;

const { service, sibling } = await startTwoServices();

/** Each route once, as it would work for a main merchant who made that account. */
const everyRoute = (one: TestService, who: Credential, number: string) => [
  () => create(one, who, newAccount()),
  () => retrieve(one, who, number),
  () => change(one, who, number, { first_name: "Mine" }),
  () => close(one, who, number),
];

describe("signing in for an accounts scope", () => {
  for (const action of ACTIONS)
    test(`svc-accounts-${action} is 403 and makes no token, but for a main merchant`, async () => {
      const scopes = `svc-user-all svc-accounts-${action}`;
      for (const who of [await service.world.person(), await service.world.merchant()]) {
        const answer = await attempt(service, who, { scopes });
        assert.deepEqual([answer.status, answer.text], [403, FORBIDDEN]);
        assert.equal(await grantsOf(service, who), 0);
      }
      const main = await service.world.mainMerchant();
      assert.equal((await attempt(service, main, { scopes })).status, 200);
    });

  test("is 403 for an account that a main merchant made, PERSONAL or BUSINESS", async () => {
    const main = await mainMerchant(service);
    for (const account_type of ["PERSONAL", "BUSINESS"]) {
      const who = await made(service, main, { account_type });
      const { password } = who;
      const answer = await attempt(service, who, { password, scopes: "svc-accounts-retrieve" });
      assert.deepEqual([answer.status, answer.text], [403, FORBIDDEN]);
    }
  });
});

describe("a token or key that carries the scope", () => {
  test("without being a main merchant's opens nothing", async () => {
    const main = await mainMerchant(service);
    const { accountNumber } = await made(service, main);
    const merchant = await service.world.merchant();
    const person = await service.world.person();
    const refused: Credential[] = [
      await mintToken(service.ctx, merchant, ["svc-accounts-all"]),
      await mintKey(service.ctx, merchant, ["svc-accounts-all"]),
      await mintToken(service.ctx, person, ["svc-accounts-all"]),
    ];
    const before = await books(service);
    for (const credential of refused)
      for (const ask of everyRoute(service, credential, accountNumber)) {
        const answer = await ask();
        assert.deepEqual([answer.status, answer.text], [403, SCOPE_REFUSED]);
      }
    assert.equal(await books(service), before);
  });

  for (const what of ["no main merchant any more", "closed", "frozen"] as const)
    test(`opens nothing on any service once its account is ${what}`, async () => {
      const main = await mainMerchant(service);
      const { key } = await mintKey(service.ctx, main, ["svc-accounts-all"]);
      const { accountNumber } = await made(service, main);
      for (const one of [service, sibling])
        for (const who of [main, { key }])
          assert.equal((await retrieve(one, who, accountNumber)).status, 200);
      await become(service, main, what);
      const before = await books(service);
      const refusal = what.startsWith("no") ? SCOPE_REFUSED : UNAUTHORIZED;
      for (const one of [service, sibling])
        for (const who of [{ token: main.token }, { key }])
          for (const ask of everyRoute(one, who, accountNumber))
            assert.equal((await ask()).text, refusal);
      assert.equal(await books(service), before);
    });

  test("opens only its own route", async () => {
    const main = await mainMerchant(service);
    const { accountNumber } = await made(service, main);
    const mine = ["create", "retrieve", "update", "delete"] as const;
    for (const [index, action] of mine.entries()) {
      const who = await mintToken(service.ctx, main, [`svc-accounts-${action}`]);
      for (const [other, ask] of everyRoute(service, who, accountNumber).entries())
        assert.equal((await ask()).status === 403, other !== index, `${action} at ${other}`);
    }
  });
});

describe("a main merchant that stops being one in the middle of a request", () => {
  const cases = [
    ["no main merchant any more", 403, FORBIDDEN],
    ["closed", 401, UNAUTHORIZED],
    ["frozen", 401, UNAUTHORIZED],
  ] as const;
  for (const [what, status, said] of cases)
    test(`makes no account when it is ${what} while the password is hashed`, async () => {
      const main = await mainMerchant(service);
      const json = newAccount();
      const digest = service.ctx.passwords.digest.bind(service.ctx.passwords);
      const slow = mock.method(service.ctx.passwords, "digest", async (password: string) => {
        await become(service, main, what);
        return digest(password);
      });
      const answer = await create(service, main, json);
      slow.mock.restore();
      assert.deepEqual([answer.status, answer.text], [status, said]);
      assert.equal(await countOf(service, sql`accounts where email = ${json.email}`), 0);
    });
});

describe("a request admitted before its credential ended is 401 and changes nothing", () => {
  const REQUESTS: Record<string, (main: Main, number: string) => SlowRequest> = {
    "a creation": () => ({ method: "POST", path: "/accounts", json: newAccount() }),
    "a change of e-mail": (_main, number) => {
      return { method: "PATCH", path: `/accounts/${number}`, json: { email: newEmail() } };
    },
    "a change of its own e-mail": ({ accountNumber }) => {
      return { method: "PATCH", path: `/accounts/${accountNumber}`, json: { email: newEmail() } };
    },
    "a deletion": (_main, number) => {
      return { method: "DELETE", path: `/accounts/${number}`, json: { reason: "it can be slow" } };
    },
  };
  type Ending = { credential: Credential; end: () => Promise<unknown> };
  const ENDINGS: Record<string, (main: Main) => Promise<Ending>> = {
    "its sign-in is revoked": async ({ token }) => {
      const end = () => sibling.request("/auth/tokens", { method: "DELETE", token });
      return { credential: { token }, end };
    },
    "its password is changed": async (main) => {
      return {
        credential: { token: main.token },
        end: () => become(service, main, "given a new password"),
      };
    },
    "its key is revoked": async (main) => {
      const { key, kid } = await mintKey(service.ctx, main, ["svc-accounts-all"], {
        prefix: "live",
      });
      const revocation = sql`update api_keys set revoked_at = app_now() where kid = ${kid}`;
      return { credential: { key }, end: () => service.ctx.db.run(revocation) };
    },
  };
  for (const [what, requestOf] of Object.entries(REQUESTS))
    for (const [how, endingOf] of Object.entries(ENDINGS))
      test(`${what}, when ${how}`, async () => {
        const main = await mainMerchant(service);
        const { accountNumber } = await made(service, main);
        const { credential, end } = await endingOf(main);
        let before = "";
        const request = { ...requestOf(main, accountNumber), ...credential };
        const status = await slowly(service, request, async () => {
          await end();
          before = await books(service);
        });
        assert.equal(status, 401);
        assert.equal(await books(service), before);
      });
});
