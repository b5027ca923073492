/**
 * Identifiers of transactions tell environment and platform, stand in order, and never repeat.
 * Those of requests stand in order, too.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { newRequestId, newTransactionId, UUID } from "./ids.ts";
import { COUNTRY_CODES } from "./vocabulary.ts";

const AT = new Date("2026-11-15T12:00:00.123Z");

describe("the id of a transaction", () => {
  for (const countryCode of COUNTRY_CODES)
    test(`names ${countryCode}, and the sandbox where it is one`, () => {
      const rest = "[0-9A-HJKMNP-TV-Z]{26}$";
      const live = newTransactionId({ environment: "live", countryCode, at: AT });
      const sandbox = newTransactionId({ environment: "sandbox", countryCode, at: AT });
      assert.match(live, new RegExp(`^${countryCode}-${rest}`));
      assert.match(sandbox, new RegExp(`^SB-${countryCode}-${rest}`));
    });

  test("begins with its millisecond, as a ULID does", () => {
    const id = newTransactionId({ environment: "live", countryCode: "TT", at: new Date(0) });
    assert.equal(id.slice(3, 13), "0000000000");
    const known = new Date(1469918176385);
    const later = newTransactionId({ environment: "live", countryCode: "TT", at: known });
    assert.equal(later.slice(3, 13), "01ARYZ6S41");
  });

  test("stands in the order of time", () => {
    const moments = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(moments, moments, (a, b) => {
        if (a.getTime() === b.getTime()) return;
        const [one, other] = [a, b].map((at) =>
          newTransactionId({ environment: "live", countryCode: "JM", at }),
        );
        assert.equal(String(one) < String(other), a < b);
      }),
    );
  });

  test("never repeats, not even within a millisecond", () => {
    const make = () => newTransactionId({ environment: "live", countryCode: "TT", at: AT });
    assert.equal(new Set(Array.from({ length: 10_000 }, make)).size, 10_000);
  });
});

test("the id of a request is a UUID of version 7 with the time of its millisecond", () => {
  const before = Date.now();
  const id = newRequestId();
  assert.match(id, UUID);
  assert.match(id, /^.{14}7.{4}[89ab]/);
  const ms = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
  assert(Math.abs(ms - before) < 60_000);
  assert.notEqual(newRequestId(), newRequestId());
});
