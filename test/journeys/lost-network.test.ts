/**
 * The network fails at every point of the background submit (Decision 0096): before the form, in
 * the middle of it, after the service took it, in its answer, slowly, for good. Never are there two
 * charges, never is a result lost, and the page says what is true and keeps what was typed.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { axeViolations, DESKTOP, PHONE } from "../../testkit/browser.ts";
import type { Failure } from "../../testkit/failing-network.ts";
import { CARD, fillCard, pay, payButton } from "../../testkit/shop.ts";
import {
  expectLost,
  expectTyped,
  noticeOf,
  openUnreliableShop,
  tryAgain,
} from "../../testkit/unreliable-shop.ts";
import { until } from "../../testkit/until.ts";

const shop = await openUnreliableShop();
const { network } = shop;
after(() => shop.close());

const UNPAID = { outcomes: [], status: "incomplete" };

/** A form that was taken may have been found out about before the button is pressed. */
async function pressAgain(page: Page, mayBeGone: boolean): Promise<void> {
  const pressed = tryAgain(page).click();
  await (mayBeGone ? pressed.catch(() => "it went on by itself") : pressed);
}

const FAILURES: readonly [Failure, BrowserContextOptions][] = [
  ["before", PHONE],
  ["during", DESKTOP],
  ["after", PHONE],
  ["in the answer", DESKTOP],
];

for (const [failure, options] of FAILURES) {
  const wasTaken = failure === "after" || failure === "in the answer";

  describe(`the network fails ${failure === "before" ? "before the form" : failure}`, () => {
    test("and Try again pays once, with everything still typed", async () => {
      const payment = await shop.open(options);
      const { page, transactionId } = payment;
      network.fail(failure);
      await pay(page, { number: CARD.approved });
      await expectLost(page);
      await expectTyped(page, "4111 1111 1111 1111");
      if (!wasTaken) {
        assert.deepEqual(await axeViolations(page), []);
        await shop.expectEnd(transactionId, UNPAID);
      }
      network.fail(undefined);
      await pressAgain(page, wasTaken);
      await shop.expectPaidOnce(payment);
      await page.context().close();
    });

    test("and Try again learns of a decline, which is one try", async () => {
      const { page, transactionId } = await shop.open(options);
      network.fail(failure);
      await pay(page, { number: CARD.declined });
      await expectLost(page);
      network.fail(undefined);
      await pressAgain(page, wasTaken);
      await noticeOf(page).getByText("Your card was declined").waitFor();
      assert.match(await noticeOf(page).innerText(), /No money was taken.* You have 4 tries left/);
      assert.equal(await page.locator("#number").inputValue(), "4111 1111 1111 3333");
      assert.equal(await page.locator("#cvv").inputValue(), "");
      await shop.expectEnd(transactionId, { outcomes: ["declined"], status: "incomplete" });
      await page.context().close();
    });

    test("and the tab is closed: its page tells what is true, and pays once", async () => {
      const { page, url, transactionId } = await shop.open(options);
      const before = { forms: network.forms(), answered: network.answered() };
      network.fail(failure);
      await pay(page, { number: CARD.approved });
      await until(() => network.forms() > before.forms, "the form is under way");
      if (wasTaken) await until(() => network.answered() > before.answered, "it is answered");
      await page.close();
      network.fail(undefined);
      const later = await page.context().newPage();
      await later.goto(url);
      if (wasTaken) {
        await later.getByRole("heading", { name: "Paid" }).waitFor();
        await shop.expectEnd(transactionId, { outcomes: ["approved"], status: "success" });
      } else {
        await shop.expectEnd(transactionId, UNPAID);
        await pay(later, { number: CARD.approved });
        await shop.expectPaidOnce({ page: later, url, transactionId });
      }
      await later.context().close();
    });
  });
}

test("a result whose answer was lost is found without asking for it", async () => {
  const payment = await shop.open();
  network.fail("after");
  await pay(payment.page, { number: CARD.approved });
  await expectLost(payment.page);
  await shop.expectPaidOnce(payment);
  network.fail(undefined);
  await payment.page.context().close();
});

test("an answer that never ends is not waited for once the result is known", async () => {
  const payment = await shop.open();
  network.fail("hanging");
  await pay(payment.page, { number: CARD.approved });
  await shop.expectPaidOnce(payment);
  network.fail(undefined);
  await payment.page.context().close();
});

test("another card in place of one that was lost and taken is not charged, too", async () => {
  const payment = await shop.open();
  const { page } = payment;
  // Else the page might find out what became of the first card before the second is typed.
  const status = /\/checkout\/[^/]+\/status/;
  await page.route(status, (route) => route.abort());
  network.fail("after");
  await pay(page, { number: CARD.approved });
  await expectLost(page);
  network.fail(undefined);
  await page.locator("#number").fill(CARD.mastercard);
  const isSent = page.waitForRequest((request) => request.method() === "POST");
  await tryAgain(page).click();
  const sent = new URLSearchParams((await isSent).postData() ?? "");
  assert.equal(sent.get("number")?.replaceAll(" ", ""), CARD.mastercard);
  await page.unroute(status);
  await shop.expectPaidOnce(payment);
  await page.context().close();
});

test("a form that gets stuck is told of after 10 seconds, and can be sent again after 30", async () => {
  const payment = await shop.open();
  const { page, transactionId } = payment;
  await page.clock.install();
  await fillCard(page, { number: CARD.approved });
  network.fail("stuck");
  await payButton(page).click();
  const text = page.locator("#waiting-text");
  const runUntil = async (isThere: () => Promise<boolean>) => {
    let seconds = 0;
    for (; !(await isThere()); seconds += 1) {
      assert(seconds < 60, await page.locator("main").innerText());
      await page.clock.runFor(1000);
    }
    return seconds;
  };
  const slow = "Your connection is slow. We are still sending your details.";
  const slowAt = await runUntil(async () => (await text.textContent()) === slow);
  assert(slowAt >= 10 && slowAt < 20, `it was said after ${slowAt} seconds`);
  assert(await page.locator("#time").isVisible(), "the time left stays in sight");
  const lostAt = slowAt + (await runUntil(() => tryAgain(page).isVisible()));
  assert(lostAt >= 30 && lostAt < 40, `it was offered after ${lostAt} seconds`);
  await expectLost(page);
  await expectTyped(page, "4111 1111 1111 1111");
  await shop.expectEnd(transactionId, UNPAID);
  network.fail(undefined);
  await tryAgain(page).click();
  await page.clock.resume();
  await shop.expectPaidOnce(payment);
  await page.context().close();
});

test("a bank that takes its time is told of truly, after 10 and after 30 seconds", async () => {
  const payment = await shop.open();
  const { page, transactionId } = payment;
  const { sandbox } = shop.service.ctx.gateways;
  assert(sandbox !== undefined);
  const { sale } = sandbox;
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>();
  let isAsked = false;
  sandbox.sale = async (wanted) => {
    isAsked = true;
    await answers;
    return sale.call(sandbox, wanted);
  };
  await pay(page, { number: CARD.approved });
  const text = page.locator("#waiting-text");
  const stay = page.getByText("Please do not close this page or pay again.");
  await text.getByText("We are checking with your bank. This takes a few seconds.").waitFor();
  await until(() => isAsked, "the bank is asked");
  await shop.service.clock.advance({ seconds: 11 });
  await text.getByText("This is taking longer than usual. You do not need to do").waitFor();
  assert(await stay.isVisible());
  assert(await page.locator("#time").isVisible());
  await shop.service.clock.advance({ seconds: 20 });
  await text.getByText("Your bank still has not answered. We keep asking until it").waitFor();
  assert(await stay.isVisible());
  await shop.expectEnd(transactionId, UNPAID);
  sandbox.sale = sale;
  answer();
  await shop.expectPaidOnce(payment);
  await page.context().close();
});
