/**
 * Secrets keep their promises: a box opens only with its key, in its place and unchanged; keyrings
 * are read exactly or not at all; random texts are as long and as random as they say.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { scrub } from "./scrub.ts";
import {
  deriveKey,
  keyedDigest,
  parseKeyring,
  randomBase62,
  randomHex,
  sameBytes,
  seal,
  unseal,
} from "./secrets.ts";

const KEY = Buffer.alloc(32, 7);
const BASE64 = KEY.toString("base64");

describe("parseKeyring", () => {
  test("takes the first key as current and finds the others by name", () => {
    const other = Buffer.alloc(32, 8);
    const ring = parseKeyring(`2026b:${BASE64}, 2026a:${other.toString("base64")}`);
    assert.deepEqual(ring?.current, { id: "2026b", bytes: KEY });
    assert.deepEqual(ring?.byId("2026a"), { id: "2026a", bytes: other });
    assert.deepEqual(
      ring?.all.map(({ id }) => id),
      ["2026b", "2026a"],
    );
    assert.equal(ring?.byId("2025"), undefined);
    assert.equal(ring?.byId("__proto__"), undefined);
  });

  const REFUSED: readonly [name: string, text: string][] = [
    ["nothing", ""],
    ["a key without a name", BASE64],
    ["an empty name", `:${BASE64}`],
    ["a name in capitals", `A:${BASE64}`],
    ["a name of 17 characters", `${"a".repeat(17)}:${BASE64}`],
    ["31 bytes", `a:${Buffer.alloc(31).toString("base64")}`],
    ["33 bytes", `a:${Buffer.alloc(33).toString("base64")}`],
    ["hex", `a:${KEY.toString("hex")}`],
    ["base64 without its padding", `a:${BASE64.replace("=", "")}`],
    ["a comma too many", `a:${BASE64},`],
    ["one name twice", `a:${BASE64},a:${BASE64}`],
    ["one bad key among good ones", `a:${BASE64},b:x`],
  ];
  for (const [name, text] of REFUSED)
    test(`refuses ${name}`, () => assert.equal(parseKeyring(text), undefined));
});

describe("seal and unseal", () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

  test("give back what was sealed, and never seal alike twice", () => {
    fc.assert(
      fc.property(bytes, fc.string(), (plain, boundTo) => {
        const box = seal(KEY, plain, boundTo);
        assert.deepEqual(unseal(KEY, box, boundTo), plain);
        assert.notDeepEqual(seal(KEY, plain, boundTo), box);
      }),
    );
  });

  test("a box with any bit changed does not open", () => {
    const box = seal(KEY, Buffer.from("a private key"), "row 1");
    for (let bit = 0; bit < box.length * 8; bit++) {
      const changed = Buffer.from(box);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.throws(() => unseal(KEY, changed, "row 1"));
    }
  });

  test("a box opens with no other key, in no other row, and not cut short", () => {
    const box = seal(KEY, Buffer.from("a private key"), "row 1");
    assert.throws(() => unseal(Buffer.alloc(32, 8), box, "row 1"));
    assert.throws(() => unseal(KEY, box, "row 2"));
    assert.throws(() => unseal(KEY, box, ""));
    for (let length = 0; length < box.length; length++)
      assert.throws(() => unseal(KEY, box.subarray(0, length), "row 1"));
  });
});

describe("digests", () => {
  test("are HMAC-SHA-256, as RFC 4231 has it", () => {
    const digest = keyedDigest(Buffer.from("Jefe"), "what do ya want for nothing?");
    const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    assert.equal(digest.toString("hex"), expected);
  });

  test("keys are derived by HKDF-SHA-256, as RFC 5869 has it", () => {
    const derived = deriveKey(Buffer.alloc(22, 0x0b), "").toString("hex");
    assert.equal(derived, "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
  });

  test("a key derived for one purpose is none for another", () => {
    const keys = ["api key", "refresh token", ""].map((purpose) => deriveKey(KEY, purpose));
    assert.equal(new Set(keys.map(String)).size, 3);
    for (const key of keys) assert.equal(key.length, 32);
    assert.deepEqual(deriveKey(KEY, "api key"), keys[0]);
  });

  test("are compared without an exception, whatever their lengths", () => {
    const one = randomBytes(32);
    assert.equal(sameBytes(one, Buffer.from(one)), true);
    assert.equal(sameBytes(one, randomBytes(32)), false);
    for (const length of [0, 31, 33, 64]) assert.equal(sameBytes(one, Buffer.alloc(length)), false);
    assert.equal(sameBytes(Buffer.alloc(0), Buffer.alloc(0)), true);
  });
});

describe("random texts", () => {
  test("of hex have two characters for each byte and do not repeat", () => {
    const texts = Array.from({ length: 1000 }, () => randomHex(9));
    for (const text of texts) assert.match(text, /^[0-9a-f]{18}$/);
    assert.equal(new Set(texts).size, 1000);
  });

  test("of hex hold no digits that logs would mask as a card's", () => {
    // Left to chance, one in 160 has thirteen digits in a row.
    const texts = Array.from({ length: 50_000 }, () => randomHex(9));
    for (const text of texts) assert.equal(scrub(text), text);
  });

  test("of base62 use all 62 characters about equally", () => {
    const text = randomBase62(62_000);
    assert.match(text, /^[0-9A-Za-z]{62000}$/);
    const counts = new Map<string, number>();
    for (const one of text) counts.set(one, (counts.get(one) ?? 0) + 1);
    assert.equal(counts.size, 62);
    // A thousand are expected of each; eight standard deviations away is never chance.
    for (const [one, count] of counts) assert(count > 750 && count < 1250, `${count} × ${one}`);
  });
});
