/**
 * The guarantee: a kept card opens in its own row, for its own account, with its own key, and
 * nowhere else; its security code is not in it; and without its key it is gone.
 */

import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { type Keyring, parseKeyring } from "../../kit/secrets.ts";
import {
  cardFingerprint,
  type KeptCard,
  type KeptCardIdentity,
  newFingerprintKey,
  openCard,
  rewrapFingerprintKey,
  sealCard,
} from "./card-vault.ts";

const keyring = (...ids: string[]) => {
  const text = ids.map((id) => `${id}:${randomBytes(32).toString("base64")}`).join(",");
  const made = parseKeyring(text);
  assert(made !== undefined);
  return made;
};
const ring = keyring("one", "two");
const [OWNER, OTHER] = ["1234567890", "2345678901"];
const CARD: KeptCard = {
  number: "4111111111111111",
  expiryMonth: 1,
  expiryYear: 2030,
  holder: "Ann",
};
const identity = (): KeptCardIdentity => ({
  uuid: randomUUID(),
  accountNumber: OWNER,
  environment: "live",
  keyVersion: 1,
});

const digits = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 13, maxLength: 19 })
  .map((all) => all.join(""));
const cards: fc.Arbitrary<KeptCard> = fc.record({
  number: digits,
  expiryMonth: fc.integer({ min: 1, max: 12 }),
  expiryYear: fc.integer({ min: 2026, max: 2046 }),
  holder: fc.string({ unit: "binary", maxLength: 100 }),
});
const identities: fc.Arbitrary<KeptCardIdentity> = fc.record({
  uuid: fc.uuid(),
  accountNumber: fc.constant(OWNER),
  environment: fc.constantFrom("live", "sandbox"),
  keyVersion: fc.integer({ min: 1, max: 9 }),
});

test("a card comes out as it went in, in two boxes that have nothing in common", () => {
  fc.assert(
    fc.property(cards, identities, (card, of) => {
      const sealed = sealCard(ring, of, card);
      assert.deepEqual(openCard(ring, of, sealed), { ...card });
      const again = sealCard(ring, of, card);
      assert.notDeepEqual(sealed.cardBox, again.cardBox);
      assert.notDeepEqual(sealed.keyBox, again.keyBox);
      assert(!sealed.cardBox.toString("latin1").includes(card.number));
    }),
  );
});

test("a box copied over another row, account, environment or key version does not open", () => {
  fc.assert(
    fc.property(cards, identities, fc.uuid(), (card, of, uuid) => {
      fc.pre(uuid !== of.uuid);
      const sealed = sealCard(ring, of, card);
      const environment = of.environment === "live" ? "sandbox" : "live";
      const others: KeptCardIdentity[] = [
        { ...of, uuid },
        { ...of, environment },
        { ...of, accountNumber: OTHER },
        { ...of, keyVersion: of.keyVersion + 1 },
      ];
      for (const other of others) {
        assert.throws(() => openCard(ring, other, sealed));
        const own = sealCard(ring, other, card);
        // Only one of the two boxes is the other's.
        assert.throws(() => openCard(ring, other, { ...own, cardBox: sealed.cardBox }));
        assert.throws(() => openCard(ring, other, { ...own, keyBox: sealed.keyBox }));
      }
    }),
  );
});

test("a box with any one bit changed does not open", () => {
  const of = identity();
  const sealed = sealCard(ring, of, CARD);
  for (const which of ["cardBox", "keyBox"] as const)
    for (let bit = 0; bit < sealed[which].length * 8; bit += 1) {
      const changed = Buffer.from(sealed[which]);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.throws(() => openCard(ring, of, { ...sealed, [which]: changed }));
    }
});

test("a card that comes with its security code is kept without it", () => {
  const of = identity();
  const withCode = { ...CARD, cvv: "987" };
  const kept = openCard(ring, of, sealCard(ring, of, withCode));
  assert.deepEqual(Object.keys(kept).sort(), ["expiryMonth", "expiryYear", "holder", "number"]);
});

test("once a wrapping key has left the ring, what it wrapped cannot be opened", () => {
  const of = identity();
  const sealed = sealCard(ring, of, CARD);
  assert.throws(() => openCard(keyring("three"), of, sealed), /wrapping key one is not configured/);
  assert.throws(() => openCard(ring, of, { ...sealed, wrappedWith: "two" }));
});

test("once the key of a card is deleted, no key that is made anew opens its box", () => {
  const of = identity();
  const { cardBox } = sealCard(ring, of, CARD);
  for (let again = 0; again < 20; again += 1)
    assert.throws(() => openCard(ring, of, { ...sealCard(ring, of, CARD), cardBox }));
});

test("a fingerprint finds the same number in one account and tells nothing across accounts", () => {
  const [key, other] = [newFingerprintKey(ring, OWNER), newFingerprintKey(ring, OTHER)];
  fc.assert(
    fc.property(digits, digits, (one, two) => {
      const print = cardFingerprint(ring, OWNER, key, one);
      assert.deepEqual(cardFingerprint(ring, OWNER, key, one), print);
      assert.equal(cardFingerprint(ring, OWNER, key, two).equals(print), one === two);
      assert.notDeepEqual(cardFingerprint(ring, OTHER, other, one), print);
      assert.throws(() => cardFingerprint(ring, OTHER, key, one));
    }),
  );
});

test("a fingerprint stays the same when its key is wrapped anew", () => {
  const [one, two] = ring.all;
  assert(one !== undefined && two !== undefined);
  const turned: Keyring = { ...ring, current: two };
  const key = newFingerprintKey(ring, OWNER);
  const rewrapped = rewrapFingerprintKey(turned, OWNER, key);
  assert.equal(rewrapped.wrappedWith, "two");
  assert.deepEqual(
    cardFingerprint(turned, OWNER, rewrapped, CARD.number),
    cardFingerprint(ring, OWNER, key, CARD.number),
  );
});

test("no error of the vault tells the card", () => {
  const of = identity();
  const sealed = sealCard(ring, of, CARD);
  assert.throws(
    () => openCard(ring, { ...of, keyVersion: 2 }, sealed),
    (error: Error) => !JSON.stringify([error.message, error.stack, error.cause]).includes("4111"),
  );
});
