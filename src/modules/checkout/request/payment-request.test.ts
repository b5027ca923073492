/**
 * The same request is recognised when it is sent again, by this release, by an older one's digest
 * and by a newer one's fields (Decision 0077).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "../../../infra/config.ts";
import { fingerprintsOf } from "../../../infra/http/serve/idempotency.ts";
import { optional, readFields } from "../../../kit/fields/field.ts";
import { line } from "../../../kit/fields/text.ts";
import { derivedKey, keyedDigest } from "../../../kit/secrets.ts";
import { isDigestOf, paymentRequestOf, requestDigest } from "./payment-request.ts";
import { requestFields, rulesOf } from "./request-fields.ts";

const config = readConfig({});
const SENT = {
  account_number: "1234567890",
  country_code: "TT",
  currency: "TTD",
  environment: "sandbox",
  fee_structure: "customer_pay",
  method: "credit_card_co",
  order_id: "order-1",
  origin: "my-shop",
  response_url: "https://shop.example/paid",
  total: "100.00",
};

const requestOf = (more: Record<string, unknown> = {}) =>
  paymentRequestOf(readFields(requestFields(rulesOf(config)), { ...SENT, ...more }));
const isSame = (one: ReturnType<typeof requestOf>, other: ReturnType<typeof requestOf>) =>
  isDigestOf(config, one, requestDigest(config, other.words));

/** As the releases until November 2026 wrote it: values by position, absent ones too. */
function digestByPosition(values: readonly string[]): Buffer {
  const key = derivedKey(config.tokenPeppers.current, "payment request");
  return keyedDigest(key, JSON.stringify(values));
}

describe("a payment request that is sent again", () => {
  test("is the same in any spelling, with or without its signature", () => {
    const first = requestOf({ email: "anika@example.com", data: "" });
    assert(isSame(first, requestOf({ email: "anika@example.com", total: 100 })));
    assert(isSame(first, requestOf({ email: "anika@example.com", signature: "0".repeat(64) })));
  });

  test("is another with any other value, and with a value under another name", () => {
    assert(!isSame(requestOf(), requestOf({ total: "100.01" })));
    assert(!isSame(requestOf(), requestOf({ avs: true })));
    assert(!isSame(requestOf({ fname: "Anika" }), requestOf({ name: "Anika" })));
  });

  test("is the same whatever the order of its fields", () => {
    const { words, ...request } = requestOf({ data: "cart 7" });
    const reversed = Object.fromEntries(Object.entries(words).reverse());
    assert(isSame({ ...request, words: reversed }, { ...request, words }));
  });

  test("is the same to a release that knows more fields, as long as they are not sent", () => {
    const { words, ...request } = requestOf();
    const absent = {
      ...request,
      words: { ...words, later_text: "", later_flag: false, later_field: undefined },
    };
    assert(isSame(absent, { ...request, words }));
    assert(!isSame({ ...request, words: { ...words, later_text: "7" } }, { ...request, words }));
  });

  describe("and a later release that declares one more detail", () => {
    const fields = requestFields(rulesOf(config));
    const later = { ...fields, later_text: optional(line(32)) };
    const read = (shape: typeof fields, more = {}) => readFields(shape, { ...SENT, ...more });
    const fingerprint = (values: unknown) =>
      fingerprintsOf(config.tokenPeppers, { path: "/request", query: {}, body: values });
    const digest = (values: ReturnType<typeof read>) =>
      requestDigest(config, paymentRequestOf(values).words);

    test("read the same of a request without it: the digest and the fingerprint stay", () => {
      assert.deepEqual(digest(read(later)), digest(read(fields)));
      assert.deepEqual(fingerprint(read(later)), fingerprint(read(fields)));
    });

    test("tell a request with it from one without", () => {
      const given = read(later, { later_text: "7" });
      assert.notDeepEqual(digest(given), digest(read(fields)));
      assert.notDeepEqual(fingerprint(given), fingerprint(read(fields)));
    });

    test("can rely on it: of fields that are not sent, only the two oldest have a value", () => {
      const values = JSON.parse(JSON.stringify({ ...read(fields), total: SENT.total }));
      assert.deepEqual(values, { ...SENT, data: "", avs: false });
    });
  });

  test("is recognised by the digest of an older release", () => {
    const values = [
      ...["1234567890", "TT", "TTD", "sandbox", "customer_pay", "credit_card_co", "order-1"],
      ...["my-shop", "https://shop.example/paid", "10000", "anika@example.com", "cart 7", ""],
      ...["Anika", "", "", "", "", "", "", "", "", "", "false", "visa"],
    ];
    const more = { email: "anika@example.com", data: "cart 7", fname: "Anika", card_type: "visa" };
    assert(isDigestOf(config, requestOf(more), digestByPosition(values)));
    assert(!isDigestOf(config, requestOf(), digestByPosition(values)));
  });

  test("so is the charge of a saved card", () => {
    const words = {
      card_uuid: "0b9d1c52-6c2c-4d3a-9a0f-6d7e1f2a3b4c",
      ...{ total: 10_000n, currency: "TTD", fee_structure: "split", order_id: "order-1" },
      ...{
        response_url: "https://shop.example/paid",
        origin: undefined,
        data: "",
        email: undefined,
      },
    };
    const values = [words.card_uuid, "TTD", "split", "order-1", words.response_url, "10000"];
    const digest = digestByPosition([...values, "", "", ""]);
    assert(isDigestOf(config, { purpose: "charge", words }, digest));
  });
});
