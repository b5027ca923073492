/**
 * The guarantee: the strict checks believe what we send and nothing else. Any order of parameters
 * verifies, no flipped byte does, and of what both are told the explaining verifier says the same.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isSame, toHex, utf8 } from "../../../sdk/src/verify/bytes.ts";
import { explainRedirect } from "../../../sdk/src/verify/explain-redirect.ts";
import { explainWebhook } from "../../../sdk/src/verify/explain-webhook.ts";
import { firstDifference } from "../../../sdk/src/verify/first-difference.ts";
import { md5 } from "../../../sdk/src/verify/md5.ts";
import { VerificationError } from "../../../sdk/src/verify/verification-error.ts";
import { type RedirectChecks, verifyRedirect } from "../../../sdk/src/verify/verify-redirect.ts";
import { verifyWebhook } from "../../../sdk/src/verify/verify-webhook.ts";
import {
  addressOf,
  BODY,
  changedRedirect,
  deliveryHeaders,
  HASH_KEY,
  KEYS,
  newSecret,
  RESULT,
  redirectOf,
  SECRET,
  SENT_AT,
  SIGNING_SECRET,
  signatureOf,
} from "./support.ts";

const refusal = (reason: string) => (error: unknown) => {
  assert(error instanceof VerificationError);
  assert.equal(error.reason, reason);
  assert(!error.message.includes(SIGNING_SECRET) && !error.message.includes(SECRET));
  return true;
};

describe("MD5 written by hand", () => {
  test("is Node's, for every length around its blocks and for random bytes", () => {
    const nodes = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
    for (let length = 0; length < 200; length += 1) {
      const bytes = new Uint8Array(length).fill(length);
      assert.equal(toHex(md5(bytes)), nodes(bytes), `${length} bytes`);
    }
    const property = fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
      assert.equal(toHex(md5(bytes)), nodes(bytes));
    });
    fc.assert(property, { numRuns: 200 });
  });

  test("gives the published vector", () => {
    const text = "SB-12-1-oid_123-aBc-2021061602400110.00123";
    assert.equal(toHex(md5(text)), "3d34d20260f7433ceee277e9ed9166a3");
  });
});

test("two digests are the same only when every byte is", () => {
  const property = fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
    assert(isSame(one, one.slice()));
    assert.equal(isSame(one, other), Buffer.from(one).equals(other));
  });
  fc.assert(property, { numRuns: 200 });
});

test("the first byte that differs is the first byte that differs", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 12 });
  const property = fc.property(text, text, text, (start, one, other) => {
    const [a, b] = [utf8(start + one), utf8(start + other)];
    const at = a.findIndex((byte, index) => byte !== b[index]);
    const expected = at === -1 && a.length < b.length ? a.length : at;
    assert.equal(firstDifference(start + one, start + other)?.byte ?? -1, expected);
  });
  fc.assert(property, { numRuns: 500 });
});

describe("verifyRedirect", () => {
  test("tells the result of a redirect that is right", async () => {
    const told = await verifyRedirect(redirectOf(), { ...KEYS, orderId: RESULT.order_id ?? "" });
    assert.deepEqual(told, {
      status: "success",
      transactionId: RESULT.transaction_id,
      message: RESULT.message,
      orderId: RESULT.order_id,
      total: RESULT.total,
      currency: RESULT.currency,
      card: RESULT.card,
      data: RESULT.data,
      date: new Date(RESULT.date ?? ""),
    });
  });

  test("takes parameters in any order, with any others between them", async () => {
    const pairs = [...new URL(redirectOf()).searchParams];
    const more = fc.array(fc.tuple(fc.constantFrom("x", "statuses", "cart"), fc.string()));
    const shuffled = fc
      .tuple(fc.shuffledSubarray(pairs, { minLength: pairs.length }), more)
      .map(([ours, theirs]) => [...ours, ...theirs] as [string, string][]);
    const property = fc.asyncProperty(shuffled, async (all) => {
      await verifyRedirect(new URLSearchParams(all), KEYS);
      assert.equal((await explainRedirect(new URLSearchParams(all), KEYS)).verified, true);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test("refuses it with any one character of ours changed", async () => {
    const values = Object.entries({ ...RESULT, signature: signatureOf(RESULT) });
    for (const [name, value] of values)
      for (const at of [...value].keys()) {
        const char = String.fromCharCode(value.charCodeAt(at) ^ 1);
        const other = changedRedirect({ [name]: value.slice(0, at) + char + value.slice(at + 1) });
        await assert.rejects(verifyRedirect(other, KEYS), VerificationError, `${name} ${at}`);
      }
  });

  const failed = { ...RESULT, status: "failed" };
  const twice = `${redirectOf().replace("#top", "")}&status=success`;
  /** The explaining one is not told what is expected. */
  const expected = /^(missing_expectation|wrong_(transaction|order|currency)|too_old)$/;
  const refused: [reason: string, url: string, checks?: Partial<RedirectChecks>][] = [
    ["missing_signature", changedRedirect({ signature: undefined })],
    ["wrong_signature", changedRedirect({ total: "1.00" })],
    ["wrong_signature", redirectOf(), { signingSecret: HASH_KEY }],
    ["malformed_key", redirectOf(), { signingSecret: "" }],
    ["repeated_parameter", twice],
    ["repeated_parameter", redirectOf().replace("#", "&signature=00#")],
    ["repeated_parameter", redirectOf().replace("#", "&hash=zz#")],
    ["missing_hash", changedRedirect({ hash: undefined })],
    ["wrong_hash", changedRedirect({ hash: "0".repeat(32) })],
    ["wrong_hash", redirectOf(), { requestedTotal: "1036.70" }],
    ["malformed_total", redirectOf(), { requestedTotal: "1000" }],
    ["unexpected_hash", redirectOf(failed).replace("#", `&hash=${"0".repeat(32)}#`)],
    ["wrong_transaction", redirectOf(), { transactionId: "SB-TT-2" }],
    ["wrong_order", redirectOf(), { orderId: "order-8" }],
    ["wrong_currency", redirectOf(), { currency: "USD" }],
    ["missing_expectation", redirectOf(), { transactionId: undefined as never }],
    ["missing_expectation", redirectOf(), { orderId: undefined as never }],
    ["missing_expectation", redirectOf(), { currency: null as never }],
    ["missing_expectation", redirectOf(), { maxAgeSeconds: undefined as never }],
    ["missing_expectation", redirectOf(), { hashKey: "" }],
    ["too_old", redirectOf(), { maxAgeSeconds: 60, now: new Date("2026-11-15T14:04:08Z") }],
  ];
  for (const [reason, url, checks] of refused)
    test(`refuses with ${reason}${checks ? ` by ${Object.keys(checks)}` : ""}`, async () => {
      await assert.rejects(verifyRedirect(url, { ...KEYS, ...checks }), refusal(reason));
      if (expected.test(reason)) return;
      const said = await explainRedirect(url, { ...KEYS, ...checks });
      assert.equal(said.verified, false);
      assert.notEqual(said.mistakes.length, 0);
    });

  test("refuses a total that cannot be checked, and a key of the hash without one", async () => {
    const { signingSecret, hashKey, requestedTotal } = KEYS;
    const check = (checks: RedirectChecks) => verifyRedirect(redirectOf(), checks);
    await assert.rejects(check({ signingSecret, requestedTotal }), refusal("malformed_key"));
    await assert.rejects(check({ signingSecret, hashKey }), refusal("malformed_total"));
  });

  const card = { status: "success", transaction_id: "SB-TT-1", message: "m", uuid: "u", data: "" };

  test("takes a failure, a saved card and a refused request, which have no hash", async () => {
    const refused = { status: "error", message: "m", reasonDescription: "m", transaction_id: "" };
    const { signingSecret } = KEYS;
    for (const [values, checks] of [
      [failed, KEYS],
      [refused, KEYS],
      [card, { signingSecret }],
    ] as const) {
      const url = addressOf({ ...values, signature: signatureOf(values) });
      assert.equal((await verifyRedirect(url, checks)).status, values.status);
    }
  });

  test("does not take a saved card for an order of which a total is expected", async () => {
    const url = addressOf({ ...card, signature: signatureOf(card) });
    await assert.rejects(verifyRedirect(url, KEYS), refusal("wrong_order"));
  });

  test("knows the payment you asked for from another under the same order", async () => {
    const checks = { signingSecret: SIGNING_SECRET, orderId: RESULT.order_id ?? "" };
    const cheap = redirectOf({ ...RESULT, transaction_id: "SB-TT-2", total: "5.26" });
    const transactionId = RESULT.transaction_id ?? "";
    await assert.rejects(
      verifyRedirect(cheap, { ...checks, transactionId }),
      refusal("wrong_transaction"),
    );
    await verifyRedirect(redirectOf(), { ...checks, transactionId, currency: "TTD" });
  });
});

describe("verifyWebhook", () => {
  const now = SENT_AT;
  const verify = (body: string | Uint8Array, headers: Record<string, string>, secret = SECRET) =>
    verifyWebhook(body, headers, secret, { now });

  test("gives the event of a delivery that is right", async () => {
    const { id, timestamp, event } = await verify(BODY, deliveryHeaders());
    assert.deepEqual([id, timestamp, event], [event.id, SENT_AT, JSON.parse(BODY)]);
    await verifyWebhook(BODY, new Headers(deliveryHeaders()), [newSecret(), SECRET], { now });
  });

  test("refuses a body with any one byte changed, and so does the explaining one", async () => {
    const bytes = Buffer.from(BODY);
    for (const at of bytes.keys()) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      await assert.rejects(verify(other, deliveryHeaders()), refusal("wrong_signature"));
    }
    const place = fc.nat({ max: bytes.length - 1 });
    const property = fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ flip;
      const said = await explainWebhook(other, deliveryHeaders(), SECRET, { now });
      assert.equal(said.verified, false);
      assert.notEqual(said.mistakes.length, 0);
    });
    await fc.assert(property, { numRuns: 30 });
  });

  const without = (name: string) => {
    const { [name]: _, ...others } = deliveryHeaders();
    return others;
  };
  const stamped = (value: string) => ({ ...deliveryHeaders(), "webhook-timestamp": value });
  const seconds = SENT_AT.getTime() / 1000;
  const refused: [reason: string, headers: Record<string, string>, secret?: string][] = [
    ["missing_header", without("webhook-id")],
    ["missing_header", without("webhook-timestamp")],
    ["missing_header", without("webhook-signature")],
    ["malformed_timestamp", stamped(`${seconds}000`)],
    ["malformed_timestamp", stamped("1e9")],
    ["too_old", stamped(String(seconds - 301))],
    ["too_new", stamped(String(seconds + 301))],
    ["wrong_signature", stamped(String(seconds - 300))],
    ["wrong_signature", { ...deliveryHeaders(), "webhook-signature": "v1,AAAA" }],
    ["wrong_signature", deliveryHeaders(), newSecret()],
    ["malformed_key", deliveryHeaders(), SECRET.slice(6)],
    ["malformed_key", deliveryHeaders(["whsec_AA=="]), "whsec_AA=="],
  ];
  for (const [reason, headers, secret] of refused)
    test(`refuses with ${reason}`, async () => {
      await assert.rejects(verify(BODY, headers, secret), refusal(reason));
    });

  test("refuses everything by a clock or a tolerance that is none", async () => {
    for (const checks of [
      { now: new Date("never") },
      { now: new Date("2027-10-28T00:00:00Z"), toleranceSeconds: Number.NaN },
      { now: new Date("2027-10-28T00:00:00Z"), toleranceSeconds: "5m" as never },
    ]) {
      const verified = verifyWebhook(BODY, deliveryHeaders(), SECRET, checks);
      await assert.rejects(verified, refusal("too_old"));
      const said = await explainWebhook(BODY, deliveryHeaders(), SECRET, checks);
      assert.equal(said.verified, false);
    }
  });

  test("refuses what is signed and no JSON", async () => {
    await assert.rejects(verify("no", deliveryHeaders([SECRET], "no")), refusal("malformed_body"));
  });
});
