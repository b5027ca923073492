/**
 * The guarantee: no object and no error of the PHP package shows a key, however it is printed, and
 * the samples of its README compile.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { findPhp, runPhp, SDK_PHP } from "../../testkit/php.ts";

const SECRETS = {
  signing: "signing-secret-of-this-test",
  hash: "hash-key-of-this-test",
  apiKey: "svc_test_abcdefgh_the-key-of-this-test",
  webhook: `whsec_${Buffer.from("webhook-secret-of-this-test").toString("base64")}`,
};
const SETUP = `
  ini_set('zend.exception_ignore_args', '0');
  $checks = new Windward\\RedirectChecks(
    signingSecret: $facts['signing'], hashKey: $facts['hash'], requestedTotal: '1.00');
  $windward = new Windward\\Windward('http://127.0.0.1:1', $facts['apiKey'], retries: 0);
  $request = new Windward\\PaymentRequest(accountNumber: '1', countryCode: 'TT', currency: 'TTD',
    total: '1.00', orderId: 'order-1', responseUrl: 'http://127.0.0.1:1/paid');`;

function expectNoSecret(said: string): void {
  for (const [name, secret] of Object.entries(SECRETS))
    assert(!said.includes(secret), `${name} in ${said}`);
}

test("objects that hold keys show none of them, however they are printed", async () => {
  const code = `${SETUP}
    $feed = new Windward\\EventFeed($windward, '1', 'live', '/tmp/cursor');
    foreach ([$checks, $windward, $feed] as $each) {
      var_dump($each, (array) $each, get_mangled_object_vars($each));
      print_r($each); var_export($each); echo json_encode($each);
      try { echo serialize($each); } catch (Exception $refused) { echo 'not serialized'; }
    }`;
  const said = await runPhp(code, SECRETS);
  assert.match(said, /RedirectChecks/);
  expectNoSecret(said);
});

test("errors with their stack traces show none of them", async () => {
  const code = `${SETUP}
    $headers = ['webhook-id' => 'a', 'webhook-timestamp' => '1', 'webhook-signature' => 'v1,aa'];
    $failing = [
      fn() => Windward\\Redirect::verify('status=success&signature=aa', $checks),
      fn() => Windward\\Webhook::verify('{}', $headers, [$facts['webhook'], 'whsec_x']),
      fn() => Windward\\Webhook::verify('{}', $headers, $facts['webhook']),
      fn() => $windward->requestPayment($request, $facts['signing']),
      fn() => $windward->refund('TT-1'),
    ];
    foreach ($failing as $each) {
      try { $each(); } catch (Exception $error) { var_dump($error->getTrace()); echo $error; }
    }`;
  const said = await runPhp(code, SECRETS);
  assert.equal(said.match(/Stack trace:/g)?.length, 5);
  expectNoSecret(said);
});

test("the samples of the README compile, each for itself", async () => {
  const text = readFileSync(path.join(SDK_PHP, "README.md"), "utf8");
  const samples = [...text.matchAll(/^```php\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  assert(samples.length >= 5);
  for (const code of samples) {
    const linting = promisify(execFile)(await findPhp(), ["-l"]);
    linting.child.stdin?.end(`<?php\n${code.replace("<?php\n", "")}`);
    await linting;
  }
  const all = samples.join().replace("findOrder($_GET['order_id'] ?? '')", "");
  assert(!all.includes("$_GET"), "but for the order's id, a browser's words are the result's");
});
