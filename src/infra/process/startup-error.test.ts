/** At a start without a database that answers, the operator reads a sentence and not a stack. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Unavailable } from "../../kit/errors.ts";
import { explainEmbedded, reasonOf } from "./startup-error.ts";

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

test("our own database is not looked for at DATABASE_URL", () => {
  const timeout = new Error("timeout expired");
  for (const error of [timeout, new Unavailable({ cause: timeout })])
    assert.match(reasonOf(explainEmbedded(error)), /^The embedded PostgreSQL does not answer; /);
  const odd = new Error("odd");
  assert.equal(explainEmbedded(odd), odd);
});

test("an error that nobody foresaw keeps its stack", () => {
  assert.match(reasonOf(new Error("odd")), /^Error: odd\n {4}at /);
});
