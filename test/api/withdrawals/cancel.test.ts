/**
 * Only what is pending is cancelled, by its owner and within the credential's reach; amount and fee
 * are back at once, and it stays readable (Interface §3.3, §4.3, Decision 0045).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Scope } from "../../../src/kit/scopes.ts";
import { withdrawalUnderWay } from "../../../src/modules/withdrawals/withdrawal.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  cancel,
  dispatch,
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  type Owner,
  openOwner,
  read,
  settleAll,
  statusOf,
  withdraw,
} from "../../../testkit/withdrawals.ts";

let service: TestService;
let shop: Owner;

before(async () => {
  service = await startService();
  shop = await openOwner(service);
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

describe("cancelling a withdrawal", () => {
  test("gives amount and fee back, tells of it and leaves it readable", async () => {
    const owner = await openOwner(service, "merchant", { funds: "105.00 TTD" });
    const id = await withdraw(service, owner);
    const answer = await cancel(service, owner, id);
    assert.deepEqual([answer.status, answer.text], [200, '{"message":"OK"}']);
    assert.equal(await fundsOf(service, owner), "105.00 + 0.00");
    const record = await read(service, owner, id);
    assert.equal(record.status, "cancelled");
    assert.equal(record.deleted_at, record.updated_at);
    assert.deepEqual(await eventsOf(service, id), ["pending", "cancelled"]);
  });

  test("twice is 409 the second time, and moves nothing", async () => {
    const owner = await openOwner(service, "merchant", { funds: "105.00 TTD" });
    const id = await withdraw(service, owner);
    await cancel(service, owner, id);
    const again = await cancel(service, owner, id);
    const message = "The withdrawal cannot be cancelled: its status is cancelled.";
    assert.deepEqual([again.status, again.body], [409, { message }]);
    assert.equal(await fundsOf(service, owner), "105.00 + 0.00");
  });

  test("of what was paid, failed or is held is 409", async () => {
    const ids: [string, string][] = [];
    for (const [amount, status] of [
      ["10.00", "completed"],
      ["10.98", "failed"],
      ["10.93", "held"],
    ] as const)
      ids.push([await withdraw(service, shop, { amount }), status]);
    await dispatch(service);
    for (const [id, status] of ids) {
      assert.equal(await statusOf(service, id), status);
      const message = `The withdrawal cannot be cancelled: its status is ${status}.`;
      const answer = await cancel(service, shop, id);
      assert.deepEqual([answer.status, answer.body], [409, { message }]);
      assert.equal(await statusOf(service, id), status);
    }
  });

  test("who cannot see it gets 404: another account, another environment, any other id", async () => {
    const id = await withdraw(service, shop);
    const other = await openOwner(service);
    const scopes = shop.allScopes.split(" ") as Scope[];
    const { key: live } = await mintKey(service.ctx, shop, scopes, { prefix: "live" });
    const strange = ["x", id.toLowerCase(), `${id}0`, "00000000-0000-0000-0000-000000000000"];
    for (const method of ["GET", "DELETE"]) {
      const answers = [
        await service.request(`/withdrawals/${id}`, { method, token: other.token }),
        await service.request(`/withdrawals/${id}`, { method, key: live }),
      ];
      for (const one of strange)
        answers.push(await service.request(`/withdrawals/${one}`, { method, token: shop.token }));
      for (const { status, body } of answers)
        assert.deepEqual([status, body], [404, { message: "Not Found" }]);
    }
    assert.equal(await statusOf(service, id), "pending");
  });

  test("each scope may do what it says, with a token and with a key", async () => {
    const may: [Scope, string[]][] = [
      ["svc-withdrawals-all", ["GET", "DELETE"]],
      ["svc-withdrawals-delete", ["DELETE"]],
      ["svc-withdrawals-retrieve", ["GET"]],
      ["svc-withdrawals-create", []],
      ["svc-user-all", []],
    ];
    for (const [scope, methods] of may)
      for (const credential of [
        await mintToken(service.ctx, shop, [scope]),
        await mintKey(service.ctx, shop, [scope]),
      ]) {
        const id = await withdraw(service, shop);
        for (const method of ["GET", "DELETE"]) {
          const { status } = await service.request(`/withdrawals/${id}`, { method, ...credential });
          assert.equal(status, methods.includes(method) ? 200 : 403, `${scope} ${method}`);
        }
      }
  });
});

describe("an account with a withdrawal under way", () => {
  test("stays open until it has ended", async () => {
    const owner = await openOwner(service, "merchant", { funds: "105.94 TTD" });
    const reason = () =>
      service.ctx.db.transaction((tx) => withdrawalUnderWay(tx, owner.accountNumber));
    assert.equal(await reason(), undefined);
    await withdraw(service, owner, { amount: "100.94" });
    for (const _ of ["pending", "processing"]) {
      assert.equal(await reason(), "The account still has an open withdrawal.");
      await dispatch(service);
    }
    await settleAll(service);
    assert.equal(await reason(), undefined);
    assert(service.ctx.reasonsToStayOpen.includes(withdrawalUnderWay));
  });
});
