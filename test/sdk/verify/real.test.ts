/**
 * The guarantee: what the running service sends verifies with the keys that it tells its merchants,
 * and a change in any parameter, header or byte of it does not and is explained.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { explainRedirect } from "../../../sdk/src/verify/explain-redirect.ts";
import { explainWebhook } from "../../../sdk/src/verify/explain-webhook.ts";
import { VerificationError } from "../../../sdk/src/verify/verification-error.ts";
import { verifyRedirect } from "../../../sdk/src/verify/verify-redirect.ts";
import { verifyWebhook } from "../../../sdk/src/verify/verify-webhook.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { payByForm } from "../../../testkit/pay-by-form.ts";
import { ask, minimal } from "../../../testkit/payment-requests.ts";
import { startReceiver } from "../../../testkit/receivers.ts";
import { startService } from "../../../testkit/service.ts";
import { turned } from "./support.ts";

const service = await startService();
const receiver = await startReceiver();
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.ctx.messenger.stop();
  await receiver.close();
  await service.stop();
});
const merchant = await service.world.merchant();
const { access_token: token } = await merchant.signIn();
const keysOf = async (environment: string) => {
  const { body } = await service.request(`/user/payment-key?environment=${environment}`, { token });
  return { signingSecret: body.data.signing_secret, hashKey: body.data.hash_key };
};
const [sandbox, live] = [await keysOf("sandbox"), await keysOf("live")];
const hook = await service.request("/webhooks", {
  method: "POST",
  token,
  json: { url: receiver.url, environment: "sandbox" },
});
const { id: endpointId, secret } = hook.body.data;

/** Where the browser is led after a card was tried on the page, and the customer gave up. */
async function pay(number: string, fields: Record<string, string>): Promise<string> {
  const form = minimal(merchant.accountNumber, {
    response_url: "https://shop.example/back?shelf=7&status=success#top",
    ...fields,
  });
  const { body } = await ask(service, form);
  return payByForm(service, { url: body.url, number });
}

const order = { order_id: "order-7", total: "100.00", data: 'a+b & "ü" 😀 ~*' };
const address = await pay("4111111111111111", order);
const declined = await pay("4111111111113333", { order_id: "order-8", total: "10.00" });
await service.numberEvents();
await service.ctx.messenger.deliver(endpointId);

describe("the redirect of a real payment", () => {
  const facts = { ...sandbox, requestedTotal: "100.00" };

  test("verifies, signature and hash, and tells what was paid", async () => {
    const told = await verifyRedirect(address, { ...facts, orderId: order.order_id });
    assert.deepEqual(
      [told.status, told.total, told.currency, told.data, told.card],
      ["success", "105.20", "TTD", order.data, "visa **** 1111"],
    );
    const said = await explainRedirect(address, facts);
    assert.deepEqual([said.verified, said.mistakes], [true, []]);
  });

  test("does not verify with the keys of the other environment, which are named", async () => {
    await assert.rejects(verifyRedirect(address, { signingSecret: live.signingSecret }));
    const others = [{ name: "sandbox", environment: "sandbox" as const, ...sandbox }];
    const said = await explainRedirect(address, { signingSecret: live.signingSecret, others });
    assert.deepEqual(
      said.mistakes.map(({ code }) => code),
      ["key_of_other_environment"],
    );
  });

  test("does not verify with any parameter changed or left out, and says which", async () => {
    const values = Object.fromEntries(new URL(address).searchParams);
    const { shelf: _, hash: __, signature: ___, ...known } = values;
    for (const name of Object.keys(known)) {
      const other = { ...values, [name]: "something else" };
      await assert.rejects(verifyRedirect(other, facts), VerificationError);
      const said = await explainRedirect(other, { ...facts, known, hashKey: "" });
      assert.deepEqual(
        said.mistakes.map(({ code }) => code),
        ["parameter_changed"],
        name,
      );
      assert(said.summary.includes(`${name} was`), said.summary);
      const { [name]: ____, ...fewer } = values;
      const missed = await explainRedirect(fewer, { signingSecret: sandbox.signingSecret });
      assert.match(missed.summary, new RegExp(`${name} is missing`));
    }
  });
});

test("the redirect of a declined card verifies, without a hash, and is told to be unpaid", async () => {
  const told = await verifyRedirect(declined, { ...sandbox, requestedTotal: "10.00" });
  assert.equal(told.status, "failed");
  assert(!new URL(declined).searchParams.has("hash"));
  const said = await explainRedirect(declined, sandbox);
  assert.deepEqual(
    [said.verified, said.notes[0]],
    [true, 'Its status is "failed": nothing was paid.'],
  );
});

describe("a real delivery", () => {
  const deliveries = receiver.received;

  test("of each event verifies, as old and as new clients check it", async () => {
    assert(deliveries.length >= 3);
    for (const { body, headers } of deliveries) {
      const { event } = await verifyWebhook(body, headers, secret);
      assert.equal(event.meta.account_number, merchant.accountNumber);
      const said = await explainWebhook(body, headers, secret);
      assert.deepEqual([said.verified, said.mistakes], [true, []]);
    }
  });

  test("written anew by another language is put back into our order", async () => {
    for (const { body, headers } of deliveries) {
      const other = JSON.stringify(turned(JSON.parse(body)));
      await assert.rejects(verifyWebhook(other, headers, secret), VerificationError);
      const said = await explainWebhook(other, headers, secret);
      assert.deepEqual(
        said.mistakes.map(({ code }) => code),
        ["body_key_order"],
      );
    }
  });
});
