/**
 * Only main merchants manage accounts. Nobody else is even granted the scope, and one that is no
 * main merchant any more is refused with its next request, on every process, and also in the
 * middle of one.
 */

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { mintKey, mintToken } from "../../support/credentials.ts";
import { startService, type TestService } from "../../support/service.ts";
import {
  attempt,
  change as become,
  countOf,
  grantsOf,
  SCOPE_REFUSED,
  UNAUTHORIZED,
} from "../auth/support.ts";
import {
  books,
  type Credential,
  change,
  close,
  create,
  made,
  mainMerchant,
  newAccount,
  retrieve,
} from "./support.ts";

const FORBIDDEN = '{"message":"Forbidden"}';
const ACTIONS = ["all", "create", "retrieve", "update", "delete"] as const;

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
    test(`opens nothing on any process once its account is ${what}`, async () => {
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
  for (const what of ["no main merchant any more", "closed", "frozen"] as const)
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
      assert.deepEqual([answer.status, answer.text], [403, FORBIDDEN]);
      assert.equal(await countOf(service, sql`accounts where email = ${json.email}`), 0);
    });
});
