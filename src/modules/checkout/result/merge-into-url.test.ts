/**
 * The guarantee: a result stands in the merchant's address once, whatever was planted there, and
 * nothing else of the address changes (Decision 0039).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { mergeIntoUrl, type Parameter } from "./merge-into-url.ts";

const OURS: Parameter[] = [
  ["status", "failed"],
  ["transaction_id", "TT-1"],
  ["message", "No & no = é"],
];
const WRITTEN = "status=failed&transaction_id=TT-1&message=No+%26+no+%3D+%C3%A9";

describe("what is there already", () => {
  const cases: [url: string, merged: string][] = [
    ["https://a.example", `https://a.example/?${WRITTEN}`],
    ["https://a.example/p", `https://a.example/p?${WRITTEN}`],
    ["https://a.example/p?", `https://a.example/p?${WRITTEN}`],
    ["https://a.example/p?a=1", `https://a.example/p?a=1&${WRITTEN}`],
    ["https://a.example/p#top", `https://a.example/p?${WRITTEN}#top`],
    ["https://a.example/p?a=1#b?c=2", `https://a.example/p?a=1&${WRITTEN}#b?c=2`],
    // Kept as it is written.
    ["https://a.example/?q=a%26b+c%20d", `https://a.example/?q=a%26b+c%20d&${WRITTEN}`],
    ["https://a.example/?a=1&a=2&a", `https://a.example/?a=1&a=2&a&${WRITTEN}`],
    ["https://a.example/?%zz=1&b=%C3", `https://a.example/?%zz=1&b=%C3&${WRITTEN}`],
    [
      "https://a.example/?statuses=1&my_status=2",
      `https://a.example/?statuses=1&my_status=2&${WRITTEN}`,
    ],
    ["http://a.example:8080/p;x=1?y", `http://a.example:8080/p;x=1?y&${WRITTEN}`],
    ["https://a.example/?a=1;b=2;c", `https://a.example/?a=1;b=2;c&${WRITTEN}`],
    // Parted at a semicolon by some.
    [
      "https://a.example/?a=1;status=success;b=2",
      `https://a.example/?a=1%3Bstatus=success;b=2&${WRITTEN}`,
    ],
    ["https://a.example/?;HASH[]=1", `https://a.example/?%3BHASH[]=1&${WRITTEN}`],
    ["https://a.example/?status;b=1", `https://a.example/?status%3Bb=1&${WRITTEN}`],
    // Planted, and used by this result or not.
    ["https://a.example/?status=success&b=2", `https://a.example/?b=2&${WRITTEN}`],
    ["https://a.example/?hash=1&signature=2&uuid=3", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?status=success&status=success", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?%73tatus=success", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?STATUS=success", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?status[]=success&status%5B0%5D=x", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?+status=success", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?order.id=1&order+id=2&order[id=3", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?status%00x=success&status%00%FF=1", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?status", `https://a.example/?${WRITTEN}`],
    ["https://a.example/?reasonDescription=x", `https://a.example/?${WRITTEN}`],
  ];
  for (const [url, merged] of cases) test(url, () => assert.equal(mergeIntoUrl(url, OURS), merged));
});

test("random queries: ours are read once each, theirs are what they were", () => {
  const piece = fc.string({ unit: fc.constantFrom(..."aeéX19_.~!*'()-%25"), maxLength: 8 });
  const pairs = fc.array(fc.tuple(piece, fc.string({ maxLength: 12 })), { maxLength: 8 });
  fc.assert(
    fc.property(pairs, (theirs) => {
      const query = new URLSearchParams(theirs).toString();
      const merged = new URL(mergeIntoUrl(`https://a.example/p?${query}`, OURS));
      for (const [name, value] of OURS) assert.deepEqual(merged.searchParams.getAll(name), [value]);
      assert(merged.search.startsWith(`?${query}`));
    }),
    { numRuns: 500 },
  );
});
