/**
 * The operator's console in a browser, on a phone and a desktop, with and without scripts: somebody
 * verifies an account, two people let a held withdrawal go, a dispute goes from notice to end, a
 * webhook is revived, and a payment is found by the last four of its card.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { CARDS, openOrder, submit } from "../../testkit/checkout-sessions.ts";
import {
  JOURNEY_WAYS,
  type Journey,
  type Journeys,
  startJourneys,
} from "../../testkit/journey-ways.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { makeOperator, type TestOperator } from "../../testkit/operator-console.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";
import { makeEndpoint, openShop as openWebhookShop } from "../../testkit/webhook-endpoints.ts";
import { expectAllToAddUp, statusOf, withdraw } from "../../testkit/withdrawals.ts";
import {
  endToEndIdOf,
  liveOwner,
  statusFile,
  waitingOnes,
} from "../api/withdrawals/bank-files-support.ts";
import { signInAsOperator } from "./operator-sign-in.ts";

let journeys: Journeys;
before(async () => {
  journeys = await startJourneys();
});
after(async () => {
  await expectAllToAddUp(journeys.service);
  await journeys.close();
});

const REASON = "ticket 4711";

const signIn = (journey: Journey, who: TestOperator, goingTo?: string) =>
  signInAsOperator(journeys.service, journey, who, goingTo);

/** On the page of an action: the reason, then its button. */
async function because(journey: Journey, button: string, reason = REASON): Promise<void> {
  await journey.page.getByLabel("Reason").fill(reason);
  await journey.press(button);
}

async function search(journey: Journey, text: string): Promise<void> {
  await journey.open("/operator");
  await journey.page.getByLabel("Find").fill(text);
  await journey.press("Search");
}

for (const way of JOURNEY_WAYS)
  describe(way.name, () => {
    test("an account is found by its e-mail and verified", async () => {
      const { service } = journeys;
      const who = await makeOperator(service, "risk");
      const { email, accountNumber } = await service.world.merchant();
      await service.ctx.db.run(sql`
        update accounts set verified_at = null where account_number = ${accountNumber}`);
      const journey = await journeys.begin(way);
      await signIn(journey, who);
      await journey.expectFine("operator-search");
      await search(journey, email);
      await journey.expectFine("operator-found");
      await journey.follow(accountNumber);
      await journey.expectHeading(`Account ${accountNumber}`);
      await journey.expectFine("operator-account");
      await journey.follow("Verify");
      await journey.expectFine("operator-action");
      await because(journey, "Verify");
      await journey.expectText(`Account ${accountNumber} is verified.`);
      await journey.end();
    });

    test("an account gets limits of its own, and fees from a later day on", async () => {
      const { service } = journeys;
      const who = await makeOperator(service);
      const { accountNumber } = await service.world.merchant();
      const journey = await journeys.begin(way);
      await signIn(journey, who, `/operator/accounts/${accountNumber}`);
      await journey.follow("Set limits");
      await journey.expectFine("operator-set-limits");
      await journey.page.getByLabel("Currency").selectOption("TTD");
      await journey.page.getByLabel("Maximum").fill("50000");
      await because(journey, "Set limits");
      await journey.expectText("a payment may be from TTD 5.00 to TTD 50,000.00");
      await journey.follow("Set fees");
      await journey.expectFine("operator-set-fees");
      await journey.page.getByLabel("Percentage").fill("2.75");
      await journey.page.getByLabel("Fixed part").fill("0.20");
      const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
      await journey.page.getByLabel("From").fill(inTwoDays);
      await because(journey, "Set fees");
      await journey.expectText("the fee of a payment is 2.75 % and USD 0.20");
      await journey.expectFine("operator-account-terms");
      await journey.end();
    });

    test("a withdrawal is held, and two people let it go", async () => {
      const { service } = journeys;
      const [one, two] = [await makeOperator(service), await makeOperator(service, "finance")];
      const owner = await liveOwner(service, { live: "20000.00 TTD" });
      const id = await withdraw(service, owner, { environment: "live", amount: "6000.00" });
      const journey = await journeys.begin(way);
      await signIn(journey, one, "/operator/withdrawals");
      await journey.expectHeading("Withdrawals");
      await journey.expectFine("operator-withdrawals");
      await journey.open(`/operator/withdrawals/${id}`);
      await journey.follow("Hold");
      await journey.page.getByLabel("What its owner reads").fill("We look at it");
      await because(journey, "Hold");
      await journey.expectText(`Withdrawal ${id} is held.`);
      await journey.expectFine("operator-withdrawal");
      await journey.follow("Release");
      await because(journey, "Release");
      await journey.expectText("Waiting for approval: TTD 6,000.00 needs a second person.");
      assert.equal(await statusOf(service, id), "held");
      const other = await journeys.begin(way);
      await signIn(other, two, "/operator/approvals");
      await other.expectFine("operator-approvals");
      await other.follow("Release");
      await other.expectHeading("Release: TTD 6,000.00");
      await other.expectFine("operator-approval");
      await other.follow("Approve");
      await because(other, "Approve", "the owner rang");
      await other.expectText("is released, and waits to be paid out.");
      assert.equal(await statusOf(service, id), "pending");
      await journey.end();
      await other.end();
    });

    test("a bank file goes down, the bank's answer up, and what differs is shown", async () => {
      const { service } = journeys;
      const who = await makeOperator(service, "finance");
      const owner = await liveOwner(service, { live: "20000.00 TTD" });
      const [paid = "", other = ""] = await waitingOnes(service, owner, [
        { amount: "1500.00" },
        { amount: "40.00" },
      ]);
      const ends = [await endToEndIdOf(service, paid), await endToEndIdOf(service, other)] as const;
      const journey = await journeys.begin(way);
      const { page } = journey;
      await signIn(journey, who, "/operator/bank-files");
      await journey.follow("Make bank file");
      await page.getByLabel("Currency").selectOption("TTD");
      await because(journey, "Make bank file");
      await journey.expectText(/^Bank file TT-TTD-/);
      await journey.expectFine("operator-bank-files-made");
      const { batch } = await service.ctx.db.one<{ batch: string }>(sql`
        select message_id as batch from payouts join payout_batches using (batch_id)
        where transaction_id = ${paid}`);
      await journey.follow(batch);
      await journey.expectFine("operator-bank-file");
      const coming = page.waitForEvent("download");
      await because(journey, "Download");
      const sent = await readFile(await (await coming).path(), "utf8");
      for (const id of [batch, ...ends]) assert.ok(sent.includes(id), id);
      await journey.open("/operator/bank-files");
      await journey.follow("Read the bank's answer");
      const [right, wrong] = ends.map((id) => ({ id, status: "ACSC" }));
      const answer = statusFile({
        to: batch,
        payments: [
          { ...right, amount: "1500.00" },
          { ...wrong, amount: "1041.00" },
        ],
      });
      await page.getByLabel("File").setInputFiles({
        name: "status.xml",
        mimeType: "application/xml",
        buffer: Buffer.from(answer),
      });
      await because(journey, "Read the bank's answer");
      await journey.expectHeading("Somebody has to look at this");
      await journey.expectText("The bank says TTD 1,041.00, we sent TTD 40.00. Ask the bank.");
      await journey.expectText(/^1 completed, 0 failed, \d+ still wait for the bank, 1 lines need/);
      await journey.expectFine("operator-bank-answer");
      assert.deepEqual(
        [await statusOf(service, paid), await statusOf(service, other)],
        ["completed", "processing"],
      );
      await journey.follow("Go on");
      await journey.expectHeading("Bank files");
      await journey.end();
    });

    test("the audit log is filtered, and a reload keeps it", async () => {
      const { service } = journeys;
      const who = await makeOperator(service, "risk");
      const { accountNumber } = await service.world.merchant();
      await operatorJson(service, ["freeze-account", accountNumber, ...SIGNED]);
      await operatorJson(service, ["unfreeze-account", accountNumber, ...SIGNED]);
      const journey = await journeys.begin(way);
      const { page } = journey;
      await signIn(journey, who, "/operator/audit");
      await page.getByText("Filters").click();
      await page.getByLabel("Actor").fill("D. Joseph");
      await page.getByLabel("Action").fill("account_frozen");
      await page.getByLabel("Subject").fill(accountNumber);
      await journey.press("Show");
      const rows = page.getByRole("table").getByText("account_frozen");
      await rows.first().waitFor();
      await journey.expectFine("operator-audit-filtered");
      await page.reload();
      assert.deepEqual(
        [await rows.count(), await page.getByText("account_unfrozen").count()],
        [1, 0],
      );
      assert.equal(await page.getByLabel("Subject").inputValue(), accountNumber);
      await journey.end();
    });

    test("a dispute goes from the bank's notice to its end", async () => {
      const { service } = journeys;
      const who = await makeOperator(service, "finance");
      const shop = await openShop(service);
      const { transaction_id: id } = await pay(service, newPayment(shop), APPROVED);
      const journey = await journeys.begin(way);
      await signIn(journey, who, `/operator/payments/${id}`);
      await journey.expectFine("operator-payment");
      await journey.follow("Open chargeback");
      await journey.page.getByLabel("Amount").fill("40.00");
      await because(journey, `Open chargeback${way.hasScripts ? " TTD 40.00" : ""}`);
      await journey.expectText(`A chargeback of TTD 40.00 is open on ${id}.`);
      await journey.open("/operator/disputes");
      await journey.expectFine("operator-disputes");
      await journey.follow(id);
      await journey.follow("Settle chargeback");
      await journey.page.getByLabel("Released").check();
      await because(journey, "Settle chargeback");
      await journey.expectText("The chargeback of TTD 40.00 is released.");
      await journey.end();
    });

    test("a webhook that fails is revived", async () => {
      const { service } = journeys;
      const who = await makeOperator(service, "support");
      const shop = await openWebhookShop(service);
      const { id } = await makeEndpoint(service, shop);
      await service.ctx.db.run(sql`
        update webhook_endpoints set failing_since = app_now() - interval '1 hour'
        where endpoint_id = ${id}`);
      const journey = await journeys.begin(way);
      await signIn(journey, who, "/operator/webhooks");
      await journey.expectFine("operator-webhooks");
      await journey.follow(id);
      await journey.expectFine("operator-webhook");
      await journey.follow("Revive");
      await because(journey, "Revive");
      await journey.expectText("Its failures are forgotten.");
      await journey.end();
    });

    test("a payment is found by the last four of its card", async () => {
      const { service } = journeys;
      const who = await makeOperator(service, "support");
      const order = await openOrder(service);
      await submit(service, order, CARDS.approved);
      const journey = await journeys.begin(way);
      await signIn(journey, who);
      await search(journey, "1111");
      await journey.expectText("Payments by a card with these last four");
      await journey.follow(order.id);
      await journey.expectHeading(/^Payment /);
      await journey.expectText(order.id);
      await journey.end();
    });
  });
