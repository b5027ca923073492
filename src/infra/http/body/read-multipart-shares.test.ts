/** What is being uploaded has room in memory, and one sender a part of that, never all. */

import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { readMultipart } from "./read-multipart.ts";

const BYTES_MAX = 5_242_880;

function readFrom(stream: Readable, sender: string) {
  const contentType = "multipart/form-data; boundary=XyZ";
  const rules = { contentType, fileField: "picture", bytesMax: BYTES_MAX, sender };
  return readMultipart(stream as IncomingMessage, rules);
}

describe("uploads", () => {
  const SENDERS = [
    ["many senders", 503, (turn: number) => `sender ${turn}`],
    ["one sender", 429, () => "one and the same"],
  ] as const;
  for (const [who, refusal, senderOf] of SENDERS)
    test(`more at once of ${who} than there is room for are told to come back`, async () => {
      const streams = Array.from({ length: 30 }, () => new Readable({ read() {} }));
      const outcomes = Promise.allSettled(
        streams.map((each, turn) => readFrom(each, senderOf(turn))),
      );
      for (const stream of streams) stream.push(Buffer.alloc(BYTES_MAX));
      for (const stream of streams) stream.push(null);
      const refused = (await outcomes).filter((one) => one.status === "rejected");
      assert.equal(refused.length > 0 && refused.length < 30, true, `${refused.length} refused`);
      for (const { reason } of refused) assert.equal(reason.status, refusal);
      // All of it is given back.
      const { problem } = await readFrom(Readable.from([]), senderOf(0));
      assert.equal(problem, "The body is not valid multipart form data.");
    });
});
