/** An address has one spelling, and limits of IPv6 count by /64: whatever way it is written. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { plainAddress } from "../../../kit/ip-address.ts";
import { limitedAddress, subscriberOf } from "./client-address.ts";

const group = fc.integer({ min: 0, max: 0xffff });
const groups = fc.tuple(group, group, group, group, group, group, group, group);
/** Many zeros, so that `::` stands in every place. */
const gappy = fc.tuple(groups, fc.array(fc.nat({ max: 7 }))).map(([all, zeros]) => {
  return all.map((value, index) => (zeros.includes(index) ? 0 : value));
});

const plainly = (all: readonly number[]) => all.map((value) => value.toString(16)).join(":");
const padded = (all: readonly number[]) =>
  all.map((value) => value.toString(16).padStart(4, "0").toUpperCase()).join(":");
const dotted = (all: readonly number[]) => {
  const [high = 0, low = 0] = all.slice(6);
  const v4 = [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return `${plainly(all.slice(0, 6))}:${v4}`;
};
test("every spelling of an address is the same address, with and without a scope", () => {
  fc.assert(
    fc.property(gappy, (all) => {
      const expected = plainAddress(plainly(all));
      for (const spelling of [padded(all), dotted(all), `${plainly(all)}%eth0`])
        assert.equal(plainAddress(spelling), expected);
      assert.equal(plainAddress(expected), expected);
    }),
  );
});

test("IPv4 in IPv6 clothes is IPv4", () => {
  fc.assert(
    fc.property(fc.ipV4(), (v4) => {
      const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map(Number);
      const hex = `::FFFF:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      for (const spelling of [v4, `::ffff:${v4}`, hex, `0:0:0:0:0:ffff:${v4}`])
        assert.equal(plainAddress(spelling), v4);
      assert.equal(limitedAddress(v4), v4);
    }),
  );
});

test("a subscriber is an IPv4 address, or a /48 of IPv6", () => {
  assert.equal(subscriberOf("198.51.100.7"), "198.51.100.7");
  assert.equal(subscriberOf("2001:db8:1:7::9"), "2001:db8:1::/48");
  assert.equal(subscriberOf("2001:db8::9"), "2001:db8:0::/48");
});

test("two IPv6 addresses share a limit exactly when they share their first 64 bits", () => {
  const limitOf = (all: readonly number[]) => limitedAddress(plainAddress(plainly(all)));
  fc.assert(
    fc.property(gappy, gappy, (one, other) => {
      fc.pre([one, other].every((all) => all.slice(0, 4).some((value) => value !== 0)));
      const neighbour = [...one.slice(0, 4), ...other.slice(4)];
      assert.equal(limitOf(one), limitOf(neighbour));
      const isSame = plainly(one.slice(0, 4)) === plainly(other.slice(0, 4));
      assert.equal(limitOf(one) === limitOf(other), isSame);
    }),
  );
});
