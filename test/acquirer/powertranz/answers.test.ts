/**
 * The guarantee: an answer is taken for what its code says, and for nothing when it contradicts
 * itself. Only an approval on which everything agrees is an approval; what leaves the outcome
 * unknown is looked up; wrong settings are an alarm and never a customer's decline.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { FaultKind } from "../../../testkit/powertranz/fault-kinds.ts";
import {
  alarmsOf,
  newSale,
  outcomeOf,
  pay,
  prepare,
  problemCount,
  saleWithCode,
  spoil,
  startLive,
} from "./support.ts";

const live = await startLive();
const { gateway, fake, service } = live;
after(() => live.close());

const DECLINES = (
  "01 02 04 05 07 12 13 14 15 19 30 33 34 36 38 39 40 41 42 43 44 51 52 53 54 55 56 57 58 59 61 " +
  "62 63 65 67 75 78 82 83 86 90 91 92 93 97 98 N0 N3 N4 N7 P2 P5 P6 R0 R1 R3 XA XD 3D3"
).split(" ");
const CONDITIONS = ["08", "10", "11", "16", "32", "85"];
const NOBODY_KNOWS = "06 09 20 21 22 68 76 77 94 95 96 99".split(" ");
const UNHEARD_OF = ["Z9", "1234", "SP4", "3D0", "TK0", ""];

describe("the answer of a completion", () => {
  for (const code of DECLINES)
    test(`${code} is declined, with a sentence for the customer`, async () => {
      const sale = saleWithCode(code);
      const answer = await pay(live, sale);
      assert.deepEqual([answer.outcome, answer.code], ["declined", code]);
      assert.match(answer.message, /^[A-Z].+\.$/);
      assert.doesNotMatch(answer.message, /stolen|lost|fraud/i);
      assert.deepEqual(await gateway.saleOutcome(sale.reference), answer);
    });

  const sentences = [
    ["51", /not have enough funds/],
    ["54", /expired/],
    ["82", /security code/],
    ["N7", /security code/],
    ["61", /limit/],
    ["14", /number is not valid/],
    ["57", /another card/],
    ["91", /try again later/],
  ] as const;
  for (const [code, words] of sentences)
    test(`${code} says ${words.source}`, async () => {
      assert.match((await pay(live, saleWithCode(code))).message, words);
    });

  test("41 and 43 say no more than 05: nobody is accused", async () => {
    const plain = await pay(live, saleWithCode("05"));
    for (const code of ["41", "43", "59", "34", "04", "07"])
      assert.equal((await pay(live, saleWithCode(code))).message, plain.message);
  });

  for (const code of CONDITIONS)
    test(`${code}, approved under a condition, is undone and never a payment`, async () => {
      const sale = saleWithCode(code);
      const before = alarmsOf(live).length;
      await assert.rejects(pay(live, sale));
      assert(alarmsOf(live).length > before);
      assert.equal(await outcomeOf(live, sale), "declined");
      const truth = await fake.control.transaction(sale.reference);
      assert.deepEqual([truth.isApproved, truth.isVoided], [true, true]);
    });

  for (const code of [...NOBODY_KNOWS, ...UNHEARD_OF])
    test(`${code || "no code"} is no outcome`, async () => {
      const sale = saleWithCode(code);
      await assert.rejects(pay(live, sale));
      assert.equal(await outcomeOf(live, sale), "unknown");
      assert.equal((await fake.control.calls("spi/payment")).filter(isOf(sale)).length, 1);
    });

  const isOf =
    ({ reference }: { reference: string }) =>
    ({ transactionIdentifier }: { transactionIdentifier: string | undefined }) =>
      transactionIdentifier === reference;

  for (const code of ["96", "91", "99", "68", "09"] as const)
    for (const effect of ["with", "without"] as const)
      test(`${code} ${effect} the effect is found out by a lookup`, async () => {
        const sale = newSale();
        await spoil(live, sale, "spi/payment", `iso-${code}-${effect}-effect`);
        await assert.rejects(pay(live, sale));
        if (effect === "without") {
          assert.equal(await outcomeOf(live, sale), "unknown");
          await service.clock.advance({ seconds: 121 });
        }
        assert.equal(await outcomeOf(live, sale), effect === "with" ? "approved" : "declined");
      });
});

describe("an approval that does not agree with itself", () => {
  const odd: readonly FaultKind[] = [
    "approved-with-10",
    "approved-other-amount",
    "approved-other-currency",
    "approved-other-identifier",
    "not-approved-with-00",
    "without-approved",
  ];
  for (const kind of odd)
    test(`${kind}: is looked up, and the lookup decides`, async () => {
      const sale = newSale();
      await spoil(live, sale, "spi/payment", kind);
      const before = await problemCount("contradiction");
      await assert.rejects(pay(live, sale));
      assert.equal(await problemCount("contradiction"), before + 1);
      assert.equal(await outcomeOf(live, sale), "approved");
    });

  for (const kind of ["without-risk-management", "json-bom"] as const)
    test(`${kind}: is an approval all the same`, async () => {
      const sale = newSale();
      await spoil(live, sale, "spi/payment", kind);
      assert.equal((await pay(live, sale)).outcome, "approved");
    });

  test("the authentication may be repeated in it", async () => {
    await fake.control.set({ authenticationRepeated: true });
    assert.equal((await pay(live, newSale())).outcome, "approved");
    await fake.control.set({ authenticationRepeated: false });
  });
});

describe("the checks", () => {
  const billing = { country: "TT", address: "7 Bay Street", city: "Scarborough" };
  for (const [zipcode, avs] of [
    ["10001", "M"],
    ["10002", "A"],
    ["10003", "Z"],
    ["10004", "N"],
    ["10005", "G"],
    ["10006", "G"],
  ] as const)
    test(`postal code ${zipcode} is AVS ${avs}, also when the answer is lost`, async () => {
      const asked = { wantsAvs: true, billing: { ...billing, zipcode } };
      const answer = await pay(live, newSale(asked));
      assert.deepEqual([answer.avs, answer.cvv], [avs, "M"]);
      const lost = newSale(asked);
      await spoil(live, lost, "spi/payment", "cut-after");
      await assert.rejects(pay(live, lost));
      assert.deepEqual(await gateway.saleOutcome(lost.reference), answer);
    });

  test("a wrong security code is declined and says so; one that is not checked says nothing", async () => {
    const withCvv = (cvv: string) => ({ ...newSale(), card: { ...newSale().card, cvv } });
    const wrong = await pay(live, withCvv("999"));
    assert.deepEqual([wrong.outcome, wrong.code, wrong.cvv], ["declined", "82", "N"]);
    assert.equal("cvv" in (await pay(live, withCvv("998"))), false);
  });
});

describe("a preparation", () => {
  test("that the gateway calls malformed is declined, with an alarm", async () => {
    const before = await problemCount("our_request");
    const sale = newSale({ challengeReturnUrl: `https://pay.example/${"x".repeat(255)}` });
    const answer = await gateway.sale(sale);
    assert.deepEqual([answer.outcome, "code" in answer && answer.code], ["declined", "97"]);
    assert.equal(await problemCount("our_request"), before + 1);
    assert.deepEqual(await gateway.saleOutcome(sale.reference), answer);
  });

  test("of a brand that is not enabled is declined; of such a currency it is an alarm", async () => {
    await fake.control.set({ brands: ["MasterCard"] });
    const brand = await gateway.sale(newSale());
    assert.deepEqual([brand.outcome, "code" in brand && brand.code], ["declined", "57"]);
    await fake.control.set({ brands: ["Visa", "MasterCard"], currencies: ["840"] });
    const before = await problemCount("settings");
    assert.deepEqual(await gateway.sale(newSale()), {
      outcome: "not taken",
      because: "settings",
    });
    assert.equal(await problemCount("settings"), before + 1);
    await fake.control.set({ currencies: ["780", "840"] });
  });

  test("under an identifier that was used is not taken, and the first sale stays", async () => {
    const sale = newSale();
    // As if the gateway had it from elsewhere: our journal does not know it.
    const { createCaller, saleRequest } = await import("../../../testkit/powertranz/caller.ts");
    await createCaller(fake).post(
      "spi/sale",
      saleRequest({ TransactionIdentifier: sale.reference }),
    );
    assert.deepEqual(await gateway.sale(sale), { outcome: "not taken" });
    await service.clock.advance({ seconds: 26 });
    assert.equal(await outcomeOf(live, sale), "never seen");
    assert.equal((await gateway.sale(sale)).outcome, "challenge");
  });

  test("two sales of one order: the second is not approved", async () => {
    const first = newSale();
    const second = { ...newSale(), transactionId: first.transactionId };
    const both = [await prepare(live, first), await prepare(live, second)] as const;
    const complete = ({ reference }: { reference: string }, at: 0 | 1) =>
      gateway.completeChallenge(reference, both[at].token, both[at].posted);
    assert.equal((await complete(first, 0)).outcome, "approved");
    await assert.rejects(complete(second, 1));
    assert.equal(await outcomeOf(live, second), "declined");
    const next = { ...newSale(), transactionId: first.transactionId, attemptNumber: 2 };
    assert.equal((await gateway.sale(next)).outcome, "challenge");
  });
});
