/**
 * What the books say is what people see: the profile shows each environment's money, an account
 * with money cannot be deleted, and the development world begins with what it promises
 * (Decision 0023).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { seedDemoWorld } from "../../../src/demo-world.ts";
import { type Currency, money } from "../../../src/kit/money.ts";
import { post } from "../../../src/modules/ledger/post.ts";
import {
  refundPaid,
  refundRejected,
  refundRequested,
  withdrawalSent,
} from "../../../src/modules/ledger/recipes.ts";
import { close, made, mainMerchant, retrieve } from "../../../testkit/accounts.ts";
import { signedIn } from "../../../testkit/banks.ts";
import { expectBooksToBalance, fund } from "../../../testkit/books.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const RECIPES = { refundPaid, refundRejected, refundRequested, withdrawalSent };
let moves = 0;
async function move(recipe: keyof typeof RECIPES, accountNumber: string, minor: bigint) {
  const transfers = RECIPES[recipe]({ accountNumber, amount: money("TTD", minor) });
  moves += 1;
  const posting = { postingId: `${recipe} ${moves}`, occasion: recipe, reference: "a test" };
  await service.ctx.db.transaction((tx) =>
    post(tx, { ...posting, environment: "live", transfers }),
  );
}

const shown = (currency: string, available: string, held: string, balance: string) => ({
  currency,
  balance,
  available,
  held,
});
async function balances(credential: { token?: string; key?: string }, query = "") {
  return (await service.request(`/user/${query}`, credential)).body.data.balances;
}

describe("the profile", () => {
  test("shows what may be spent, what is held, and both together", async () => {
    const shop = await signedIn(service);
    await fund(service.ctx.db, shop.accountNumber, "100.00 TTD");
    await fund(service.ctx.db, shop.accountNumber, "7.05 USD");
    await move("refundRequested", shop.accountNumber, 2_550n);
    assert.deepEqual(await balances(shop), {
      local: shown("TTD", "74.50", "25.50", "100.00"),
      foreign: shown("USD", "7.05", "0.00", "7.05"),
      others: [],
    });
    await move("refundPaid", shop.accountNumber, 2_550n);
    assert.deepEqual((await balances(shop)).local, shown("TTD", "74.50", "0.00", "74.50"));
  });

  test("shows each environment its own money, and a key that of its own", async () => {
    const shop = await signedIn(service);
    await fund(service.ctx.db, shop.accountNumber, "1.00 TTD", "live");
    await fund(service.ctx.db, shop.accountNumber, "2.00 TTD", "sandbox");
    const local = async (credential: { token?: string; key?: string }, query?: string) =>
      (await balances(credential, query)).local.available;
    assert.equal(await local(shop), "1.00");
    assert.equal(await local(shop, "?environment=sandbox"), "2.00");
    for (const [prefix, expected] of [
      ["live", "1.00"],
      ["test", "2.00"],
    ] as const) {
      const { key } = await mintKey(service.ctx, shop, ["svc-user-retrieve"], { prefix });
      assert.equal(await local({ key }), expected);
    }
  });

  test("shows other currencies while there is money in them", async () => {
    const shop = await signedIn(service, "JM");
    const { accountNumber } = shop;
    await fund(service.ctx.db, accountNumber, "5.00 TTD");
    await fund(service.ctx.db, accountNumber, "3.00 BBD");
    assert.deepEqual((await balances(shop)).others, [
      shown("BBD", "3.00", "0.00", "3.00"),
      shown("TTD", "5.00", "0.00", "5.00"),
    ]);
    await move("refundRequested", accountNumber, 500n);
    assert.deepEqual((await balances(shop)).others[1], shown("TTD", "0.00", "5.00", "5.00"));
    await move("refundPaid", accountNumber, 500n);
    assert.deepEqual((await balances(shop)).others, [shown("BBD", "3.00", "0.00", "3.00")]);
  });

  test("shows nobody else's money", async () => {
    const shop = await signedIn(service);
    await fund(service.ctx.db, (await signedIn(service)).accountNumber, "100.00 TTD");
    assert.deepEqual((await balances(shop)).local, shown("TTD", "0.00", "0.00", "0.00"));
  });
});

describe("deleting an account", () => {
  const MONEY_LEFT = { message: "The account still has money." };

  test("is 409 while it has money or a hold, and 200 when all of it has gone", async () => {
    const main = await mainMerchant(service);
    const { accountNumber } = await made(service, main);
    await fund(service.ctx.db, accountNumber, "5.00 TTD");
    const refused = async () => {
      const answer = await close(service, main, accountNumber);
      assert.deepEqual([answer.status, answer.body], [409, MONEY_LEFT]);
      assert.equal((await retrieve(service, main, accountNumber)).status, 200);
    };
    await refused();
    await move("refundRequested", accountNumber, 500n);
    await refused();
    await move("withdrawalSent", accountNumber, 500n);
    assert.equal((await close(service, main, accountNumber)).status, 200);
  });

  test("is 409 for money in the sandbox too", async () => {
    const main = await mainMerchant(service);
    const { accountNumber } = await made(service, main);
    await fund(service.ctx.db, accountNumber, "0.01 USD", "sandbox");
    const answer = await close(service, main, accountNumber);
    assert.deepEqual([answer.status, answer.body], [409, MONEY_LEFT]);
  });

  test("waits for a posting under way, and then sees its money", async () => {
    const main = await mainMerchant(service);
    const { accountNumber } = await made(service, main);
    await fund(service.ctx.db, accountNumber, "1.00 TTD");
    await move("refundRequested", accountNumber, 100n);
    await move("withdrawalSent", accountNumber, 100n);
    let answer: ReturnType<typeof close> | undefined;
    await service.ctx.db.transaction(async (tx) => {
      await post(tx, {
        postingId: `late ${accountNumber}`,
        environment: "live",
        occasion: "refund_rejected",
        reference: "a test",
        transfers: [
          {
            debit: { kind: "payouts_in_transit", accountNumber },
            credit: { kind: "available", accountNumber },
            amount: money("TTD", 100n),
          },
        ],
      });
      answer = close(service, main, accountNumber);
      // Another request that is answered shows that this one has had its time.
      for (let turn = 0; turn < 20; turn++) await retrieve(service, main, main.accountNumber);
    });
    assert.deepEqual((await answer)?.body, MONEY_LEFT);
  });
});

test("the development world begins with its money, in both environments, once", async () => {
  const world = await startService();
  try {
    await seedDemoWorld(world.ctx);
    await seedDemoWorld(world.ctx);
    const promised: Record<string, [Currency, string][]> = {
      "1234567890": [
        ["TTD", "10000.00"],
        ["USD", "1000.00"],
      ],
      "2345678901": [["JMD", "500000.00"]],
      "5678901234": [["JMD", "500000.00"]],
      "3456789012": [["BBD", "1000.00"]],
      "4567890123": [["TTD", "500.00"]],
    };
    for (const [accountNumber, amounts] of Object.entries(promised)) {
      const { token } = await mintToken(world.ctx, { accountNumber }, ["svc-user-retrieve"]);
      for (const environment of ["live", "sandbox"]) {
        const path = `/user/?environment=${environment}`;
        const { local, foreign } = (await world.request(path, { token })).body.data.balances;
        const has = [local, foreign].filter((one) => one.balance !== "0.00");
        assert.deepEqual(
          has.map((one) => [one.currency, one.available]),
          amounts,
        );
      }
    }
    await expectBooksToBalance(world.ctx.db);
  } finally {
    await world.stop();
  }
});

test("after all of it the books balance", () => expectBooksToBalance(service.ctx.db));
