/**
 * An owner invites somebody for support and says how much they may refund; they accept from the
 * mailbox, and see and do what the table of roles gives to support and nothing else (Decision
 * 0084).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createMailLoop } from "../../src/modules/mail/send-mail.ts";
import { fund } from "../../testkit/books.ts";
import { JOURNEY_WAYS, type Journey, startJourneys } from "../../testkit/journey-ways.ts";
import { mailArrives } from "../../testkit/mails.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";

const journeys = await startJourneys();
const { service } = journeys;
const mails = createMailLoop(service.ctx);
before(mails.start);
after(async () => {
  await mails.stop();
  await journeys.close();
});

const PASSWORD = "a colleague's password";
const BEYOND_SUPPORT = [
  "/console/balance",
  "/console/withdrawals",
  "/console/withdrawals/new",
  "/console/withdrawals/banks/local",
  "/console/developers/keys",
  "/console/developers/webhooks",
  "/console/developers/events",
  "/console/settings/members",
  "/console/settings/security",
  "/console/settings/notifications",
  "/console/settings/payment-keys",
];

async function openShopWithPayment(): Promise<Shop> {
  const shop = await openShop(service);
  await fund(service.ctx.db, shop.accountNumber, "500.00 TTD", "sandbox");
  const payment = newPayment(shop, { environment: "sandbox", orderId: "blue-1" });
  await pay(service, payment, APPROVED);
  return shop;
}

async function invite(journey: Journey, email: string): Promise<void> {
  const { page } = journey;
  await journey.open("/console/settings/members");
  await journey.expectHeading("Members");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Role").selectOption("support");
  await journey.expectFine("members");
  await journey.press("Send the invitation");
  await journey.expectText("The invitation has been sent.");
  await page.getByRole("table", { name: "Open invitations" }).getByText(email).first().waitFor();
}

async function accept(journey: Journey, email: string): Promise<void> {
  const { page } = journey;
  await journey.open("/dev/mail");
  await page.getByRole("row").filter({ hasText: email }).getByRole("link").click();
  await page.getByRole("link", { name: /\/invite\// }).click();
  await journey.expectHeading(/^Join /);
  await page.getByLabel("Your name").fill("Nia Charles");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm the password").fill(PASSWORD);
  await journey.expectFine("invitation");
  await journey.press("Accept the invitation");
  await journey.expectText("Welcome. Sign in with the password you have just chosen.");
  await journey.signIn({ email, password: PASSWORD });
}

async function expectOnlySupport(journey: Journey): Promise<void> {
  const { page } = journey;
  await journey.expectHeading("Payments");
  const navigation = await page.getByRole("navigation", { name: "Main" }).innerText();
  assert.deepEqual(navigation.split(/\s+/), ["Payments", "Cards", "Developers", "Settings"]);
  await journey.expectFine("payments-of-support");
  for (const path of BEYOND_SUPPORT) {
    const answer = await page.goto(journeys.url + path);
    assert.equal(answer?.status(), 404, path);
  }
  await journey.open("/console/developers");
  await journey.expectHeading("Requests");
  await journey.open("/console/settings");
  await journey.expectHeading("Your profile");
}

async function tryRefund(journey: Journey, amount: string): Promise<void> {
  await journey.press("Refund");
  await sendRefund(journey, amount);
}

async function sendRefund(journey: Journey, amount: string): Promise<void> {
  await journey.page.getByLabel("Amount").fill(amount);
  await journey.press(`Refund${journey.hasScripts ? ` TTD ${amount}` : ""}`);
}

for (const way of JOURNEY_WAYS)
  test(`support is invited, accepts and stays within its role ${way.name}`, async () => {
    const shop = await openShopWithPayment();
    const email = `nia-${shop.accountNumber}@example.com`;
    const [owner, support] = [await journeys.begin(way), await journeys.begin(way)];
    await owner.signIn(shop);
    await invite(owner, email);
    await mailArrives(service, {
      to: email,
      subject: "Test merchant invites you to Test merchant",
    });
    await accept(support, email);
    await expectOnlySupport(support);
    await support.open("/console/payments");
    await support.follow("blue-1");
    await support.expectHeading("TTD 105.20");
    assert.equal(await support.page.getByRole("button", { name: "Refund" }).count(), 0);

    await owner.page.reload();
    await owner.follow("Nia Charles");
    await owner.page.getByLabel("Limit in TTD").fill("50");
    await owner.expectFine("member");
    await owner.press("Save the limits");
    await owner.expectText("The changes to the member have been saved.");

    await support.page.reload();
    await tryRefund(support, "60.00");
    await support.page
      .getByRole("alert")
      .getByText(/50\.00/)
      .waitFor();
    await support.expectFine("refund-beyond-limit");
    await sendRefund(support, "20.00");
    await support.expectText("The refund was requested.");
    await owner.follow("Remove Nia Charles");
    await owner.expectHeading("Remove Nia Charles?");
    await owner.press("Remove member");
    await owner.expectText("The member has been removed");
    await support.open("/console/payments");
    await support.expectHeading("Sign in");
    await owner.end();
    await support.end();
  });
