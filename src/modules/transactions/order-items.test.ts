/**
 * The items of an order are read exactly or refused with a sentence that names them: no price is
 * rounded, no sum is off by a cent, and whatever is sent, nothing else is thrown (Decision 0094).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { FieldRefused } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { ORDER_FIELDS } from "./order-fields.ts";
import { itemsTotal, type OrderItem, orderItems, viewItems } from "./order-items.ts";

const name = fc.stringMatching(/^[A-Za-zé(][A-Za-z é'(),.]{0,60}$/);
const quantity = fc.integer({ min: 1, max: 9_999 });
const minor = fc.bigInt({ min: -999_999_999_999n, max: 999_999_999_999n });
const ITEM = fc.record({ name, quantity, minor });
const ITEMS = fc.array(ITEM, { minLength: 1, maxLength: 50 });
type Written = { name: string; quantity: number; minor: bigint };

/** By its digits, not by our own formatter. */
function priceText(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const sent = (items: readonly Written[]) =>
  items.map((one) => ({
    name: one.name,
    quantity: one.quantity,
    unit_price: priceText(one.minor),
  }));
const sumOf = (items: readonly Written[]) =>
  items.reduce((sum, one) => sum + BigInt(one.quantity) * one.minor, 0n);
const read = (value: unknown): readonly OrderItem[] => orderItems.read(value, "items");

describe("the items of an order", () => {
  test("are read as they were written, as a list and as JSON text, and add up exactly", () => {
    fc.assert(
      fc.property(ITEMS, (items) => {
        const list = read(sent(items));
        assert.deepEqual(read(JSON.stringify(sent(items))), list);
        assert.deepEqual(
          list,
          items.map((one) => ({
            name: one.name,
            quantity: one.quantity,
            unit_price_minor: Number(one.minor),
          })),
        );
        assert.equal(itemsTotal(list, "TTD").minor, sumOf(items));
        assert.deepEqual(viewItems(list, "TTD"), sent(items));
      }),
      { numRuns: 300 },
    );
  });

  test("are read the same from numbers as from texts, and what is shown can be sent", () => {
    fc.assert(
      fc.property(ITEMS, (items) => {
        const texts = sent(items);
        const numbers = texts.map((one) => ({ ...one, unit_price: Number(one.unit_price) }));
        const asTexts = texts.map((one) => ({ ...one, quantity: String(one.quantity) }));
        assert.deepEqual(read(numbers), read(texts));
        assert.deepEqual(read(asTexts), read(texts));
        assert.deepEqual(read(viewItems(read(texts), "USD")), read(texts));
      }),
      { numRuns: 200 },
    );
  });

  test("are taken with exactly their sum as the total, and refused a cent beside it", () => {
    fc.assert(
      fc.property(ITEMS, fc.constantFrom(-1n, 1n), (items, cent) => {
        const earlier = { currency: "TTD", total: sumOf(items) };
        assert.equal(ORDER_FIELDS.items.read(sent(items), "items", earlier)?.length, items.length);
        assert.throws(
          () =>
            ORDER_FIELDS.items.read(sent(items), "items", {
              ...earlier,
              total: earlier.total + cent,
            }),
          { code: "fields_conflict", field: "items", message: /^The items must add up to/ },
        );
      }),
      { numRuns: 200 },
    );
  });

  test("are refused by a sentence that names them, whatever is sent", () => {
    const price = fc.oneof(fc.string(), fc.double(), fc.bigInt(), fc.anything());
    const line = fc.oneof(
      fc.anything(),
      fc.record({ name: fc.anything(), quantity: fc.anything(), unit_price: price }),
      fc.record({ name, quantity, unit_price: price }),
    );
    const anything = fc.oneof(fc.anything(), fc.string(), fc.json(), fc.array(line));
    fc.assert(
      fc.property(anything, (value) => {
        try {
          for (const one of read(value)) {
            assert(Number.isSafeInteger(one.unit_price_minor));
            assert(one.quantity >= 1 && one.quantity <= 9_999);
          }
        } catch (error) {
          assert(error instanceof FieldRefused, String(error));
          assert.match(error.message, /\bitems\b/);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("are absent where they are not sent, or sent empty or as null", () => {
    for (const given of [{}, { items: "" }, { items: null }])
      assert.equal(readFields({ items: ORDER_FIELDS.items }, given).items, undefined);
  });
});
