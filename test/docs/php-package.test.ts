/**
 * The guarantee: what the README of the PHP package shows requests a payment of the sandbox as it
 * stands, and ships for no payment but the shop's own; it names what objects have.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { type DemoService, startDemoService } from "../../testkit/demo-service.ts";
import { runPhp, SDK_PHP } from "../../testkit/php.ts";
import { openBash } from "./bash-session.ts";

const readme = readFileSync(path.join(SDK_PHP, "README.md"), "utf8");
const samples = [...readme.matchAll(/^```php\n([\s\S]*?)^```$/gm)].map(([, code = ""]) =>
  code.replace("<?php\n", ""),
);

let service: DemoService;
before(async () => {
  service = await startDemoService();
});
after(() => service.stop());

describe("the README of the PHP package", () => {
  test("begins with a payment request that the sandbox takes", async () => {
    const [first = ""] = samples;
    const code = first
      .replace(/^require .*$/m, "")
      .replace("http://localhost:3000", service.url)
      .replace(/^header\([\s\S]*/m, "");
    const saveOrder = `function saveOrder(string $id, array $order): void {
      echo $id, ' ', $order['transaction_id'], ' ', $order['total']; }`;
    const said = await runPhp(`eval($facts['code']);`, { code: `${code}\n${saveOrder}` });
    assert.match(said, /^order-[\da-f]{13} SB-TT-\w{26} 100\.00$/);
  });

  test("makes an API key that may what the package does", async (t) => {
    const [, sample = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const shell = openBash();
    assert(shell !== undefined, "bash and curl are there");
    t.after(() => shell.close());
    const said = await shell.run(sample.replace("http://localhost:3000", service.url));
    const { key } = JSON.parse(said).data;
    const code = `$windward = new Windward\\Windward($facts['url'], $facts['key']);
      foreach (['/events', '/transactions/'] as $path)
        $windward->get($path, ['environment' => 'sandbox']);
      try { $windward->refund('SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0'); }
      catch (Windward\\WindwardError $error) { echo $error->status; }`;
    assert.equal(await runPhp(code, { url: service.url, key }), "404");
  });

  test("ships for the transaction id and the total that were stored, and for no other", async () => {
    const sample = samples.find((code) => code.includes("function isOurs")) ?? "";
    const [isOurs = ""] = /function isOurs[\s\S]*?^}/m.exec(sample) ?? [];
    const code = `use Windward\\Event; ${isOurs}`;
    const said = await runPhp(
      `eval($facts['code']);
      $order = ['transaction_id' => 'T-1', 'total' => '100.00'];
      foreach ([['T-1', '100.00'], ['T-2', '100.00'], ['T-1', '5.00']] as [$id, $total]) {
        $event = new Windward\\Event('e', 'payments', 'payment.success', 1, '',
          ['order_id' => 'o', 'total' => $total], $id, 'sandbox', '1');
        echo isOurs($event, $order) ? 'ours ' : 'other ', isOurs($event, null) ? 'bad ' : '';
      }`,
      { code },
    );
    assert.equal(said, "ours other other ");
    assert(!samples.some((one) => /'payment\.success'(?! && isOurs)/.test(one)));
  });

  for (const name of ["PaymentRequest", "RequestedPayment", "VerifiedRedirect", "Event", "Refund"])
    test(`names every property of ${name}`, async () => {
      const [row = ""] = new RegExp(`^\\| \`${name}\` \\|.*$`, "m").exec(readme) ?? [];
      const said = await runPhp(
        `foreach ((new ReflectionClass("Windward\\\\{$facts['name']}"))->getProperties() as $each)
          echo $each->name, ' ';`,
        { name },
      );
      for (const property of said.trim().split(" "))
        assert(row.includes(`\`${property}\``), `${name} has ${property}`);
    });
});

test("an empty key and a missing extension are said in a sentence", async () => {
  const saying = (code: string) =>
    runPhp(`try { ${code} } catch (Windward\\WindwardError $error) { echo $error->detail; }`);
  const make = "new Windward\\Windward('http://localhost:3000', '');";
  assert.match(await saying(make), /^The apiKey is empty\. Pass null/);
  const without = `eval('namespace Windward; function extension_loaded(string $name): bool
    { return $name !== "curl"; }');`;
  assert.match(await saying(`${without} ${make}`), /no curl extension\..+apt-get install php-curl/);
});
