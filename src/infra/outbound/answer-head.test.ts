/**
 * The guarantee: what a receiver wrote can be kept and shown. It is short, it is text, and it does
 * nothing to its reader.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { answerHead } from "./answer-head.ts";

describe("the beginning of an answer", () => {
  const cases: [what: string, body: string | Buffer, head: string][] = [
    ["of nothing is empty", "", ""],
    ["of text is that text", '{"ok":true}\r\n\tyes ü 🌊', '{"ok":true}\n\tyes ü 🌊'],
    ["has no control characters", "a\u0000b\u001b[31mc\u0085d\re", "a�b�[31mc�d�e"],
    ["is not turned around", "a\u202eb\u2066c\u200fd\u2028e\ufeffx", "a�b�c�d�e�x"],
    ["of bytes that are no text says so", Buffer.of(0xff, 0x41), "�A"],
    ["shows no card number", "card 4111 1111 1111 1111", "card [pan:1111]"],
    ["shows no secret of ours", "whsec_c2VjcmV0 svc_test_abc", "whsec_[masked] svc_test_[masked]"],
    ["is not cut inside a character", `${"a".repeat(1023)}ü`, "a".repeat(1023)],
    ["is 1,024 characters", "b".repeat(5000), "b".repeat(1024)],
    ["is 1,024 characters also where masking made it longer", "svc_rt_a ".repeat(200), ""],
  ];
  for (const [what, body, head] of cases)
    test(what, () => {
      const said = answerHead(Buffer.from(body), undefined);
      if (head !== "" || body === "") assert.equal(said, head);
      assert([...said].length <= 1024);
    });

  test("of an encoded body is not unpacked", () => {
    const said = answerHead(Buffer.from("H4sIA"), "gzip");
    assert.equal(said, "[An encoded body, not unpacked.]");
    assert.equal(answerHead(Buffer.from("plain"), "Identity"), "plain");
  });

  test("is text that a database keeps, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const said = answerHead(Buffer.from(bytes), undefined);
        assert([...said].length <= 1024);
        assert(!said.includes("\0") && said.isWellFormed());
      }),
    );
  });
});
