/**
 * The guarantee: each rule of Interface §2.4 is told in its own sentence, whichever way the request
 * comes, in the order of the table, and what is refused leaves nothing behind.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import {
  ask,
  ENCODINGS,
  expectRefused,
  type Fields,
  minimal,
} from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const shop = await service.world.merchant();
const minimalHere = (fields: Fields) => minimal(shop.accountNumber, fields);

const NOBODY = "The account number cannot take this payment.";
const BAD_URL = "The response url must be a valid URL.";
const long = (count: number) => "x".repeat(count);
const emoji = (count: number) => "🌴".repeat(count);
const CARD = "4242424242424242";

/** One line for each rule: what is sent, what is said. `""`: there is no address to go to. */
const REFUSED: [fields: Fields, message: string, address?: ""][] = [
  [{ account_number: undefined }, "The account number field is required."],
  [{ account_number: 123.5 }, NOBODY],
  [{ account_number: 2 ** 53 + 2 }, NOBODY],
  [{ account_number: "12345" }, NOBODY],
  [{ account_number: "0123456789" }, NOBODY],
  [{ account_number: "abc" }, NOBODY],
  [{ account_number: "9999999999" }, NOBODY],
  [{ country_code: undefined }, "The country code field is required."],
  [{ country_code: "tt" }, "The country code must be one of: BB, GD, GY, JM, TT."],
  [{ country_code: "US" }, "The country code must be one of: BB, GD, GY, JM, TT."],
  [{ currency: undefined }, "The currency field is required."],
  [{ currency: "ttd" }, "The currency must be one of: TTD, USD."],
  [{ currency: "JMD" }, "The currency must be one of: TTD, USD."],
  [{ country_code: "JM", currency: "TTD" }, "The currency must be one of: JMD, USD."],
  [{ environment: undefined }, "The environment field is required."],
  [{ environment: "test" }, "The environment must be one of: live, sandbox."],
  [{ fee_structure: undefined }, "The fee structure field is required."],
  [
    { fee_structure: "nobody" },
    "The fee structure must be one of: customer_pay, merchant_absorb, split.",
  ],
  [{ method: undefined }, "The method field is required."],
  [{ method: "cash" }, "The method must be one of: credit_card_co, 3co_simple."],
  [{ origin: undefined }, "The origin field is required."],
  [{ origin: long(33) }, "The origin must not be longer than 32 characters."],
  [{ origin: "-shop" }, "The origin format is invalid."],
  [{ origin: "my shop" }, "The origin format is invalid."],
  [{ response_url: undefined }, "The response url field is required.", ""],
  [
    { response_url: `https://shop.example/${long(235)}` },
    "The response url must not be longer than 255 characters.",
    "",
  ],
  [{ total: undefined }, "The total field is required."],
  [{ total: "10.001" }, "The total must be a number with at most 2 decimal places."],
  [{ total: "1e3" }, "The total must be a number with at most 2 decimal places."],
  [{ total: "ten" }, "The total must be a number with at most 2 decimal places."],
  [{ total: -1 }, "The total must be from 5.00 to 20400.00 TTD."],
  [{ total: 0 }, "The total must be from 5.00 to 20400.00 TTD."],
  [{ total: "4.99" }, "The total must be from 5.00 to 20400.00 TTD."],
  [{ total: "20400.01" }, "The total must be from 5.00 to 20400.00 TTD."],
  [{ currency: "USD", total: "0.73" }, "The total must be from 0.74 to 3000.00 USD."],
  [{ email: "nobody" }, "The email must be a valid email address."],
  [{ email: `${long(39)}@example.com` }, "The email must not be longer than 50 characters."],
  [{ email: shop.email }, "The email must not be the merchant's own."],
  [{ email: shop.email.toUpperCase() }, "The email must not be the merchant's own."],
  [{ data: long(4097) }, "The data must not be longer than 4096 characters."],
  [{ data: emoji(4097) }, "The data must not be longer than 4096 characters."],
  [{ version: long(17) }, "The version must not be longer than 16 characters."],
  [{ fname: long(31) }, "The fname must not be longer than 30 characters."],
  [{ fname: "a\r\nb" }, "The fname format is invalid."],
  [{ fname: "A", lname: long(31) }, "The lname must not be longer than 30 characters."],
  [{ lname: "Mohammed" }, "The fname field is required when the lname is given."],
  [{ name: long(61) }, "The name must not be longer than 60 characters."],
  [{ addr1: long(51) }, "The addr1 must not be longer than 50 characters."],
  [{ addr1: "1", addr2: long(51) }, "The addr2 must not be longer than 50 characters."],
  [{ addr2: "Flat 2" }, "The addr1 field is required when the addr2 is given."],
  [{ city: long(31) }, "The city must not be longer than 30 characters."],
  [{ state: long(31) }, "The state must not be longer than 30 characters."],
  [{ zipcode: long(11) }, "The zipcode must not be longer than 10 characters."],
  [{ country: "usa" }, "The country must not be longer than 2 characters."],
  [{ country: "us" }, "The country format is invalid."],
  [{ country: "US", state: "US-XX" }, "The state must be an ISO 3166-2 code of the country."],
  [{ country: "US", state: "TT-POS" }, "The state must be an ISO 3166-2 code of the country."],
  [{ phone: long(51) }, "The phone must not be longer than 50 characters."],
  [{ phone: emoji(51) }, "The phone must not be longer than 50 characters."],
  [{ avs: "maybe" }, "The avs must be true or false."],
  [{ card_type: "amex" }, "The card type must be one of: visa, mastercard."],
  // Card numbers where none is asked for (Decision 0002).
  [{ data: `card ${CARD}` }, "The data must not contain a card number."],
  [{ data: "4242-4242-4242-4242" }, "The data must not contain a card number."],
  [{ fname: "4242 4242 4242 4242" }, "The fname must not contain a card number."],
  [{ name: `Anika ${CARD}` }, "The name must not contain a card number."],
  [{ addr1: CARD }, "The addr1 must not contain a card number."],
  [{ origin: CARD }, "The origin must not contain a card number."],
  [{ email: `${CARD}@example.com` }, "The email must not contain a card number."],
  [{ data: "4111111111113333" }, "The data must not contain a card number."],
];

/** These are not told back in the error address either. */
const BAD_ORDER_IDS: [orderId: unknown, message: string][] = [
  [undefined, "The order id field is required."],
  ["", "The order id field is required."],
  [long(65), "The order id must not be longer than 64 characters."],
  ["-1", "The order id format is invalid."],
  ["1_", "The order id format is invalid."],
  ["a b", "The order id format is invalid."],
  ["a\nb", "The order id format is invalid."],
  ["é", "The order id format is invalid."],
  [CARD, "The order id must not contain a card number."],
];

/** Nobody is ever sent there. */
const BAD_URLS = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://shop.example/1",
  "//evil.example",
  "/paid",
  "shop.example/paid",
  "https:evil.example",
  "https:/evil.example",
  "https:///evil.example",
  "ht\ntp://evil.example",
  "https://shop.example/\r\nSet-Cookie: a=b",
  "https://shop.example\\@evil.example",
  "https:\\\\evil.example",
  "https://user@shop.example",
  "https://user:password@shop.example/",
  "https://@shop.example/",
  "https://shop.example:0/",
  "https://shop.example:99999/",
  "https://shop example/",
  " https://shop.example/",
  "https://shop.example/\u202e",
  "https://[::1/",
  "https://shop.example;script-src/",
  "https://shop.example,evil.example/",
  "https://*.example/",
  "https://shop'.example/",
  "https://shop~.example/",
  "https://shop_.example/",
  "https://shop..example/",
  "https://",
  `https://shop.example/?card=${CARD}`,
];

describe("a field that is wrong is named, by JSON, by form and to a browser", () => {
  for (const [fields, message, address] of REFUSED)
    test(`${JSON.stringify(fields).slice(0, 70)} → ${message}`, async () => {
      const given = minimalHere(fields);
      for (const encoding of ENCODINGS)
        await expectRefused(service, given, encoding, {
          message,
          ...(address === undefined ? {} : { address }),
        });
    });
});

describe("an order id that is wrong is not told back", () => {
  for (const [orderId, message] of BAD_ORDER_IDS)
    test(`${String(orderId).slice(0, 20)} → ${message}`, async () => {
      const given = minimalHere({ order_id: orderId });
      const query = new URLSearchParams({
        status: "error",
        message,
        reasonDescription: message,
        order_id: "",
        transaction_id: "",
      });
      const address = `https://shop.example/paid?cart=7&${query}`;
      for (const encoding of ENCODINGS)
        await expectRefused(service, given, encoding, { message, address });
    });
});

describe("a response_url that no browser should go to is refused without one", () => {
  for (const url of BAD_URLS)
    test(JSON.stringify(url), async () => {
      for (const encoding of ENCODINGS)
        await expectRefused(service, minimalHere({ response_url: url }), encoding, {
          message: BAD_URL,
          address: "",
        });
    });
  test("nor when something before it in the table is wrong", async () => {
    for (const url of BAD_URLS)
      for (const encoding of ENCODINGS)
        await expectRefused(
          service,
          minimalHere({ response_url: url, country_code: "XX" }),
          encoding,
          { message: "The country code must be one of: BB, GD, GY, JM, TT.", address: "" },
        );
  });
});

test("of several wrong fields the first of the table speaks", async () => {
  const wrong: [name: string, value: unknown, message: RegExp][] = [
    ["account_number", "x", /^The account number/],
    ["country_code", "x", /^The country code/],
    ["currency", "JMD", /^The currency/],
    ["environment", "x", /^The environment/],
    ["fee_structure", "x", /^The fee structure/],
    ["method", "x", /^The method/],
    ["order_id", "-", /^The order id/],
    ["origin", "-", /^The origin/],
    ["response_url", "x", /^The response url/],
    ["total", "1", /^The total/],
    ["email", "x", /^The email/],
    ["data", long(4097), /^The data/],
    ["version", long(17), /^The version/],
    ["fname", long(31), /^The fname/],
    ["lname", long(31), /^The lname/],
    ["name", long(61), /^The name/],
    ["addr1", long(51), /^The addr1/],
    ["addr2", long(51), /^The addr2/],
    ["city", long(31), /^The city/],
    ["state", long(31), /^The state/],
    ["zipcode", long(11), /^The zipcode/],
    ["country", "x", /^The country/],
    ["phone", long(51), /^The phone/],
    ["avs", "x", /^The avs/],
    ["card_type", "x", /^The card type/],
  ];
  const fields = minimalHere(Object.fromEntries(wrong.map(([name, value]) => [name, value])));
  for (const [name, , message] of wrong) {
    const answer = await ask(service, fields);
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, message);
    // A currency is judged by its platform, an amount by its currency.
    fields[name] = minimalHere({})[name];
  }
  assert.equal((await ask(service, fields)).status, 200);
});

test("a body that cannot be read at all is refused in the same shape, with no address", async () => {
  const bodies = [
    { type: "application/json", body: "{" },
    { type: "application/json", body: "[]" },
    { type: "application/x-www-form-urlencoded", body: "a=%zz" },
    { type: "text/plain", body: "x" },
  ];
  for (const raw of bodies) {
    const answer = await service.request("/plugins/payments/request", { method: "POST", raw });
    assert([400, 415].includes(answer.status));
    assert.deepEqual(Object.keys(answer.body), ["url", "message", "transaction_id"]);
    assert.equal(answer.body.url, "");
    assert.equal(answer.body.transaction_id, "");
  }
});
