/** The guarantee: show-payment shows every card tried for a stuck payment, and its state. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  CARDS,
  expectAllToAddUp,
  openOrder,
  submit,
  sweep,
} from "../../testkit/checkout-sessions.ts";
import { operator, operatorJson } from "../../testkit/operator.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

test("show-payment tells the cards tried, what was said, and when the gateway is asked next", async () => {
  const order = await openOrder(service);
  await submit(service, order, CARDS.declined);
  await submit(service, order, CARDS.asked);
  const shown = await operatorJson(service, ["show-payment", order.id]);
  assert.deepEqual(
    shown.attempts.map((one: Record<string, unknown>) => [
      one.card_last_four,
      one.state,
      one.outcome_code,
      one.was_challenged,
      one.next_ask_at === null,
    ]),
    [
      ["3333", "declined", "05", false, true],
      ["2010", "challenged", null, true, false],
    ],
  );
  const { stdout } = await operator(service, ["show-payment", order.id]);
  assert.match(stdout, /Cards tried\n +when +card .*\n.*visa \*\*\*\* 3333 +declined +05 +Trans/);
  assert.doesNotMatch(JSON.stringify(shown), /challenge_token|sandbox\/acs/);
});

test("a late approval that was voided stands in the trail of its payment", async () => {
  const order = await openOrder(service);
  await submit(service, order, CARDS.late);
  for (const seconds of [180, 30, 3600]) {
    await service.clock.advance({ seconds });
    await sweep(service);
  }
  const shown = await operatorJson(service, ["show-payment", order.id]);
  assert.deepEqual([shown.status, shown.attempts[0].state], ["error", "voided"]);
  assert.deepEqual(
    shown.audit.map((one: Record<string, unknown>) => [one.action, one.actor]),
    [
      ["late_approval_voided", "checkout"],
      ["late_approval", "checkout"],
    ],
  );
  await expectAllToAddUp(service);
});
