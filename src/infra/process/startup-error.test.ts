/** At a start without a database that answers, the operator reads a sentence and not a stack. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonOf } from "./startup-error.ts";

const SILENCE = [
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
];
for (const message of SILENCE)
  test(`"${message}" is a database that does not answer`, () => {
    assert.match(reasonOf(new Error(message)), /^PostgreSQL at DATABASE_URL does not answer\./);
  });

test("a connection that is refused is one, too", () => {
  const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  assert.match(reasonOf(refused), /^PostgreSQL at DATABASE_URL does not answer\./);
});

test("an error that nobody foresaw keeps its stack", () => {
  assert.match(reasonOf(new Error("odd")), /^Error: odd\n {4}at /);
});
