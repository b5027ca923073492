/** Nothing that a gateway says can carry a card number or a flood into a record. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { tidyAnswer } from "./result-messages.ts";

const declined = (code: string, message: string) =>
  tidyAnswer({ outcome: "declined", code, message });

test("an ordinary answer is kept as it is", () => {
  const answer = { outcome: "declined", code: "N7", message: "Transaction is declined." } as const;
  assert.deepEqual(tidyAnswer(answer), answer);
  assert.deepEqual(tidyAnswer({ outcome: "unknown" }), { outcome: "unknown" });
});

test("a card number in it is masked, lines become one, and a flood is cut", () => {
  const message = "Card 4012 8888 8888 1881\r\nis <b>bad</b>";
  assert.deepEqual(declined("05", message), {
    outcome: "declined",
    code: "05",
    message: "Card [pan:1881] is <b>bad</b>",
  });
  const flooded = declined("05", "é".repeat(10_000));
  assert(flooded.outcome === "declined");
  assert.equal(flooded.message.length, 200);
});

test("a code that is none is told as XX", () => {
  for (const code of ["", "]: [1-R00", "x".repeat(9), "0 5"]) {
    const tidied = declined(code, "No.");
    assert(tidied.outcome === "declined");
    assert.equal(tidied.code, "XX");
  }
});
