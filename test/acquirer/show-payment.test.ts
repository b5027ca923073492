/**
 * The guarantee: an operator who looks for a live payment in the acquirer's portal or report finds
 * in show-payment who served it, what the bank compared, and the identifiers that are used there.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operator, operatorJson } from "../../testkit/operator.ts";
import { postBack } from "../../testkit/powertranz/post-back.ts";
import { sweepRefunds } from "../../testkit/sweeps.ts";
import { openLive, submitOver, visitBank } from "./powertranz/http-support.ts";
import { startLive } from "./powertranz/support.ts";

const live = await startLive();
const { service, fake } = live;
after(() => live.close());

test("show-payment names gateway, checks and the identifiers of sale and refund", async () => {
  const order = await openLive(live);
  await submitOver(service, order);
  await postBack(await visitBank(service, order));
  await service.request(`/transactions/${order.id}/refund`, {
    method: "POST",
    token: order.shop.token,
    json: { amount: 40 },
  });
  await sweepRefunds(service.ctx);

  const sale = (await fake.control.transactions()).find(
    ({ orderIdentifier }) => orderIdentifier === order.id,
  );
  await fake.control.settle();
  const settled = await fake.control.settlementReport();
  const refunded = settled.split("\r\n").find((line) => /,5,/.test(line)) ?? "";
  const [refundIdentifier = ""] = refunded.split(",");
  assert.match(refundIdentifier, /^[0-9a-f-]{36}$/);

  const shown = await operatorJson(service, ["show-payment", order.id]);
  const [attempt] = shown.attempts;
  const [refund] = shown.refunds;
  assert.deepEqual(
    [attempt.gateway, attempt.identifier],
    ["powertranz", sale?.transactionIdentifier],
  );
  assert.deepEqual([refund.gateway, refund.identifier], ["powertranz", refundIdentifier]);
  assert.deepEqual(shown.checks, { avs: null, cvv: "M" });
  const { stdout } = await operator(service, ["show-payment", order.id]);
  assert.match(stdout, /^Checks +AVS -, CVV M$/m);
  assert.match(stdout, /^Gateway +powertranz$/m);
  assert(stdout.includes(`Reference      ${sale?.transactionIdentifier}\n`), stdout);
  assert(stdout.includes(`  ${refundIdentifier}\n`), stdout);
});
