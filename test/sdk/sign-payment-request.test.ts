/**
 * The guarantee: what `signPaymentRequest` signs is what the written rule says, and the service
 * takes it (Decision 0066).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { createWindward, signPaymentRequest } from "../../sdk/src/index.ts";
import { readBody } from "../../src/infra/http/body/read-body.ts";
import { readSignature } from "../../src/modules/checkout/request/request-signature.ts";
import { formSignature } from "../../src/modules/checkout/result/result-parameters.ts";
import { startService } from "../../testkit/service.ts";
import { setRequired, signatureOf, signingShop } from "../api/checkout/signing-support.ts";
import { REQUEST_VECTORS, type RequestVector, VECTOR_SECRET } from "./verify/request-vectors.ts";

const service = await startService();
after(() => service.stop());

function fieldsOf({ type, body }: RequestVector): Record<string, string | number | boolean | null> {
  return type === "json" ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

describe("the vector with", () => {
  for (const vector of REQUEST_VECTORS) {
    const { about, type, body, signature } = vector;
    test(`${about} is signed as it says, and fields stay as they are`, async () => {
      const fields = fieldsOf(vector);
      const signed = await signPaymentRequest(fields, VECTOR_SECRET);
      assert.deepEqual(signed, { ...fields, signature });
    });

    test(`${about} is read by the service as it says`, () => {
      const sent = type === "json" ? body.replace("{", '{"signature":"x",') : `signature=x&${body}`;
      const media = type === "json" ? "application/json" : "application/x-www-form-urlencoded";
      const read = readSignature(readBody(media, Buffer.from(sent)));
      const digest = formSignature(read?.parameters ?? [], VECTOR_SECRET);
      assert.equal(digest.toString("hex"), signature);
    });
  }
});

test("a request that was signed goes through the SDK to an account that requires it", async () => {
  const shop = await signingShop(service);
  await setRequired(service, shop, true);
  const windward = createWindward({ baseUrl: service.url, apiKey: "svc_test_none" });
  const fields = {
    account_number: shop.accountNumber,
    country_code: "TT",
    currency: "TTD",
    environment: "sandbox",
    fee_structure: "customer_pay",
    method: "credit_card_co",
    order_id: "sdk-1",
    origin: "shop",
    response_url: "https://shop.example/paid",
    total: "100.00",
    email: "customer@example.com",
    avs: false,
  } as const;
  const body = await signPaymentRequest(fields, shop.secret);
  const { url } = await windward.POST("/plugins/payments/request", { body });
  assert.match(url, /\/checkout\//);
});

test("it agrees with a program of its own on whatever fields are", async () => {
  const text = fc.string({ unit: "binary" }).filter((each) => each.isWellFormed());
  const value = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
  const names = text.filter((each) => each !== "signature" && each !== "__proto__");
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, value), text, async (fields, more) => {
      const secret = `secret ${more}`;
      const { signature } = await signPaymentRequest(fields, secret);
      assert.equal(signature, signatureOf(fields, secret));
    }),
    { numRuns: 200 },
  );
});

describe("what cannot be signed is said at once:", () => {
  const call = signPaymentRequest as (fields: object, secret: string) => Promise<object>;
  const wrong: [name: string, fields: object, secret: string, message: RegExp][] = [
    ["a function", { items: () => [] }, "s", /^items is a function, which cannot be sent\.$/],
    ["a number that JSON has not", { total: Number.NaN }, "s", /^total is NaN/],
    ["with no secret", { total: "1.00" }, "", /^The signing secret is empty\.$/],
  ];
  for (const [name, fields, secret, message] of wrong)
    test(name, async () => {
      await assert.rejects(call(fields, secret), { name: "TypeError", message });
    });
});

test("a list is signed and sent as its JSON text", async () => {
  const items = [{ name: "Paperback", quantity: 2, unit_price: "50.00" }];
  const { signature, ...fields } = await signPaymentRequest({ total: "100.00", items }, "secret");
  assert.deepEqual(fields, { total: "100.00", items: JSON.stringify(items) });
  assert.equal(signature, signatureOf(fields, "secret"));
});

test("a signature that is there is replaced, and what is undefined is not signed", async () => {
  const fields = { order_id: "order-3", total: "100.00", version: "", data: "" };
  const again = { ...fields, signature: "old", name: undefined };
  const { signature } = await signPaymentRequest(again, VECTOR_SECRET);
  assert.equal(signature, REQUEST_VECTORS[2]?.signature);
});
