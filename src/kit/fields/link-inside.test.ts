/** Links are found in names however they are written, and names of people and shops pass. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsLink } from "./link-inside.ts";

test("links are found however they are written", () => {
  for (const text of [
    "Pay at https://evil.example/x",
    "Pay at HTTP://evil.example",
    "see www.evil.example now",
    "evil.example/x",
    "sub-domain.evil.co/",
    "www\u200b.evil.example",
    "evil\uff0eexample\uff0fx",
    "\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/x",
  ])
    assert(holdsLink(text), text);
});

test("names are none", () => {
  for (const text of [
    "Anika Mohammed",
    "J. R. R. Tolkien",
    "St. John's Books Ltd.",
    "Mr.Price",
    "Amazon.com",
    "A/C Repairs",
    "Fish & Chips 24/7",
    "Dr.Singh (Cardiology)",
    "Awww. Gifts",
    "",
  ])
    assert(!holdsLink(text), text);
});
