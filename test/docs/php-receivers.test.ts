/**
 * The guarantee: what the README of the PHP package has a reader put at the address of results and
 * of webhooks refuses with 400 what does not verify, and never acknowledges what crashed: on a PHP
 * that shows errors, which answers a crash with 200 if nobody said otherwise.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, type TestContext, test } from "node:test";
import { madeUpPayment, otherPayment, paid } from "../../sdk/src/exam/payment.ts";
import { addressWith, signedSuccess } from "../../sdk/src/exam/result.ts";
import { signed, unsigned, webhookOf } from "../../sdk/src/exam/webhook.ts";
import { SDK_PHP } from "../../testkit/php.ts";
import { until } from "../../testkit/until.ts";
import { type GuideReceiver, startGuideReceiver } from "./guide-receiver.ts";

const SECRET = "whsec_dGhlLXNlY3JldC1vZi10aGlzLXRlc3Qh";
const OTHER_SECRET = "whsec_c29tZWJvZHktZWxzZXMtd2ViaG9vay1zZWNyZXQ=";
const KEYS = { signingSecret: "sandbox-signing-secret", hashKey: "123" };
const ACCOUNT = { accountNumber: "1234567890", countryCode: "TT" };
const PAYMENT = madeUpPayment({ id: "order-1", total: "100.00" }, ACCOUNT);
const CHEAPER = otherPayment(PAYMENT, "5.00");

const readme = readFileSync(path.join(SDK_PHP, "README.md"), "utf8");

function sampleWith(text: string): string {
  const samples = [...readme.matchAll(/^```php\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  return samples.find((code) => code.includes(text)) ?? assert.fail(`no sample has ${text}`);
}

/** The sample as a file, with the functions that are the reader's. */
async function receiverOf(t: TestContext, sample: string, ship: string) {
  const autoload = JSON.stringify(path.join(SDK_PHP, "autoload.php"));
  const stored = `['transaction_id' => '${PAYMENT.record.transaction_id}', 'total' => '100.00']`;
  const code = `<?php
    require ${autoload};
    function findOrder(string $id): ?array { return $id === 'order-1' ? ${stored} : null; }
    function ship(array $order): void { ${ship} }
    ${sample}`;
  const receiver = await startGuideReceiver("php", code, SECRET);
  t.after(() => receiver.close());
  return receiver;
}

const SHIPS = "error_log('It ships.');";

/** After all that was sent: what it wrote arrives in order. */
async function expectOneShipment({ said }: GuideReceiver): Promise<void> {
  await until(() => said().includes("It ships."), "it ships", 60);
  assert.equal(said().split("It ships.").length - 1, 1, said());
}

const CRASHES: readonly (readonly [how: string, ship: string])[] = [
  ["an exception", "throw new RuntimeException('the-password-of-the-database');"],
  ["an error of PHP", "noSuchFunction();"],
];

describe("the README's receiver of webhooks", () => {
  const sample = sampleWith("Webhook::verify(");
  const about = { accountNumber: ACCOUNT.accountNumber, sequence: 7 };
  const success = webhookOf("payment.success", paid(PAYMENT), about);
  const genuine = signed(success, SECRET);

  test("ships, and answers 400 to what does not verify", async (t) => {
    const receiver = await receiverOf(t, sample, SHIPS);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const forgeries = [
      signed(success, OTHER_SECRET),
      signed(success, SECRET, anHourAgo),
      unsigned(success),
      { ...genuine, body: `${genuine.body} ` },
    ];
    for (const { body, headers } of forgeries)
      assert.equal(await receiver.deliver(body, headers), 400, receiver.said());
    const other = signed(webhookOf("payment.success", paid(CHEAPER), about), SECRET);
    assert.equal(await receiver.deliver(other.body, other.headers), 204);
    assert.equal(await receiver.deliver(genuine.body, genuine.headers), 204, receiver.said());
    await expectOneShipment(receiver);
    assert.match(receiver.said(), /A webhook was refused: No signature fits\./);
  });

  for (const [how, ship] of CRASHES)
    test(`answers 500 when the shop's own code ends with ${how}`, async (t) => {
      const receiver = await receiverOf(t, sample, ship);
      assert.equal(await receiver.deliver(genuine.body, genuine.headers), 500);
    });
});

describe("the README's receiver of results", () => {
  const sample = sampleWith("Redirect::verify(");
  const addressOf = async (url: string, payment = PAYMENT, keys = KEYS) =>
    addressWith(url, await signedSuccess(paid(payment), keys));

  test("ships without any session, and answers 400 to what does not verify", async (t) => {
    const receiver = await receiverOf(t, sample, SHIPS);
    const { url } = receiver;
    const genuine = await addressOf(url);
    const forgeries = [
      await addressOf(url, PAYMENT, { ...KEYS, signingSecret: "another" }),
      await addressOf(url, CHEAPER),
      genuine.replace("order-1", "order-2"),
      url,
    ];
    for (const address of forgeries) assert.equal((await fetch(address)).status, 400, address);
    const answer = await fetch(genuine);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), "Order order-1 is paid.");
    await expectOneShipment(receiver);
  });

  for (const [how, ship] of CRASHES)
    test(`answers 500 and shows nothing when the shop ends with ${how}`, async (t) => {
      const { url } = await receiverOf(t, sample, ship);
      const answer = await fetch(await addressOf(url));
      assert.equal(answer.status, 500);
      assert.equal(await answer.text(), "");
    });
});
