/** A cursor is read as it was written, and one that a list did not write is refused. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readCursor, writeCursor } from "./cursor.ts";
import { TRANSACTION_ID, UUID } from "./ids.ts";

const id = "0b7c1f0e-7d0f-4f6e-9a53-2f1c0e8d9b11";
const written = (text: string) => Buffer.from(text).toString("base64url");

test("what was written is read", () => {
  for (const towards of ["older", "newer"] as const) {
    const cursor = { towards, at: new Date("2026-11-19T10:00:00.123Z"), id };
    assert.deepEqual(readCursor(writeCursor(cursor), { form: UUID }), cursor);
  }
});

test("another text, id or time is refused, by the field's name", () => {
  for (const text of ["", "o", `x 1 ${id}`, `o -1 ${id}`, `o 1 ${id} `, `o 999999999999999 ${id}`])
    assert.throws(() => readCursor(written(text), { form: UUID }), { field: "page" });
  const other = written(`o 1 ${id}`);
  assert.throws(() => readCursor(other, { form: TRANSACTION_ID, field: "before" }), {
    message: "The page must come from a link of this list.",
    field: "before",
  });
});
