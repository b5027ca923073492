/** The guarantee: what a server says that is being promoted is trouble (503), not our mistake. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asUnavailable } from "./database-errors.ts";

const errorOf = (facts: object) => Object.assign(new Error("in any language"), facts);

test("a table without WAL that is asked for in recovery is trouble", () => {
  const error = errorOf({ code: "0A000", routine: "get_relation_info" });
  assert.equal(asUnavailable(error)?.status, 503);
});

test("a statement that writes on a standby is trouble", () => {
  assert.equal(asUnavailable(errorOf({ code: "25006" }))?.status, 503);
});

test("anything else that is not supported is a mistake of ours", () => {
  assert.equal(
    asUnavailable(errorOf({ code: "0A000", routine: "transformOnConflict" })),
    undefined,
  );
});
