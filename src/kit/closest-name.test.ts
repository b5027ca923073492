/** A slip of one or two letters finds the name that was meant; other names find none. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { changesBetween, closestName } from "./closest-name.ts";

const NAMES = ["description", "order_id", "url", "fname", "lname", "addr", "addr2", "email"];

for (const [given, meant] of [
  ["descripton", "description"],
  ["desciption", "description"],
  ["descriptoin", "description"],
  ["orderId", "order_id"],
  ["ORDER_ID", "order_id"],
  ["orderid", "order_id"],
  ["emial", "email"],
  ["uri", "url"],
  ["xyz", undefined],
  ["id", undefined],
  ["order_description", undefined],
  ["", undefined],
] as const)
  test(`${given} was meant to be ${meant}`, () => assert.equal(closestName(given, NAMES), meant));

test("the nearest of several is taken", () =>
  assert.equal(closestName("lnme", ["fname", "lname"]), "lname"));

test("changes are counted, and a swap is one", () => {
  assert.equal(changesBetween("", "abc"), 3);
  assert.equal(changesBetween("abc", "abc"), 0);
  assert.equal(changesBetween("abcd", "abdc"), 1);
  assert.equal(changesBetween("kitten", "sitting"), 3);
});
