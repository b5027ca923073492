/** The guarantee: each moment is in one day of a time zone, also where clocks are moved. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, dayAt, daysBetween, startOfDay } from "./local-day.ts";

test("a day begins at the midnight of its zone", () => {
  const cases = [
    ["2026-11-16", "UTC", "2026-11-16T00:00:00.000Z"],
    ["2026-11-16", "America/Port_of_Spain", "2026-11-16T04:00:00.000Z"],
    ["2026-11-16", "America/Jamaica", "2026-11-16T05:00:00.000Z"],
    ["2026-11-16", "Asia/Kathmandu", "2026-11-15T18:15:00.000Z"],
    ["2026-11-16", "Pacific/Kiritimati", "2026-11-15T10:00:00.000Z"],
    // The clock goes on at midnight: the day begins at one.
    ["2026-03-08", "America/Havana", "2026-03-08T05:00:00.000Z"],
    // The hour after midnight comes twice, and the day with the first.
    ["2026-11-01", "America/Havana", "2026-11-01T04:00:00.000Z"],
    // At midnight it is eleven again.
    ["2026-10-25", "Atlantic/Azores", "2026-10-25T00:00:00.000Z"],
  ];
  for (const [day = "", zone = "", starts] of cases)
    assert.equal(startOfDay(day, zone).toISOString(), starts, `${day} ${zone}`);
});

const MOVING = ["America/Havana", "America/New_York", "Atlantic/Azores", "Australia/Lord_Howe"];

test("days follow each other without a gap, and begin at quarters of an hour", () => {
  const check = (day: string, zone: string) => {
    const starts = startOfDay(day, zone);
    assert.equal(dayAt(starts, zone), day, zone);
    assert.equal(dayAt(new Date(starts.getTime() - 1), zone), addDays(day, -1), zone);
    assert.equal(starts.getTime() % 900_000, 0, `${day} ${zone}`);
  };
  for (const zone of MOVING)
    for (const day of daysBetween("2026-01-01", "2026-12-31")) check(day, zone);
  for (const zone of Intl.supportedValuesOf("timeZone"))
    for (const day of ["2026-01-01", "2026-07-01"]) check(day, zone);
});
