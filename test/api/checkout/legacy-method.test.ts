/**
 * A payment request with `method=credit_card` is one with `credit_card_co`, marked as deprecated
 * and counted for its account (Decision 0064).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { operatorJson } from "../../../testkit/operator.ts";
import { ask, ENCODINGS, minimal } from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";

const service = await startService();
after(() => service.stop());
const { ctx, world } = service;
const GUIDE = `${ctx.config.http.publicUrl}/docs/coming-from-another-integration`;
const LINK = `<${GUIDE}>; rel="deprecation"`;
const legacy = { method: "credit_card" };

const deprecationOf = ({ headers }: { headers: Headers }) => [
  headers.get("deprecation"),
  headers.get("link"),
];

async function methodOf(transactionId: string): Promise<string> {
  const row = await ctx.db.one<{ method: string }>(sql`
    select method from transactions where transaction_id = ${transactionId}`);
  return row.method;
}

describe("credit_card", () => {
  for (const encoding of ENCODINGS)
    test(`as ${encoding} is taken as credit_card_co, and its answer says it is deprecated`, async () => {
      const { accountNumber } = await world.merchant();
      const answer = await ask(service, minimal(accountNumber, legacy), encoding);
      assert.equal(answer.status, encoding === "browser" ? 303 : 200, answer.text);
      assert.deepEqual(deprecationOf(answer), ["true", LINK]);
      if (encoding !== "browser")
        assert.equal(await methodOf(answer.body.transaction_id), "credit_card_co");
    });

  test("is the same request as credit_card_co, in either order", async () => {
    const { accountNumber } = await world.merchant();
    for (const methods of [
      ["credit_card", "credit_card_co"],
      ["credit_card_co", "credit_card"],
    ]) {
      const fields = minimal(accountNumber);
      const [one, other] = [
        await ask(service, { ...fields, method: methods[0] }),
        await ask(service, { ...fields, method: methods[1] }),
      ];
      assert.deepEqual([one.status, other.status], [200, 200]);
      assert.deepEqual(other.body, one.body);
    }
  });

  test("is the same request under an Idempotency-Key, and each answer says what was sent", async () => {
    const { accountNumber } = await world.merchant();
    const fields = minimal(accountNumber);
    const headers = { "idempotency-key": "one" };
    const first = await ask(service, { ...fields, ...legacy }, "json", { headers });
    const today = await ask(service, fields, "json", { headers });
    const again = await ask(service, { ...fields, ...legacy }, "browser", { headers });
    assert.deepEqual(today.body, first.body);
    assert.equal(today.headers.get("idempotent-replayed"), "true");
    assert.deepEqual(deprecationOf(first), ["true", LINK]);
    assert.deepEqual(deprecationOf(today), [null, null]);
    assert.deepEqual([again.status, ...deprecationOf(again)], [303, "true", LINK]);
  });

  test("the guide that the answer links to is there, and linked from the others", async () => {
    const [guide, start] = await Promise.all(
      ["/docs/coming-from-another-integration", "/docs/start"].map((path) => service.request(path)),
    );
    assert.equal(guide?.status, 200);
    assert.match(guide?.text ?? "", /credit_card_co/);
    assert.match(start?.text ?? "", /href="\/docs\/coming-from-another-integration"/);
  });
});

test("an operator sees which accounts send it, and how often", async () => {
  const [shop, other] = [await world.merchant(), await world.merchant()];
  for (const encoding of ENCODINGS)
    await ask(service, minimal(shop.accountNumber, legacy), encoding);
  await ask(service, minimal(shop.accountNumber));
  await ask(service, minimal(shop.accountNumber, { ...legacy, total: "1" }));
  await ask(service, minimal(other.accountNumber, { method: "3co_simple" }));
  const callersOf = async ({ accountNumber }: { accountNumber: string }) =>
    (await operatorJson(service, ["former-callers", "--account", accountNumber])).callers;
  await until(async () => (await callersOf(shop)).length > 0, "the count is written");
  const [{ used, now, credential, times }] = await callersOf(shop);
  assert.deepEqual(
    { used, now, credential, times },
    { used: "method credit_card", now: "method credit_card_co", credential: "none", times: 3 },
  );
  assert.deepEqual(await callersOf(other), []);
});
