/**
 * The guarantee: what the fake prints for somebody who tries live mode works as printed. Its cards
 * pass the payment page of a live payment, and the name that declines one does.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCaller, saleRequest } from "../../testkit/powertranz/caller.ts";
import { startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { usableCards } from "../../testkit/powertranz/usable-cards.ts";

test("only cards that live payments take are printed", () => {
  const numbers = usableCards().map(({ number }) => number);
  assert(numbers.length >= 10, numbers.join(" "));
  assert(numbers.includes("4012000000020071") && numbers.includes("4012000000020006"));
  const others = /^3|^6011|^4666|^4111|^5111|^4333|^5333|^5115010000000001$/;
  assert.deepEqual(
    numbers.filter((number) => others.test(number)),
    [],
  );
});

test("a name on the card of Code 05 is declined with 05", async () => {
  const fake = await startPowertranzFake();
  try {
    const card = { CardPan: "4012000000020071", CardholderName: "Code 05" };
    const { post } = createCaller(fake);
    const { body } = await post("sale", { ...saleRequest({ card }), ThreeDSecure: false });
    assert.deepEqual([body.Approved, body.IsoResponseCode], [false, "05"]);
  } finally {
    await fake.stop();
  }
});
