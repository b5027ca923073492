/** An address range has one normal form; what is no range, or is every address, is refused. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { cidrsField, demandFuture, newExpiresAtField, normalRange } from "./key-fields.ts";

describe("normalRange", () => {
  const KEPT: readonly [given: string, kept: string][] = [
    ["192.0.2.1", "192.0.2.1/32"],
    ["192.0.2.0/24", "192.0.2.0/24"],
    ["192.0.2.0/024", "192.0.2.0/24"],
    // The host bits are cleared by PostgreSQL on the way in.
    ["192.0.2.9/24", "192.0.2.9/24"],
    ["0.0.0.0/1", "0.0.0.0/1"],
    ["2001:db8::1", "2001:db8::1/128"],
    ["2001:DB8::1/64", "2001:db8::1/64"],
    ["::ffff:192.0.2.1", "192.0.2.1/32"],
    ["::ffff:192.0.2.0/120", "192.0.2.0/24"],
    ["::ffff:c000:200/97", "192.0.2.0/1"],
    ["0:0:0:0:0:FFFF:192.0.2.0/128", "192.0.2.0/32"],
  ];
  for (const [given, kept] of KEPT)
    test(`${given} is kept as ${kept}`, () => assert.equal(normalRange(given), kept));

  const REFUSED = [
    ...["", "/", "/8", "192.0.2.0/", "192.0.2.0/33", "192.0.2.0/0", "192.0.2.0/00", "192.0.2.0/-1"],
    ...["192.0.2.0/1.0", "192.0.2.0/1e1", "192.0.2.0/8/8", "192.0.2.0/+8", "192.0.2.0/ 8"],
    ...["192.0.2", "192.0.2.256", "192.0.2.01", "0xc0.0.2.1", "3221225985", "１92.0.2.1"],
    ...["::/0", "2001:db8::/129", "2001:db8::/0", "2001:db8::1%eth0", "fe80::1%1/64", "[::1]"],
    ...["::ffff:192.0.2.0/96", "::ffff:192.0.2.0/95", "::ffff:0:0/1", "example.com", "*", "any"],
  ];
  for (const given of REFUSED)
    test(`${JSON.stringify(given)} is refused`, () => assert.equal(normalRange(given), undefined));

  test("any address with any fitting length is kept, and its normal form stays as it is", () => {
    const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 32 }));
    const v6 = fc.tuple(fc.ipV6(), fc.integer({ min: 97, max: 128 }));
    fc.assert(
      fc.property(fc.oneof(v4, v6), ([address, bits]) => {
        const kept = normalRange(`${address}/${bits}`);
        assert(kept !== undefined);
        assert.equal(normalRange(kept), kept);
      }),
    );
  });

  test("a text of any kind is kept or refused, never an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (given) => {
        const kept = normalRange(given);
        assert(kept === undefined || /^[0-9a-f.:]+\/\d+$/.test(kept));
      }),
    );
  });
});

test("fifty ranges are taken, fifty-one are not, and one range given twice is one", () => {
  const list = (count: number) => Array.from({ length: count }, (_, i) => `10.0.${i}.0/24`);
  assert.equal(cidrsField.read(list(50), "allowed_cidrs").length, 50);
  assert.throws(() => cidrsField.read(list(51), "allowed_cidrs"), {
    message: "The allowed cidrs field has invalid values.",
  });
  assert.deepEqual(cidrsField.read("10.0.0.1 10.0.0.1/32", "x"), ["10.0.0.1/32"]);
});

test("an expiry lies after now, and a change may also say never", () => {
  const now = new Date("2026-11-15T12:00:00Z");
  const past = { message: "The expires at must be in the future." };
  assert.throws(() => demandFuture(now, now), past);
  assert.throws(() => demandFuture(new Date(now.getTime() - 1), now), past);
  assert.doesNotThrow(() => demandFuture(new Date(now.getTime() + 1), now));
  assert.equal(newExpiresAtField.read("never", "expires_at"), "never");
  assert.deepEqual(
    newExpiresAtField.read("2027-01-31T12:00:00Z", "expires_at").valueOf(),
    1801396800000,
  );
  for (const bad of ["Never", "never ", "0", 0, true])
    assert.throws(() => newExpiresAtField.read(bad, "expires_at"));
});
