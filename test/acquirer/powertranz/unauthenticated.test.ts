/**
 * The guarantee: a card whose bank takes no part in 3-D Secure, or could not authenticate the
 * customer, is charged only where the settings say that we bear the risk; a failed authentication
 * is never charged. What the gateway's answer says of it counts before what the browser posts: a
 * sale of a customer who was not authenticated is undone at once, and where the settings demand it,
 * also one of which the answer says nothing (Decision 0140).
 */

import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Sale } from "../../../src/modules/gateway/port.ts";
import { until } from "../../../testkit/until.ts";
import {
  alarmsOf,
  type Live,
  newSale,
  outcomeOf,
  pay,
  prepare,
  spoil,
  startLive,
  VISA,
} from "./support.ts";

const NOT_ENROLLED = "4333333333332222";
const COULD_NOT = "5555666666662222";
const FAILED = "4012000000020121";

const refusing = await startLive();
const demanding = await startLive({ settings: { POWERTRANZ_UNAUTHENTICATED: "demand" } });
const taking = await startLive({ settings: { POWERTRANZ_UNAUTHENTICATED: "take" } });
after(async () => {
  for (const live of [refusing, demanding, taking]) await live.close();
});

const SAYING = { authenticationRepeated: true, authenticationLookedUp: true };
const SILENT = { authenticationRepeated: false, authenticationLookedUp: false };

async function payWith(live: Live, number: string) {
  await live.fake.control.send({ forgetCalls: true });
  const answer = await pay(live, newSale({ number }));
  const calls = await live.fake.control.calls("spi/payment");
  return [answer.outcome, answer.code, calls.length] as const;
}

test("it is refused without a call unless we take the risk", async () => {
  assert.deepEqual(await payWith(refusing, NOT_ENROLLED), ["declined", "3D", 0]);
  assert.deepEqual(await payWith(refusing, COULD_NOT), ["declined", "3D", 0]);
  const { message } = await pay(refusing, newSale({ number: NOT_ENROLLED }));
  assert.match(message, /does not support 3-D Secure\. Please use another card\./);
});

test("it is charged where we take the risk, and its bank decides", async () => {
  assert.deepEqual(await payWith(taking, NOT_ENROLLED), ["approved", "00", 1]);
  assert.deepEqual(await payWith(taking, COULD_NOT), ["declined", "05", 1]);
});

test("a failed authentication is refused either way", async () => {
  for (const live of [refusing, demanding, taking])
    assert.deepEqual(await payWith(live, FAILED), ["declined", "3D", 0]);
});

/** The browser says that the bank authenticated its customer. */
async function payForged(live: Live, sale: Sale) {
  const { token, posted } = await prepare(live, sale);
  const said = JSON.parse(posted.Response);
  const RiskManagement = { ThreeDSecure: { AuthenticationStatus: "Y" } };
  const Response = JSON.stringify({ ...said, RiskManagement });
  return live.gateway.completeChallenge(sale.reference, token, { ...posted, Response });
}

async function expectUndone({ fake, gateway }: Live, { reference }: Sale, how: "void" | "refund") {
  const truth = await fake.control.transaction(reference);
  assert.deepEqual(
    [truth.chargeCount, truth.isVoided, truth.refunds.map(({ amountMinor }) => amountMinor)],
    [1, how === "void", how === "void" ? [] : [10520]],
  );
  const rejected = await gateway.voidSale(reference);
  assert.equal(rejected.outcome, "rejected");
}

const CARDS = [
  ["a card whose bank takes no part", { number: NOT_ENROLLED }],
  ["one whose bank could not", { number: COULD_NOT, holder: "Code 00" }],
] as const;

async function expectForgedUndone(live: Live, card: Parameters<typeof newSale>[0]) {
  const sale = newSale(card);
  const before = alarmsOf(live).length;
  const answer = await payForged(live, sale);
  assert.deepEqual([answer.outcome, answer.code], ["declined", "3D"]);
  assert(alarmsOf(live).length > before);
  await expectUndone(live, sale, "void");
  assert.deepEqual(await live.gateway.saleOutcome(sale.reference), answer);
}

async function hasCompleted({ reference }: Sale): Promise<boolean> {
  const row = await refusing.service.ctx.db.maybeOne(sql`
    select from powertranz_sales where reference = ${reference} and state = 'completing'`);
  return row !== undefined;
}

describe("a forged post, to a gateway that says who was authenticated", () => {
  const { fake } = refusing;
  beforeEach(async () => {
    await fake.control.set({ ...SAYING, voidNever: false, lookupDelaySeconds: 0 });
    await demanding.fake.control.set(SAYING);
    await taking.fake.control.set(SAYING);
  });

  for (const [what, card] of CARDS)
    test(`pays nothing with ${what}`, async () => {
      await expectForgedUndone(refusing, card);
      await expectForgedUndone(demanding, card);
    });

  test("is undone by a refund where the gateway voids no sales", async () => {
    await fake.control.set({ voidNever: true });
    const sale = newSale({ number: NOT_ENROLLED });
    assert.equal((await payForged(refusing, sale)).outcome, "declined");
    await expectUndone(refusing, sale, "refund");
  });

  test("is undone also when the answer, or that of the void, is lost", async () => {
    for (const endpoint of ["spi/payment", "void"] as const) {
      const sale = newSale({ number: NOT_ENROLLED });
      await spoil(refusing, sale, endpoint, "cut-after");
      await assert.rejects(payForged(refusing, sale));
      assert.equal(await outcomeOf(refusing, sale), "declined");
      await expectUndone(refusing, sale, "void");
    }
  });

  test("is no payment while its void was not taken, and is undone later", async () => {
    const sale = newSale({ number: NOT_ENROLLED });
    await spoil(refusing, sale, "void", "cut-before");
    await assert.rejects(payForged(refusing, sale));
    assert.equal(await outcomeOf(refusing, sale), "unknown");
    await refusing.service.clock.advance({ seconds: 121 });
    assert.equal(await outcomeOf(refusing, sale), "declined");
    await expectUndone(refusing, sale, "void");
  });

  test("stays to be undone though a lookup says nothing of it", async () => {
    await fake.control.set({ authenticationLookedUp: false });
    const sale = newSale({ number: NOT_ENROLLED });
    await spoil(refusing, sale, "void", "cut-before");
    await assert.rejects(payForged(refusing, sale));
    assert.equal(await outcomeOf(refusing, sale), "unknown");
    await refusing.service.clock.advance({ seconds: 121 });
    assert.equal(await outcomeOf(refusing, sale), "declined");
    await expectUndone(refusing, sale, "void");
  });

  test("is refunded once, and never paid, though the refund's answer was lost", async () => {
    await fake.control.set({ authenticationLookedUp: false, voidNever: true });
    const sale = newSale({ number: NOT_ENROLLED });
    await spoil(refusing, sale, "refund", "cut-after");
    await assert.rejects(payForged(refusing, sale));
    assert.notEqual(await outcomeOf(refusing, sale), "approved");
    await refusing.service.clock.advance({ seconds: 121 });
    assert.equal(await outcomeOf(refusing, sale), "declined");
    await expectUndone(refusing, sale, "refund");
  });

  test("is given back also where the sale was given up before the answer came", async () => {
    const sale = newSale({ number: NOT_ENROLLED });
    await spoil(refusing, sale, "spi/payment", "slow-before", { seconds: 8 });
    const late = payForged(refusing, sale);
    await until(() => hasCompleted(sale), "the completion was sent");
    await refusing.service.clock.advance({ seconds: 121 });
    assert.equal(await outcomeOf(refusing, sale), "declined");
    // The checkout has it as declined, and voids what is approved after that.
    assert.equal((await late).outcome, "approved");
    assert.deepEqual(await refusing.gateway.voidSale(sale.reference), { outcome: "voided" });
    const truth = await fake.control.transaction(sale.reference);
    assert.deepEqual([truth.chargeCount, truth.isVoided, truth.refunds], [1, true, []]);
  });

  test("is charged where we take the risk", async () => {
    assert.equal((await payForged(taking, newSale({ number: NOT_ENROLLED }))).outcome, "approved");
  });
});

describe("a gateway that does not say who was authenticated", () => {
  beforeEach(async () => {
    for (const live of [refusing, demanding, taking]) await live.fake.control.set(SILENT);
  });

  test("charges honest customers", async () => {
    for (const live of [refusing, taking]) {
      const sale = newSale({ number: VISA });
      assert.equal((await pay(live, sale)).outcome, "approved");
      const lost = newSale({ number: VISA });
      await spoil(live, lost, "spi/payment", "cut-after");
      await assert.rejects(pay(live, lost));
      assert.equal(await outcomeOf(live, lost), "approved");
    }
  });

  for (const [what, card] of CARDS)
    test(`is demanded to: a forged post pays nothing with ${what}`, () =>
      expectForgedUndone(demanding, card));

  test("is demanded to: nobody is charged, by its answer or by a lookup after a lost one", async () => {
    const sale = newSale({ number: VISA });
    assert.equal((await pay(demanding, sale)).outcome, "declined");
    await expectUndone(demanding, sale, "void");
    const lost = newSale({ number: VISA });
    await spoil(demanding, lost, "spi/payment", "cut-after");
    await assert.rejects(pay(demanding, lost));
    assert.equal(await outcomeOf(demanding, lost), "declined");
    await expectUndone(demanding, lost, "void");
  });

  test("leaves the forged post believed where nothing more is demanded", async () => {
    const forged = await payForged(refusing, newSale({ number: NOT_ENROLLED }));
    assert.equal(forged.outcome, "approved");
  });
});
