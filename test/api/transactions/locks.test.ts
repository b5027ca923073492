/**
 * A change that another tx is making is waited for and then honoured: a chargeback that is being
 * opened, an account that is being closed, a credential that is being revoked (Decisions 0022, 0026
 * and 0029). Each is held uncommitted until the request waits for its lock.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Caller } from "../../../src/infra/http/caller.ts";
import { money } from "../../../src/kit/money.ts";
import type { Scope } from "../../../src/kit/scopes.ts";
import { closeAccount } from "../../../src/modules/accounts/close-account.ts";
import { openChargeback } from "../../../src/modules/transactions/dispute.ts";
import { AccountTakesNoPayments } from "../../../src/modules/transactions/new-transaction.ts";
import { refundsOf } from "../../../src/modules/transactions/refund.ts";
import { close, made, mainMerchant } from "../../../testkit/accounts.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import { recordTransaction } from "../../../testkit/record-transaction.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { newPayment, pay } from "../../../testkit/transactions.ts";
import { askRefund, expectAllToAddUp, fundsOf, paidOrder, told } from "./refund-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

describe("refunds asked for while a partial chargeback is being opened", () => {
  const action = { by: "ria", why: "the bank says so" };

  test("wait for it and are all refused: none is made after it", async () => {
    const order = await paidOrder(service);
    let answers: Promise<{ status: number }[]> = Promise.resolve([]);
    await service.ctx.db.transaction(async (tx) => {
      const amount = money("TTD", 50_00n);
      await openChargeback(tx, { ...action, transactionId: order.id, amount });
      const ask = () => askRefund(service, order, { amount: "10.00" });
      answers = Promise.all(Array.from({ length: 3 }, ask));
      await untilWaiting(service.ctx.db, 3);
    });
    assert.deepEqual(
      (await answers).map(({ status }) => status),
      Array(3).fill(409),
    );
    assert.deepEqual(await refundsOf(service.ctx.db, order.id), []);
    assert.equal(await told(service, order), "Chargeback Pending, 0.00");
    assert.equal(await fundsOf(service, order), "1050.00 + 50.00");
  });

  test("that is given up: they wait no longer, and are taken", async () => {
    const order = await paidOrder(service);
    let answer: Promise<{ status: number }> | undefined;
    const opening = service.ctx.db.transaction(async (tx) => {
      const amount = money("TTD", 50_00n);
      await openChargeback(tx, { ...action, transactionId: order.id, amount });
      answer = askRefund(service, order, { amount: "10.00" });
      await untilWaiting(service.ctx.db);
      throw new Error("changed my mind");
    });
    await assert.rejects(opening, /changed my mind/);
    assert.equal((await answer)?.status, 201);
    assert.equal(await told(service, order), "Refund Requested, 0.00");
  });
});

describe("an account that is being closed", () => {
  async function callerOf({ accountNumber }: { accountNumber: string }): Promise<Caller> {
    const { grantId } = await mintToken(service.ctx, { accountNumber }, ["svc-accounts-all"]);
    return {
      accountNumber,
      accountType: "BUSINESS",
      countryCode: "TT",
      isMainMerchant: true,
      scopes: new Set(["svc-accounts-all"]),
      credential: { kind: "bearer", grantId, expiresAt: new Date("2999-01-01") },
    };
  }

  test("takes no payment that was waiting for it", async () => {
    const main = await mainMerchant(service);
    const shop = await made(service, main);
    const caller = await callerOf(main);
    let opening: Promise<unknown> = Promise.resolve();
    await service.ctx.db.transaction(async (tx) => {
      await closeAccount(service.ctx, tx, caller, shop.accountNumber);
      opening = pay(service, newPayment(shop)).catch((error: unknown) => error);
      await untilWaiting(service.ctx.db);
    });
    assert((await opening) instanceof AccountTakesNoPayments, String(await opening));
    const left = await service.ctx.db.rows(sql`
      select from transactions where account_number = ${shop.accountNumber}`);
    assert.equal(left.length, 0);
  });

  test("stays open for a payment that came first, though nobody could see it yet", async () => {
    const main = await mainMerchant(service);
    const shop = await made(service, main);
    let closing: ReturnType<typeof close> | undefined;
    await service.ctx.db.transaction(async (tx) => {
      await recordTransaction(tx, newPayment(shop));
      closing = close(service, main, shop.accountNumber);
      await untilWaiting(service.ctx.db);
    });
    const answer = await closing;
    assert.equal(answer?.status, 409);
    assert.equal(answer?.body.message, "The account still has an open payment.");
  });
});

describe("a refund asked for with a credential that is being revoked", () => {
  const SCOPES: readonly Scope[] = ["svc-transactions-all"];
  const KINDS = {
    async token(who: { accountNumber: string }) {
      const { token, grantId } = await mintToken(service.ctx, who, SCOPES);
      const revoke = sql`
        update grants set revoked_at = app_now(), revoked_because = 'revoked'
        where grant_id = ${grantId}`;
      return { credential: { token }, revoke };
    },
    async key(who: { accountNumber: string }) {
      const { key, kid } = await mintKey(service.ctx, who, SCOPES, { prefix: "live" });
      const revoke = sql`update api_keys set revoked_at = app_now() where kid = ${kid}`;
      return { credential: { key }, revoke };
    },
  };
  for (const [kind, make] of Object.entries(KINDS))
    test(`a ${kind}: 401, no refund, and the money stays where it is`, async () => {
      const order = await paidOrder(service);
      const { credential, revoke } = await make(order.shop);
      const path = `/transactions/${order.id}/refund`;
      const ask = () => service.request(path, { method: "POST", ...credential, json: {} });
      let asked: ReturnType<typeof ask> | undefined;
      await service.ctx.db.transaction(async (tx) => {
        await tx.run(revoke);
        asked = ask();
        await untilWaiting(service.ctx.db);
      });
      assert.equal((await asked)?.status, 401);
      assert.deepEqual(await refundsOf(service.ctx.db, order.id), []);
      assert.equal(await fundsOf(service, order), "1100.00 + 0.00");
    });
});
