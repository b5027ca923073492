/**
 * The guarantee: a kept card opens in its own row, for its own account, with its own key, and
 * nowhere else; its security code is not in it; and without its key it is gone.
 */

import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { parseKeyring } from "../../kit/secrets.ts";
import {
  cardFingerprint,
  type DataKey,
  type KeptCard,
  type KeptCardIdentity,
  newDataKey,
  openCard,
  openDataKey,
  sealCard,
} from "./card-vault.ts";

const keyring = (...ids: string[]) => {
  const text = ids.map((id) => `${id}:${randomBytes(32).toString("base64")}`).join(",");
  const made = parseKeyring(text);
  assert(made !== undefined);
  return made;
};
const wrapping = keyring("one", "two");
const [OWNER, OTHER] = ["1234567890", "2345678901"];
const keyOf = (accountNumber: string, version = 1) =>
  openDataKey(wrapping, newDataKey(wrapping, { accountNumber, version }));

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
  environment: fc.constantFrom("live", "sandbox"),
});

test("a card comes out as it went in, in two boxes that have nothing in common", () => {
  const key = keyOf(OWNER);
  fc.assert(
    fc.property(cards, identities, (card, identity) => {
      const box = sealCard(key, identity, card);
      assert.deepEqual(openCard(key, identity, box), { ...card });
      assert.notDeepEqual(box, sealCard(key, identity, card));
      assert(!box.toString("latin1").includes(card.number));
    }),
  );
});

test("a box copied over another row, account, environment or key version does not open", () => {
  const key = keyOf(OWNER);
  fc.assert(
    fc.property(cards, identities, fc.uuid(), (card, identity, uuid) => {
      fc.pre(uuid !== identity.uuid);
      const box = sealCard(key, identity, card);
      const environment = identity.environment === "live" ? "sandbox" : "live";
      const swapped: [DataKey, KeptCardIdentity][] = [
        [key, { ...identity, uuid }],
        [key, { ...identity, environment }],
        // The same bytes under another name: what the box is bound to refuses, not the key.
        [{ ...key, accountNumber: OTHER }, identity],
        [{ ...key, version: 2 }, identity],
        [keyOf(OTHER), identity],
      ];
      for (const [asKey, asIdentity] of swapped)
        assert.throws(() => openCard(asKey, asIdentity, box));
    }),
  );
});

test("a box with any one bit changed does not open", () => {
  const key = keyOf(OWNER);
  const identity = { uuid: randomUUID(), environment: "live" } as const;
  const card = { number: "4111111111111111", expiryMonth: 1, expiryYear: 2030, holder: "Ann" };
  const box = sealCard(key, identity, card);
  for (let bit = 0; bit < box.length * 8; bit += 1) {
    const changed = Buffer.from(box);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    assert.throws(() => openCard(key, identity, changed));
  }
});

test("a card that comes with its security code is kept without it", () => {
  const key = keyOf(OWNER);
  const identity = { uuid: randomUUID(), environment: "live" } as const;
  const cvv = "987";
  const card = { number: "4111111111111111", expiryMonth: 1, expiryYear: 2030, holder: "Ann", cvv };
  const kept = openCard(key, identity, sealCard(key, identity, card));
  assert.deepEqual(Object.keys(kept).sort(), ["expiryMonth", "expiryYear", "holder", "number"]);
});

test("a wrapped key opens for its account and version alone", () => {
  const wrapped = newDataKey(wrapping, { accountNumber: OWNER, version: 1 });
  assert.deepEqual(openDataKey(wrapping, wrapped), openDataKey(wrapping, wrapped));
  assert.throws(() => openDataKey(wrapping, { ...wrapped, accountNumber: OTHER }));
  assert.throws(() => openDataKey(wrapping, { ...wrapped, version: 2 }));
  assert.throws(() => openDataKey(wrapping, { ...wrapped, wrappedWith: "two" }));
});

test("once a wrapping key has left the ring, what it wrapped cannot be opened", () => {
  const wrapped = newDataKey(wrapping, { accountNumber: OWNER, version: 1 });
  const without = keyring("three");
  assert.throws(() => openDataKey(without, wrapped), /wrapping key one is not configured/);
});

test("once a data key is deleted, no key that is made anew opens what it sealed", () => {
  const identity = { uuid: randomUUID(), environment: "live" } as const;
  const card = { number: "4111111111111111", expiryMonth: 1, expiryYear: 2030, holder: "Ann" };
  const box = sealCard(keyOf(OWNER), identity, card);
  for (let again = 0; again < 20; again += 1)
    assert.throws(() => openCard(keyOf(OWNER), identity, box));
});

test("a fingerprint finds the same number in one account and tells nothing across accounts", () => {
  const [key, other] = [keyOf(OWNER), keyOf(OTHER)];
  fc.assert(
    fc.property(digits, digits, (one, two) => {
      const print = cardFingerprint(key, one);
      assert.deepEqual(cardFingerprint(key, one), print);
      assert.equal(cardFingerprint(key, two).equals(print), one === two);
      assert.notDeepEqual(cardFingerprint(other, one), print);
    }),
  );
});

test("no error of the vault tells the card", () => {
  const key = keyOf(OWNER);
  const identity = { uuid: randomUUID(), environment: "live" } as const;
  const card = { number: "4111111111111111", expiryMonth: 1, expiryYear: 2030, holder: "Ann" };
  const box = sealCard(key, identity, card);
  assert.throws(
    () => openCard(keyOf(OWNER), identity, box),
    (error: Error) => !JSON.stringify([error.message, error.stack, error.cause]).includes("4111"),
  );
});
