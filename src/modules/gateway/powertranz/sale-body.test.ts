/**
 * The guarantee: whatever a customer typed, the body of a sale has the form that PowerTranz takes,
 * so that no accent and no comma fails a payment.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { CURRENCIES, formatMoney, money } from "../../../kit/money.ts";
import type { Billing, Sale } from "../port.ts";
import { majorUnits, saleBody } from "./sale-body.ts";

const REFERENCE = "6d0f3a52-8f0b-4a35-9d54-1c7a2be0f911";

function body(more: Partial<Sale> & { holder?: string } = {}) {
  const { holder = "Anita Roach", ...rest } = more;
  const sale: Sale = {
    reference: REFERENCE,
    transactionId: "TT-1",
    attemptNumber: 1,
    amount: money("TTD", 12050n),
    isAmountSecret: false,
    card: {
      number: "4012000000020006",
      expiryMonth: 2,
      expiryYear: 2031,
      cvv: "321",
      holder,
    },
    isStoredCard: false,
    billing: {},
    email: "anita@example.com",
    wantsAvs: false,
    challengeReturnUrl: "https://pay.example/checkout/abc/challenge",
    ...rest,
  };
  return saleBody(sale, REFERENCE, "direct");
}

const nameOf = (holder: string) => body({ holder }).Source.CardholderName;
const addressOf = (billing: Billing) => body({ billing }).BillingAddress;

describe("the body of a sale", () => {
  test("has amount, currency and card in the gateway's form", () => {
    const { TotalAmount, CurrencyCode, Source, OrderIdentifier, ExternalIdentifier } = body();
    assert.deepEqual([TotalAmount, CurrencyCode], [120.5, "780"]);
    assert.equal(Source.CardExpiration, "3102");
    assert.deepEqual([OrderIdentifier, ExternalIdentifier], ["TT-1", REFERENCE]);
    assert.equal(body({ attemptNumber: 3 }).OrderIdentifier, "TT-1-3");
  });

  test("asks for a challenge unless the amount is secret, and flags a stored card", () => {
    assert.equal(body().ThreeDSecure, true);
    assert.equal(
      body().ExtendedData?.MerchantResponseUrl,
      "https://pay.example/checkout/abc/challenge",
    );
    const secret = body({ isAmountSecret: true });
    assert.deepEqual([secret.ThreeDSecure, secret.ExtendedData], [false, undefined]);
    assert.equal(body({ isStoredCard: true }).CardOnFile, true);
    assert.equal("CardOnFile" in body(), false);
    assert.equal(body({ wantsAvs: true }).AddressVerification, true);
  });

  for (const [typed, sent] of [
    ["José Ñúñez", "Jose Nunez"],
    ["Łukasz Øst", "Lukasz Ost"],
    ["Zoë O’Connor-Weiß", "Zoe O'Connor-Weiss"],
    ["J. R. R. Tolkien", "J. R. R. Tolkien"],
    ["Иван Петров", "Cardholder"],
    ["  A  ", "Cardholder"],
    ["李 明", "Cardholder"],
  ] as const)
    test(`sends the name ${typed} as ${sent}`, () => assert.equal(nameOf(typed), sent));

  test("sends no dot in the parts of a name, and a name of one word twice", () => {
    assert.deepEqual(body({ holder: "J. R. Tolkien" }).BillingAddress, {
      FirstName: "J R",
      LastName: "Tolkien",
      EmailAddress: "anita@example.com",
    });
    const { FirstName, LastName } = body({ holder: "Madonna" }).BillingAddress;
    assert.deepEqual([FirstName, LastName], ["Madonna", "Madonna"]);
  });

  test("sends line, city and country together or not at all", () => {
    const whole = { address: "7, Bay Street", city: "Scarborough", country: "TT" };
    const { FirstName: _, LastName: __, EmailAddress: ___, ...place } = addressOf(whole);
    assert.deepEqual(place, { Line1: "7 Bay Street", City: "Scarborough", CountryCode: "780" });
    for (const missing of ["address", "city", "country"] as const)
      assert.equal("Line1" in addressOf({ ...whole, [missing]: undefined }), false, missing);
    assert.equal("Line1" in addressOf({ ...whole, country: "XX" }), false);
    const more = addressOf({ ...whole, country: "US", state: "US-CA", zipcode: "90210-1234" });
    assert.deepEqual([more.State, more.PostalCode, more.CountryCode], ["CA", "902101234", "840"]);
  });

  test("sends a phone as digits, and an e-mail address that fits", () => {
    assert.equal(addressOf({ phone: "+1 (868) 555-0100" }).PhoneNumber, "18685550100");
    const long = `${"a".repeat(45)}@b.example`;
    for (const email of [undefined, long, "josé@example.com", "no address"])
      assert.equal("EmailAddress" in body({ email }).BillingAddress, false);
  });

  test("sends every amount as it is written", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCIES),
        fc.bigInt({ min: 1n, max: 999_999_999_999n }),
        (currency, minor) => {
          const amount = money(currency, minor);
          assert.equal(majorUnits(amount).toFixed(2), formatMoney(amount).replaceAll(",", ""));
        },
      ),
    );
  });

  test("of whatever was typed is plain and within the limits", () => {
    const typed = fc.string({ unit: "grapheme", maxLength: 80 });
    const billing = fc.record({
      address: typed,
      city: typed,
      country: fc.constantFrom("TT", "US", "GB"),
      zipcode: typed,
      phone: typed,
    });
    fc.assert(
      fc.property(typed, billing, typed, (holder, given, email) => {
        const { Source, BillingAddress } = body({ holder, billing: given, email });
        assert.match(Source.CardholderName, /^[A-Za-z0-9 '.-]{2,45}$/);
        const { FirstName, LastName, Line1, City, PostalCode, PhoneNumber } = BillingAddress;
        for (const name of [FirstName, LastName]) assert.match(name ?? "", /^[\w '-]{0,30}$/);
        assert.match(Line1 ?? "", /^[A-Za-z0-9 '.-]{0,30}$/);
        assert.match(City ?? "", /^[A-Za-z0-9 '.-]{0,25}$/);
        assert.match(PostalCode ?? "", /^[A-Za-z0-9]{0,10}$/);
        assert.match(PhoneNumber ?? "", /^\d{0,25}$/);
        assert.equal(Line1 === undefined, City === undefined);
      }),
    );
  });
});
