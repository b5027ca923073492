// The guarantee: a sentence on a page has the page's words for amounts, actions and options, and
// nothing else in it changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../modules/operator/commands.ts";
import { ACTION_WORDS, PAGE_NAMES } from "./actions/action-words.ts";
import { inPageWords } from "./page-words.ts";

test("amounts with their currency are grouped, and keep their sign", () => {
  const shown = inPageWords("A refund of 12345.60 TTD; the rest is -0.05 JMD.").replace(/\s/g, " ");
  assert.equal(shown, "A refund of TTD 12,345.60; the rest is \u2212JMD 0.05.");
});

test("what is no amount with its currency stays as it is", () => {
  for (const text of ["1-2500.00 TTD", "v1.2500.00 TTD", "2500.00 TTDX", "2500.0 TTD", "2500.00"])
    assert.equal(inPageWords(text), text);
});

test("actions are called by their buttons, lists by their names, options by their labels", () => {
  for (const [said, shown] of [
    ["release-withdrawal or fail-withdrawal", "“Release” or “Give up”"],
    ["As failing-webhooks shows it.", "As the list of webhooks shows it."],
    [
      "Ask the bank; say so with --not-paid.",
      "Ask the bank; say so with “The bank has not paid it and never will”.",
    ],
    ["The --amount must be greater than 0.", "The “Amount” must be greater than 0."],
  ] as const)
    assert.equal(inPageWords(said), shown);
});

test("words that only look like a command or an option stay", () => {
  for (const text of ["approve it, or reject it", "x-release-withdrawal", "a--b", "-- and ---"])
    assert.equal(inPageWords(text), text);
});

test("sentences about terminals are left out, and no command's words have any left", () => {
  assert.equal(inPageWords("It is listed. The exit code is 1. Look."), "It is listed. Look.");
  for (const { name, kind, about, more = "", fields, right } of COMMANDS) {
    if (kind === "action" && typeof right !== "string") continue;
    if (!(name in ACTION_WORDS) && !(name in PAGE_NAMES)) continue;
    const hints = Object.values(fields).map(({ schema }) => String(schema.description ?? ""));
    for (const text of [about, more, ...hints]) {
      const shown = inPageWords(text);
      assert.doesNotMatch(shown, / --|terminal|exit code|[A-Z]{4,}_[A-Z]+/, name);
      for (const other of COMMANDS)
        if (other.name.includes("-")) assert.ok(!shown.includes(other.name), `${name}: ${shown}`);
    }
  }
});
