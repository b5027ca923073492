/**
 * The guarantee: a card whose bank takes no part in 3-D Secure, or could not authenticate the
 * customer, is charged only where the settings say that we bear the risk; a failed authentication
 * is never charged.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Live, newSale, pay, startLive } from "./support.ts";

const NOT_ENROLLED = "4333333333332222";
const COULD_NOT = "5555666666662222";
const FAILED = "4012000000020121";

const refusing = await startLive();
const taking = await startLive({ settings: { POWERTRANZ_UNAUTHENTICATED: "take" } });
after(async () => {
  await refusing.close();
  await taking.close();
});

async function payWith(live: Live, number: string) {
  await live.fake.control.send({ forgetCalls: true });
  const answer = await pay(live, newSale({ number }));
  const calls = await live.fake.control.calls("spi/payment");
  return [answer.outcome, answer.code, calls.length] as const;
}

test("it is refused without a call unless we take the risk", async () => {
  assert.deepEqual(await payWith(refusing, NOT_ENROLLED), ["declined", "3D", 0]);
  assert.deepEqual(await payWith(refusing, COULD_NOT), ["declined", "3D", 0]);
  const { message } = await pay(refusing, newSale({ number: NOT_ENROLLED }));
  assert.match(message, /does not support 3-D Secure\. Please use another card\./);
});

test("it is charged where we take the risk, and its bank decides", async () => {
  assert.deepEqual(await payWith(taking, NOT_ENROLLED), ["approved", "00", 1]);
  assert.deepEqual(await payWith(taking, COULD_NOT), ["declined", "05", 1]);
});

test("a failed authentication is refused either way", async () => {
  for (const live of [refusing, taking])
    assert.deepEqual(await payWith(live, FAILED), ["declined", "3D", 0]);
});
