/** A moment names its time zone and a day that exists; nothing is guessed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { day, moment } from "./time.ts";

const TAKEN: readonly [given: string, iso: string][] = [
  ["2027-01-31T12:00:00Z", "2027-01-31T12:00:00.000Z"],
  ["2027-01-31T12:00:00.5Z", "2027-01-31T12:00:00.500Z"],
  ["2027-01-31T12:00:00.123456Z", "2027-01-31T12:00:00.123Z"],
  ["2027-01-31T08:00:00-04:00", "2027-01-31T12:00:00.000Z"],
  ["2027-02-01T00:30:00+01:00", "2027-01-31T23:30:00.000Z"],
  ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
];
for (const [given, iso] of TAKEN)
  test(`${given} is ${iso}`, () => assert.equal(moment().read(given, "x").toISOString(), iso));

const REFUSED = [
  ...["", "now", "never", "2027-01-31", "2027-01-31T12:00:00", "2027-01-31 12:00:00Z"],
  ...["2027-01-31T12:00Z", "2027-1-31T12:00:00Z", "27-01-31T12:00:00Z", "+012027-01-31T12:00:00Z"],
  ...[
    "2027-02-29T00:00:00Z",
    "2027-02-30T00:00:00Z",
    "2027-04-31T00:00:00Z",
    "2027-13-01T00:00:00Z",
  ],
  ...[
    "2027-00-01T00:00:00Z",
    "2027-01-00T00:00:00Z",
    "2027-01-31T25:00:00Z",
    "2027-01-31T12:60:00Z",
  ],
  ...[
    "2027-01-31T12:00:60Z",
    "2027-01-31T12:00:00+25:00",
    "2027-01-31T12:00:00+0400",
    "1801396800",
  ],
  ...[
    "2027-01-31T12:00:00z",
    "2027-01-31t12:00:00Z",
    " 2027-01-31T12:00:00Z",
    "2027-01-31T12:00:00Z\n",
  ],
  ...["2027-01-31T24:00:00Z", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+01:00"],
  ...["2027-01-31T12:00:00.Z", "2027-01-31T12:00:00.1234567Z", "Sun, 31 Jan 2027 12:00:00 GMT"],
];
for (const given of REFUSED)
  test(`${JSON.stringify(given)} is refused`, () => {
    assert.throws(() => moment().read(given, "expires_at"), {
      message: "The expires at must be a time such as 2027-01-31T12:00:00Z.",
    });
  });

test("a number, a date object or a list is no moment", () => {
  for (const given of [0, 1801396800, new Date(0), ["2027-01-31T12:00:00Z"], {}, true])
    assert.throws(() => moment().read(given, "expires_at"), {
      message: "The expires at must be a string.",
    });
});

test("every moment a date can hold comes back as it went in", () => {
  const min = new Date("0001-01-01T00:00:00Z");
  const max = new Date("9999-12-31T23:59:59Z");
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      assert.deepEqual(moment().read(date.toISOString(), "x"), date);
    }),
  );
});

test("a day is taken as it is written when there is such a day", () => {
  for (const given of ["2027-01-31", "2028-02-29", "0001-01-01", "9999-12-31"])
    assert.equal(day().read(given, "start_date"), given);
  const others = ["2027-02-29", "2027-13-01", "2027-1-1", "27-01-01", "0000-01-01", "2027-01-31 "];
  for (const given of [...others, "2027-01-31T00:00:00Z", "20270131", "today", "2027-00-10"])
    assert.throws(() => day().read(given, "start_date"), {
      message: "The start date must be a day such as 2027-01-31.",
    });
  assert.throws(() => day().read(20270131, "start_date"), /must be a string/);
});
