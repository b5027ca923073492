/**
 * The guarantee: what the PHP package sends and checks is what the running service takes and sends;
 * a lost answer moves money once (Decision 0112).
 */

import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after, beforeEach, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { payByForm } from "../../testkit/pay-by-form.ts";
import { runPhp } from "../../testkit/php.ts";
import { startReceiver } from "../../testkit/receivers.ts";
import { startService } from "../../testkit/service.ts";
import { setRequired, signingShop } from "../api/checkout/signing-support.ts";
import { startWire } from "../sdk/support.ts";

const service = await startService();
const wire = await startWire(service.url);
const receiver = await startReceiver();
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.ctx.messenger.stop();
  await Promise.all([receiver.close(), wire.close()]);
  await service.stop();
});
beforeEach(() => wire.forget());

const shop = await signingShop(service);
await setRequired(service, shop, true);
const scopes = ["svc-user-all", "svc-transactions-all"] as const;
const { key: apiKey } = await mintKey(service.ctx, shop, scopes);
const { body: keys } = await service.request("/user/payment-key?environment=sandbox", {
  token: shop.token,
});
const facts = { url: wire.url, apiKey, account: shop.accountNumber, secret: shop.secret };

const CLIENT = `$windward = new Windward\\Windward($facts['url'], $facts['apiKey']);`;
const REQUEST = `${CLIENT}
  $asked = $windward->requestPayment(new Windward\\PaymentRequest(
    accountNumber: $facts['account'],
    countryCode: 'TT',
    currency: 'TTD',
    total: '100.00',
    orderId: $facts['order'],
    responseUrl: 'https://shop.example/back?shelf=7',
    environment: 'sandbox',
    email: 'maya@example.com',
    data: $facts['data'] ?? null,
    items: [['name' => 'Pepper sauce é', 'quantity' => 4, 'unit_price' => '25.00']],
    more: ['fname' => 'Zoë'],
  ), $facts['secret']);
  echo json_encode($asked);`;
const CAUGHT = (code: string) => `${CLIENT}
  try { ${code} } catch (Windward\\WindwardError $error) {
    echo json_encode([...get_object_vars($error), 'message' => $error->getMessage()]);
  }`;

async function request(order: string, more: object = {}) {
  return JSON.parse(await runPhp(REQUEST, { ...facts, order, ...more }));
}

async function paid(order: string, data = ""): Promise<{ id: string; address: string }> {
  const { url, transactionId } = await request(order, { data });
  const address = await payByForm(service, { url, number: "4111111111111111" });
  return { id: transactionId, address };
}

describe("a payment requested with PHP", () => {
  test("is signed, has one effect when its answer is lost, and is paid and verified", async () => {
    wire.fate("/plugins/payments/request", "after");
    const data = 'a+b & "ü" 😀 ~*';
    const { id, address } = await paid("php-1", data);
    const sent = wire.requests.map(({ headers }) => headers["idempotency-key"]);
    assert.equal(sent.length, 2);
    assert.equal(sent[0], sent[1]);
    const told = await runPhp(
      `echo json_encode(Windward\\Redirect::verify($facts['address'], new Windward\\RedirectChecks(
        signingSecret: $facts['secret'],
        transactionId: $facts['id'],
        hashKey: $facts['hashKey'],
        requestedTotal: '100.00',
        maxAgeSeconds: 600,
      )));`,
      { ...facts, address, id, hashKey: keys.data.hash_key },
    );
    const { status, total, data: back, orderId } = JSON.parse(told);
    assert.deepEqual([status, total, back, orderId], ["success", "105.20", data, "php-1"]);
  });

  test("that is refused says why and what to do, and quotes no secret", async () => {
    const code = CAUGHT(`$windward->requestPayment(new Windward\\PaymentRequest(
      accountNumber: $facts['account'], countryCode: 'TT', currency: 'TTD', total: '1.00',
      orderId: 'php-2', responseUrl: 'https://shop.example/back', environment: 'sandbox',
    ), $facts['secret']);`);
    const said = await runPhp(code, facts);
    const error = JSON.parse(said);
    assert.deepEqual([error.status, error.field], [400, "total"]);
    assert.match(error.errorCode, /^[a-z_]+$/);
    assert.match(error.message, /total.+\(.+, field total, request .+\)$/);
    assert(!said.includes(shop.secret) && !said.includes(apiKey));
  });
});

describe("a refund with PHP", () => {
  test("has one effect when its answer is lost twice", async () => {
    const { id } = await paid("php-3");
    wire.forget();
    wire.fate(`/transactions/${id}/refund`, "after", { status: 503 });
    const refund = `${CLIENT}
      echo json_encode($windward->refund($facts['id'], '25.00', 'Broken.'));`;
    const { amount, currency, transactionId } = JSON.parse(await runPhp(refund, { ...facts, id }));
    assert.deepEqual([amount, currency, transactionId], ["25.00", "TTD", id]);
    assert.equal(wire.requests.length, 3);
    assert.equal(await refundsOf(id), 1);
  });

  test("under a key of its own is the same refund after a crash", async () => {
    const { id } = await paid("php-4");
    const refund = `${CLIENT}
      echo $windward->refund($facts['id'], idempotencyKey: 'refund-php-4')->id;`;
    const [first, second] = [
      await runPhp(refund, { ...facts, id }),
      await runPhp(refund, { ...facts, id }),
    ];
    assert.equal(second, first);
    assert.equal(await refundsOf(id), 1);
  });

  test("of a payment that is not paid is an error with its code", async () => {
    const { transactionId: id } = await request("php-5");
    wire.forget();
    const error = JSON.parse(
      await runPhp(CAUGHT("$windward->refund($facts['id']);"), { ...facts, id }),
    );
    assert.equal(error.status, 409);
    assert.equal(wire.requests.length, 1);
  });
});

test("a call without a key that needs one says how to pass it, in sentences", async () => {
  const code = `try { (new Windward\\Windward($facts['url']))->get('/events'); }
    catch (Windward\\WindwardError $error) { echo $error->getMessage(); }`;
  const said = await runPhp(code, facts);
  const words = "Unauthorized. This call needs an API key: new Windward($url, $key). (";
  assert(said.startsWith(words), said);
  const wrong = code.replace("$facts['url'])", "$facts['url'], 'svc_test_wrong')");
  assert.match(await runPhp(wrong, facts), /^[A-Z][^.]+\. [A-Z].+\(\w+, request .+\)$/);
});

test("a success that lacks what it should have is an error that says so", async () => {
  const server = http.createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{ "data": [] }');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked = `$windward->requestPayment(new Windward\\PaymentRequest(
    accountNumber: 'a', countryCode: 'TT', currency: 'TTD', total: '1.00', orderId: 'o',
    responseUrl: 'https://shop.example/back', environment: 'sandbox'));`;
  for (const [code, name] of [
    [asked, "url"],
    ["$windward->refund('t');", "refund"],
  ]) {
    const said = JSON.parse(await runPhp(CAUGHT(code ?? ""), { ...facts, url }));
    assert.equal(said.message, `The answer has no ${name}: is the baseUrl that of Windward?`);
  }
  server.close();
});

test("a call without an answer is an error of status 0 after its retries", async () => {
  wire.fate("/auth/whoami", "before", "before");
  const code = `$windward = new Windward\\Windward($facts['url'], $facts['apiKey'], retries: 1);
    try { $windward->get('/auth/whoami'); } catch (Windward\\WindwardError $error) {
      echo $error->status, ' ', $error->getMessage(); var_dump($windward); print_r($error);
    }`;
  const said = await runPhp(code, facts);
  assert.match(said, /^0 No answer from http:\/\/127\.0\.0\.1:\d+: /);
  assert.equal(wire.requests.length, 2);
  assert(!said.includes(apiKey), "a dump shows no key");
});

test("a real delivery is verified, by getallheaders and by $_SERVER", async () => {
  const { body: hook } = await service.request("/webhooks", {
    method: "POST",
    token: shop.token,
    json: { url: receiver.url, environment: "sandbox" },
  });
  await paid("php-6");
  await service.numberEvents();
  await service.ctx.messenger.deliver(hook.data.id);
  assert(receiver.received.length >= 2);
  for (const { body, headers, id } of receiver.received) {
    const entries = Object.entries(headers);
    const server = entries.map(([name, value]) => [
      `HTTP_${name.toUpperCase().replaceAll("-", "_")}`,
      value,
    ]);
    for (const given of [headers, { ...Object.fromEntries(server), argc: 1 }]) {
      const code = `echo Windward\\Webhook::verify(
        $facts['body'], $facts['headers'], $facts['hook'])->event->id;`;
      const told = await runPhp(code, { body, headers: given, hook: hook.data.secret });
      assert.equal(told, id);
    }
  }
});

async function refundsOf(id: string): Promise<number> {
  const rows = await service.ctx.db.rows(sql`select 1 from refunds where transaction_id = ${id}`);
  return rows.length;
}
