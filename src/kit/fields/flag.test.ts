/** The guarantee: yes and no are read from JSON and forms alike, and nothing else is either. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { flag } from "./flag.ts";

test("true and false are read, also as the words of a form", () => {
  for (const given of [true, "true", "1", 1]) assert.equal(flag().read(given, "only_failed"), true);
  for (const given of [false, "false", "0", 0])
    assert.equal(flag().read(given, "only_failed"), false);
});

test("anything else is refused in words that name the field", () => {
  for (const given of ["yes", "TRUE", "on", " true", 2, -1, 0.5, "1.0", [], {}, [true]])
    assert.throws(() => flag().read(given, "only_failed"), {
      message: "The only failed must be true or false.",
    });
});
