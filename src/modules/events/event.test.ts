/** The body carries exactly the recorded event, on one line, whatever the record holds. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { EVENT_NAMES, factsOf } from "./catalogue.ts";
import { frameOf, type NumberedEvent } from "./event.ts";

const paid: NumberedEvent = {
  event_id: "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
  account_number: "1234567890",
  environment: "sandbox",
  event: "payment.success",
  resource: "SB-TT-01JCN8Y2QK3V7M5D9T4X6B8R0W",
  sequence: 42n,
  occurred_at: new Date("2026-11-15T07:00:00.123Z"),
  only_endpoint_id: null,
};

function bodyOf(event: NumberedEvent, record: string): string {
  const { before, after } = frameOf(event);
  return before + record + after;
}

describe("the body of an event", () => {
  test("has its fields in the order of the catalogue's page, without a space", () => {
    assert.equal(
      bodyOf(paid, '{"total":"100.00"}'),
      '{"id":"019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70","api_family":"payments_api",' +
        '"event":"payment.success","sequence":42,"occurred_at":"2026-11-15T07:00:00.123Z",' +
        '"data":{"total":"100.00"},"meta":{"transaction_id":"SB-TT-01JCN8Y2QK3V7M5D9T4X6B8R0W",' +
        '"environment":"sandbox","account_number":"1234567890"}}',
    );
  });

  test("names a transaction only where the event is about one", () => {
    const transactionOf = (event: NumberedEvent["event"]) =>
      JSON.parse(bodyOf({ ...paid, event }, "{}")).meta.transaction_id;
    for (const event of EVENT_NAMES) {
      const isAboutOne = /^(payment|withdrawal|trusted_card)\./.test(event);
      assert.equal(transactionOf(event), isAboutOne ? paid.resource : null, event);
    }
  });

  test("gives back any record, character for character", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constant('"\\\u2028\u0000😀</script>'),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anyText), (record) => {
        const body = bodyOf(paid, JSON.stringify(record));
        // With a prototype, which fast-check's dictionaries do not always have.
        assert.deepEqual(JSON.parse(body).data, JSON.parse(JSON.stringify(record)));
        assert(!/[\n\r]/.test(body));
      }),
    );
  });
});

describe("the catalogue", () => {
  test("has each event once, and a family for each", () => {
    assert.equal(new Set(EVENT_NAMES).size, EVENT_NAMES.length);
    for (const event of EVENT_NAMES) {
      const isOfPayments = /^(payment|trusted_card)\./.test(event);
      assert.equal(factsOf(event).apiFamily, isOfPayments ? "payments_api" : "account_api", event);
    }
  });
});
