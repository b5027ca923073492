/**
 * A 3-D Secure result that names no challenge of the session is audited, at most once a minute for
 * each session; one that comes twice is not, because browsers send forms again (Decision 0068).
 */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  answerBank,
  auditOf,
  CARDS,
  expectAllToAddUp,
  look,
  type Order,
  openOrder,
  submit,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const FORGED = "0".repeat(43);

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());
afterEach(() => expectAllToAddUp(service));

async function post({ token }: Order, challenge: string): Promise<void> {
  const { status } = await service.request(`/checkout/${token}/challenge`, {
    method: "POST",
    form: { token: challenge, result: "passed" },
  });
  assert.equal(status, 200);
}

async function challenged(): Promise<{ order: Order; challenge: string }> {
  const order = await openOrder(service);
  await submit(service, order, CARDS.asked);
  const { step } = await look(service, order);
  assert(step.kind === "challenge");
  return { order, challenge: step.token };
}

describe("a challenge result that does not fit", () => {
  test("is audited with the payment and the address, without the token", async () => {
    const { order, challenge } = await challenged();
    await post(order, FORGED);
    const entries = await service.ctx.db.rows<{ actor: string; detail: object }>(sql`
      select account_number, actor, detail from audit_entries
      where action = 'challenge_result_refused' and detail ->> 'transaction_id' = ${order.id}`);
    assert.deepEqual(entries, [
      {
        account_number: order.shop.accountNumber,
        actor: "127.0.0.1",
        detail: { transaction_id: order.id, environment: "sandbox" },
      },
    ]);
    assert(!JSON.stringify(entries).includes(challenge));
    await answerBank(service, order, "passed");
    assert.equal(await told(service, order), "success, [1-R00]: Transaction is approved.");
  });

  test("is audited once a minute for each session, however many come at once", async () => {
    const [one, other] = [await challenged(), await challenged()];
    const flood = () => Promise.all(Array.from({ length: 16 }, () => post(one.order, FORGED)));
    await flood();
    await post(other.order, FORGED);
    assert.deepEqual(await auditOf(service, one.order), ["challenge_result_refused"]);
    assert.deepEqual(await auditOf(service, other.order), ["challenge_result_refused"]);
    await service.clock.advance({ seconds: 61 });
    await flood();
    assert.equal((await auditOf(service, one.order)).length, 2);
  });

  test("is one where no bank asked, too", async () => {
    const order = await openOrder(service);
    await post(order, "");
    assert.deepEqual(await auditOf(service, order), ["challenge_result_refused"]);
  });
});

test("a result that fits is not audited, nor when it comes again", async () => {
  const { order, challenge } = await challenged();
  await answerBank(service, order, "passed");
  await post(order, challenge);
  await post(order, challenge);
  assert.deepEqual(await auditOf(service, order), []);
});
