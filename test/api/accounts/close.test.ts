/**
 * Deleting closes an account for good: its sign-ins, tokens and keys are over on every process once
 * the answer is out. While there is a reason to keep it open, nothing happens (Decision 0022).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { ReasonToStayOpen } from "../../../src/modules/accounts/context.ts";
import {
  auditEntriesOn,
  books,
  change,
  close,
  type Main,
  made,
  mainMerchant,
  NOT_FOUND,
  retrieve,
} from "../../../testkit/accounts.ts";
import {
  attempt,
  INCORRECT,
  REFRESH_INVALID,
  refresh,
  UNAUTHORIZED,
  whoami,
} from "../../../testkit/auth.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const BALANCE = "The account still has money.";
const PAYMENT = "The account still has an open payment.";

/** What the modules to come would say, and whom they were asked about. */
const asked: string[] = [];
const withBalance = new Set<string>();
const withPayment = new Set<string>();
const reasonOf =
  (numbers: Set<string>, reason: string): ReasonToStayOpen =>
  async (_tx, accountNumber) => {
    asked.push(accountNumber);
    return numbers.has(accountNumber) ? reason : undefined;
  };

let service: TestService;
let sibling: TestService;
let main: Main;
before(async () => {
  const context = {
    reasonsToStayOpen: [reasonOf(withBalance, BALANCE), reasonOf(withPayment, PAYMENT)],
  };
  service = await startService({ context });
  sibling = await startService({ context, database: service.database });
  main = await mainMerchant(service);
});
after(async () => {
  await sibling.stop();
  await service.stop();
});

describe("a deleted account", () => {
  test("has no sign-in, token, refresh token or key that works, on any process", async () => {
    const shop = await made(service, main, { account_type: "BUSINESS" });
    const { body: tokens } = await attempt(service, shop, { password: shop.password });
    const { token } = await mintToken(service.ctx, shop, ["svc-user-all"]);
    const { key } = await mintKey(service.ctx, shop, ["svc-user-all"]);
    const credentials = [{ token: tokens.access_token }, { token }, { key }];
    for (const one of [service, sibling])
      for (const credential of credentials)
        assert.equal((await whoami(one, credential)).status, 200);

    const answer = await close(service, main, shop.accountNumber);
    assert.deepEqual([answer.status, answer.text], [200, '{"message":"OK"}']);
    for (const one of [sibling, service]) {
      for (const credential of credentials)
        assert.equal((await whoami(one, credential)).text, UNAUTHORIZED);
      assert.equal((await attempt(one, shop, { password: shop.password })).text, INCORRECT);
      assert.equal((await refresh(one, tokens.refresh_token)).text, REFRESH_INVALID);
    }
  });

  test("is kept as closed with its time, is not found any more, and cannot be deleted twice", async () => {
    const { accountNumber } = await made(service, main);
    await close(service, main, accountNumber);
    const row = await service.ctx.db.one<{ status: string; closed_at: Date | null }>(
      sql`select status, closed_at from accounts where account_number = ${accountNumber}`,
    );
    assert.equal(row.status, "closed");
    assert(row.closed_at instanceof Date);
    const before = await books(service);
    for (const one of [service, sibling]) {
      assert.equal((await retrieve(one, main, accountNumber)).text, NOT_FOUND);
      assert.equal((await change(one, main, accountNumber, { first_name: "x" })).text, NOT_FOUND);
      assert.equal((await close(one, main, accountNumber)).text, NOT_FOUND);
    }
    assert.equal(await books(service), before);
  });

  test("is written down with who deleted it", async () => {
    const { accountNumber } = await made(service, main);
    const { key, kid } = await mintKey(service.ctx, main, ["svc-accounts-delete"], {
      prefix: "live",
    });
    assert.equal((await close(service, { key }, accountNumber)).status, 200);
    const entries = await auditEntriesOn(service, accountNumber);
    assert.deepEqual(entries.at(-1), {
      action: "account_closed",
      actor: `account ${main.accountNumber}`,
      detail: { kid },
    });
    assert.equal(entries.length, 2);
  });
});

describe("an account with a reason to stay open", () => {
  for (const [numbers, reason] of [
    [withBalance, BALANCE],
    [withPayment, PAYMENT],
  ] as const)
    test(`answers 409 "${reason}" until it is gone, and goes on working`, async () => {
      const shop = await made(service, main);
      const { token } = await mintToken(service.ctx, shop, ["svc-user-all"]);
      numbers.add(shop.accountNumber);
      const before = await books(service);
      const answer = await close(service, main, shop.accountNumber);
      assert.deepEqual([answer.status, answer.body], [409, { message: reason }]);
      assert.equal(await books(service), before);
      assert.equal((await whoami(sibling, { token })).status, 200);
      assert.equal((await retrieve(service, main, shop.accountNumber)).status, 200);
      numbers.delete(shop.accountNumber);
      assert.equal((await close(service, main, shop.accountNumber)).status, 200);
    });

  test("is told the first reason of several", async () => {
    const { accountNumber } = await made(service, main);
    withBalance.add(accountNumber);
    withPayment.add(accountNumber);
    assert.equal((await close(service, main, accountNumber)).body.message, BALANCE);
  });

  test("is asked about while it is held: nobody else can lock its row meanwhile", async () => {
    const { accountNumber } = await made(service, main);
    let held: boolean | undefined;
    const probe = await startService({
      database: service.database,
      context: {
        reasonsToStayOpen: [
          async (_tx, number) => {
            const free = await service.ctx.db.maybeOne(sql`
              select 1 from accounts where account_number = ${number} for key share skip locked`);
            held = free === undefined;
            return undefined;
          },
        ],
      },
    });
    const answer = await close(probe, main, accountNumber);
    await probe.stop();
    assert.deepEqual([answer.status, held], [200, true]);
  });

  test("nobody is asked about an account that the caller cannot reach", async () => {
    const stranger = await service.world.person();
    asked.length = 0;
    assert.equal((await close(service, main, stranger.accountNumber)).status, 404);
    assert.deepEqual(asked, []);
  });
});

describe("a main merchant", () => {
  test("cannot delete itself: 403 with the reason, and it goes on working", async () => {
    const before = await books(service);
    const answer = await close(service, main, main.accountNumber);
    const message = "A main merchant cannot delete its own account.";
    assert.deepEqual([answer.status, answer.body], [403, { message }]);
    assert.equal(await books(service), before);
    assert.equal((await retrieve(service, main, main.accountNumber)).status, 200);
  });

  test("that is closed leaves the accounts it made at work", async () => {
    const maker = await mainMerchant(service);
    const shop = await made(service, maker);
    const { token } = await mintToken(service.ctx, shop, ["svc-user-all"]);
    await service.ctx.db.run(sql`
      update accounts set status = 'closed', closed_at = app_now()
      where account_number = ${maker.accountNumber}`);
    assert.equal((await retrieve(service, maker, shop.accountNumber)).text, UNAUTHORIZED);
    for (const one of [service, sibling]) assert.equal((await whoami(one, { token })).status, 200);
    assert.equal((await attempt(service, shop, { password: shop.password })).status, 200);
  });
});
