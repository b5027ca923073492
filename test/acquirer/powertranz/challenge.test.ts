/**
 * The guarantee: what a browser posts back from the bank can stop a payment and never make one.
 * Forged, repeated, early, late, broken and oversized posts leave a payment with the one outcome
 * that the gateway's own record gives it.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { forgetChallenges } from "../../../src/modules/gateway/powertranz/forget-challenges.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { auditOf, type Order, states, sweep } from "../../../testkit/checkout-sessions.ts";
import { openConductor, playBrowser } from "../../../testkit/powertranz/play-browser.ts";
import { fabricate, forge, postBack } from "../../../testkit/powertranz/post-back.ts";
import { openLive, recordOf, submitOver, visitBank } from "./http-support.ts";
import { startLive } from "./support.ts";

const live = await startLive();
const { service, fake } = live;
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await live.close();
});

async function asked(typed: Record<string, string> = {}): Promise<Order> {
  const order = await openLive(live);
  const { status } = await submitOver(service, order, typed);
  assert.equal(status, 303);
  return order;
}

const statusOf = async (order: Order): Promise<string> => (await recordOf(service, order)).status;

async function chargesOf({ id }: Order): Promise<number> {
  const all = await fake.control.transactions();
  return all
    .filter(({ orderIdentifier }) => orderIdentifier.startsWith(id))
    .reduce((sum, { chargeCount }) => sum + chargeCount, 0);
}

async function referenceOf({ id }: Order): Promise<string> {
  const row = await service.ctx.db.one<{ attempt_id: string }>(sql`
    select attempt_id from checkout_attempts where transaction_id = ${id}`);
  return row.attempt_id;
}

test("a token that nobody used is deleted with the bank's document, also where nothing is sold", async () => {
  const order = await asked();
  const reference = await referenceOf(order);
  const { db } = service.ctx;
  const kept = async () => {
    await forgetChallenges.run(service.ctx, {});
    const { state, challenge_box } = await db.one<{ state: string; challenge_box: Buffer | null }>(
      sql`select state, challenge_box from powertranz_sales where reference = ${reference}`,
    );
    return [state, challenge_box !== null];
  };
  assert.deepEqual(await kept(), ["prepared", true]);
  await service.clock.advance({ minutes: 11 });
  assert.deepEqual(await kept(), ["declined", false]);
  await sweep(service);
  assert.equal(await statusOf(order), "failed");
  assert.equal(await chargesOf(order), 0);
});

describe("the ways a bank asks", () => {
  const cards = [
    ["4012000000020071", "success", "without a challenge"],
    ["4012000000020089", "success", "attempted"],
    ["4012000000020006", "success", "with a challenge"],
    ["4012010000020070", "success", "with a fingerprint"],
    ["4012010000020088", "success", "with a fingerprint, attempted"],
    ["4012010000020005", "success", "with a fingerprint and a challenge"],
    ["4012000000020121", "incomplete", "failed without a challenge"],
    ["5100270000000098", "incomplete", "failed without a challenge"],
    ["5100270000000056", "incomplete", "failed in a challenge"],
    ["5100270000000072", "incomplete", "rejected"],
    ["5555666666662222", "incomplete", "could not be authenticated"],
  ] as const;
  for (const [number, status, how] of cards)
    test(`${number}, ${how}: ${status === "success" ? "paid" : "declined"}`, async () => {
      const order = await asked({ number });
      await postBack(await visitBank(service, order));
      assert.equal(await statusOf(order), status);
      assert.deepEqual(await states(service, order), [
        status === "success" ? "approved" : "declined",
      ]);
      assert.equal(await chargesOf(order), status === "success" ? 1 : 0);
    });

  test("three wrong passwords, or Cancel: declined, and another card may be tried", async () => {
    for (const options of [{ passwords: ["1", "2", "3"] }, { cancel: true } as const]) {
      const order = await asked();
      await postBack(await visitBank(service, order, options));
      assert.deepEqual(await states(service, order), ["declined"]);
      const page = await service.request(`/checkout/${order.token}`);
      assert.match(page.text, /did not confirm the payment/);
      assert.equal(await chargesOf(order), 0);
    }
  });
});

describe("a post of the browser", () => {
  test("that comes eight times at once, and again later, is one payment", async () => {
    const order = await asked();
    const played = await visitBank(service, order);
    await postBack(played, { times: 8 });
    await postBack(played);
    assert.equal(await statusOf(order), "success");
    assert.equal(await chargesOf(order), 1);
    assert.deepEqual(await auditOf(service, order), []);
  });

  test("that says Y where the bank said N is refused by the gateway", async () => {
    const order = await asked({ number: "4012000000020121" });
    await postBack(forge(await visitBank(service, order), { status: "Y" }));
    assert.deepEqual(await states(service, order), ["declined"]);
    assert.equal(await chargesOf(order), 0);
  });

  test("that says N where the bank said Y stops the payment, and nothing is charged", async () => {
    const order = await asked();
    await postBack(forge(await visitBank(service, order), { status: "N" }));
    assert.deepEqual(await states(service, order), ["declined"]);
    assert.equal(await chargesOf(order), 0);
  });

  test("before the bank has asked is refused by the gateway", async () => {
    const order = await asked();
    const frame = await service.request(`/checkout/${order.token}/challenge/document`);
    const [, spiToken = ""] = /name="SpiToken" value="([^"]+)"/.exec(frame.text) ?? [];
    await openConductor(frame.text);
    const returnUrl = `${service.url}/checkout/${order.token}/challenge`;
    const transactionIdentifier = await referenceOf(order);
    await postBack(fabricate({ returnUrl, transactionIdentifier, spiToken, status: "Y" }));
    assert.equal(await chargesOf(order), 0);
    assert.deepEqual(await states(service, order), ["declined"]);
  });

  test("with the token of another payment, or an invented one, changes nothing and is audited", async () => {
    const [order, other] = [await asked(), await asked()];
    const played = await visitBank(service, order);
    const foreign = await visitBank(service, other);
    for (const spiToken of [foreign.fields.SpiToken, "invented", ""])
      await postBack(forge(played, { spiToken }));
    assert.deepEqual(await states(service, order), ["challenged"]);
    assert.deepEqual(await auditOf(service, order), ["challenge_result_refused"]);
    await postBack(played);
    assert.equal(await statusOf(order), "success");
    assert.equal(await chargesOf(other), 0);
  });

  test("with another identifier in it goes by the token alone", async () => {
    const order = await asked();
    const forgery = { transactionIdentifier: "00000000-0000-4000-8000-000000000000" };
    await postBack(forge(await visitBank(service, order), forgery));
    assert.equal(await statusOf(order), "success");
    assert.equal(await chargesOf(order), 1);
  });

  for (const [what, response] of [
    ["is no JSON", "{broken"],
    ["is empty", ""],
    ["says nothing of the authentication", '{"IsoResponseCode":"3D0"}'],
    ["is an array", "[]"],
  ] as const)
    test(`whose Response ${what} is no authentication: declined, nothing is charged`, async () => {
      const order = await asked();
      await postBack(forge(await visitBank(service, order), { response }));
      assert.deepEqual(await states(service, order), ["declined"]);
      assert.equal(await chargesOf(order), 0);
    });

  test("of 60 KB is taken or refused, and the payment has one outcome", async () => {
    const order = await asked();
    const played = await visitBank(service, order);
    const [big] = await postBack(forge(played, { responseBytes: 60_000 }));
    assert((big?.status ?? 500) < 500);
    await postBack(played);
    assert.equal(await statusOf(order), "success");
    assert.equal(await chargesOf(order), 1);
  });

  test("in which a field is repeated with another value does not complete", async () => {
    const order = await asked();
    const played = await visitBank(service, order);
    await postBack(played, { more: [["SpiToken", "another"]] });
    assert.equal(await statusOf(order), "incomplete");
    assert.equal(await chargesOf(order), 0);
    await postBack(played);
    assert.equal(await chargesOf(order), 1);
  });

  test("by GET completes nothing", async () => {
    const order = await asked();
    const played = await visitBank(service, order);
    await postBack(played, { method: "GET" });
    assert.deepEqual(await states(service, order), ["challenged"]);
    await postBack(played);
    assert.equal(await statusOf(order), "success");
  });

  test("from any origin is taken: only its token counts", async () => {
    for (const origin of ["null", "https://acs.bank.example", service.url]) {
      const order = await asked();
      await postBack(await visitBank(service, order), { origin });
      assert.equal(await statusOf(order), "success", origin);
    }
  });

  test("after the completion changes nothing, whatever it says", async () => {
    const order = await asked();
    const played = await visitBank(service, order);
    await postBack(played);
    await postBack(forge(played, { status: "N" }));
    assert.equal(await statusOf(order), "success");
    assert.equal(await chargesOf(order), 1);
  });
});

describe("time", () => {
  test("the browser never comes back: the payment times out, nothing is charged", async () => {
    const order = await asked();
    await service.clock.advance({ seconds: 181 });
    await sweep(service);
    assert.equal(await statusOf(order), "failed");
    assert.equal(await chargesOf(order), 0);
  });

  test("it comes back when the session is over: nothing is charged", async () => {
    const order = await asked();
    const played = await visitBank(service, order);
    await service.clock.advance({ seconds: 181 });
    await sweep(service);
    await postBack(played);
    assert.equal(await statusOf(order), "failed");
    assert.equal(await chargesOf(order), 0);
  });

  test("the token dies by the gateway's clock: its page stands still, and a post is refused", async () => {
    const order = await asked();
    const played = await visitBank(service, order);
    const late = await asked();
    const frame = await service.request(`/checkout/${late.token}/challenge/document`);
    await fake.control.advance(301);
    await assert.rejects(playBrowser(frame.text), /stands still/);
    await postBack(played);
    assert.deepEqual(await states(service, order), ["declined"]);
    assert.equal(await chargesOf(order), 0);
  });

  test("a process that dies after the post leaves the completion to another", async () => {
    const order = await asked();
    await visitBank(service, order);
    await service.ctx.db.run(sql`
      update checkout_attempts set state = 'unknown', next_ask_at = app_now()
      where transaction_id = ${order.id}`);
    await sweep(service);
    assert.equal(await statusOf(order), "success");
    assert.equal(await chargesOf(order), 1);
  });
});
