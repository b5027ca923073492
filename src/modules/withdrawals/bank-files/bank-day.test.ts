/** The guarantee: a bank day ends at the midnight of its bank, and is never on a weekend. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAt } from "../../../kit/local-day.ts";
import { COUNTRY_CODES } from "../../../kit/vocabulary.ts";
import { platformOf } from "../../platforms/platform.ts";
import { bankDayFrom } from "./bank-day.ts";

test("the day is that of the platform: four hours behind UTC, Jamaica five", () => {
  const cases: [utc: string, days: Record<string, string>][] = [
    ["2026-11-16T03:59:59Z", { TT: "15", BB: "15", GD: "15", GY: "15", JM: "15" }],
    ["2026-11-16T04:00:00Z", { TT: "16", BB: "16", GD: "16", GY: "16", JM: "15" }],
    ["2026-11-16T05:00:00Z", { TT: "16", BB: "16", GD: "16", GY: "16", JM: "16" }],
    // Nobody there moves a clock in summer.
    ["2026-07-16T03:59:59Z", { TT: "15", BB: "15", GD: "15", GY: "15", JM: "15" }],
  ];
  for (const [utc, days] of cases)
    for (const code of COUNTRY_CODES)
      assert.equal(
        dayAt(new Date(utc), platformOf(code).timeZone),
        `${utc.slice(0, 8)}${days[code]}`,
      );
});

test("what is made on a weekend is paid on Monday, over the end of a year too", () => {
  assert.deepEqual(
    ["2026-11-13", "2026-11-14", "2026-11-15", "2026-11-16", "2027-01-02"].map(bankDayFrom),
    ["2026-11-13", "2026-11-16", "2026-11-16", "2026-11-16", "2027-01-04"],
  );
});
