/**
 * Where events may be sent when private targets are refused, as in production: what is no public
 * https address is not saved, neither at first nor by a change.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { makeEndpoint, openShop, post, type Shop } from "../../../testkit/webhook-endpoints.ts";

const HTTPS = "The url must begin with https://.";
const PORT = "The url must use port 443 or 8443.";
const PUBLIC = "The url must name a public host.";
const NAME = "The url must name a host, not an address.";
const VALID = "The url must be a valid URL.";
const USER = "The url must not contain a user name or password.";
const FRAGMENT = "The url must not contain a fragment.";

const REFUSED: [string, string][] = [
  ["http://shop.example.com/", HTTPS],
  ["HTTP://shop.example.com/", HTTPS],
  ["ftp://shop.example.com/", HTTPS],
  ["file:///etc/passwd", HTTPS],
  ["javascript:alert(1)", HTTPS],
  ["//shop.example.com/", HTTPS],
  ["https:shop.example.com", HTTPS],
  [" https://shop.example.com/", HTTPS],
  ["https://", VALID],
  ["https://shop .example.com/", VALID],
  ["https://shop.example.com/\r\nHost: x", VALID],
  ["https:\\\\shop.example.com", HTTPS],
  ["https://shop.example.com\\@x.example.com/", VALID],
  ["https://user@shop.example.com/", USER],
  ["https://user:pass@shop.example.com/", USER],
  ["https://@shop.example.com/", USER],
  ["https://shop.example.com/#a", FRAGMENT],
  ["https://shop.example.com/#", FRAGMENT],
  ["https://shop.example.com:22/", PORT],
  ["https://shop.example.com:25/", PORT],
  ["https://shop.example.com:80/", PORT],
  ["https://shop.example.com:5432/", PORT],
  ["https://shop.example.com:6379/", PORT],
  ["https://shop.example.com:99999/", VALID],
  ["https://203.0.113.7/", NAME],
  ["https://8.8.8.8/", NAME],
  ["https://127.0.0.1/", NAME],
  ["https://0/", NAME],
  ["https://2130706433/", NAME],
  ["https://0177.0.0.1/", NAME],
  ["https://0x7f.1/", NAME],
  ["https://127.1/", NAME],
  ["https://①②⑦.0.0.1/", NAME],
  ["https://[::1]/", NAME],
  ["https://[::ffff:127.0.0.1]/", NAME],
  ["https://[2606:4700::1111]/", NAME],
  ["https://169.254.169.254/latest/meta-data/", NAME],
  ["https://localhost/", PUBLIC],
  ["https://localhost./", PUBLIC],
  ["https://LOCALHOST/", PUBLIC],
  ["https://a.localhost/", PUBLIC],
  ["https://intranet/", PUBLIC],
  ["https://printer.local/", PUBLIC],
  ["https://metadata.google.internal/", PUBLIC],
  ["https://metadata.google.internal./", PUBLIC],
  ["https://api.windward.example/", PUBLIC],
  ["https://API.windward.example/hook", PUBLIC],
  ["https://pay.windward.example/", PUBLIC],
  ["https://also.windward.example:8443/", PUBLIC],
];

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService({
    settings: {
      WEBHOOK_PRIVATE_TARGETS: "refuse",
      PUBLIC_URL: "https://api.windward.example",
      PAYMENTS_PUBLIC_URL: "https://pay.windward.example",
      ALLOWED_HOSTS: "also.windward.example",
    },
  });
  shop = await openShop(service);
});
after(() => service.stop());

describe("where private targets are refused", () => {
  for (const [url, message] of REFUSED)
    test(`${JSON.stringify(url)} cannot be saved`, async () => {
      const json = { url, environment: "live" };
      const made = await post(service, "/webhooks", shop, { json });
      assert.deepEqual([made.status, made.body], [400, { message }]);
      const found = sql`select 1 from webhook_endpoints where url = ${url}`;
      assert.equal((await service.ctx.db.rows(found)).length, 0);
    });

  test("what cannot be saved at first cannot be changed to either", async () => {
    const { id, url } = await makeEndpoint(service, shop);
    const { token } = shop;
    for (const [other, message] of REFUSED) {
      const json = { url: other };
      const answer = await service.request(`/webhooks/${id}`, { method: "PATCH", token, json });
      assert.deepEqual([answer.status, answer.body], [400, { message }], other);
    }
    const answer = await service.request(`/webhooks/${id}`, { token });
    assert.equal(answer.body.data.url, url);
  });

  test("a public name is saved, in its normal form", async () => {
    for (const [url, saved] of [
      ["https://shop.example.com", "https://shop.example.com/"],
      ["https://Shop.Example.com:443/A?b=C", "https://shop.example.com/A?b=C"],
      ["https://shop.example.com:8443/", "https://shop.example.com:8443/"],
      ["https://shop.example.com./x", "https://shop.example.com/x"],
      ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ])
      assert.equal((await makeEndpoint(service, shop, { url })).url, saved);
  });
});

test("in development http, any port and addresses are taken", async () => {
  const open = await startService();
  try {
    const shop = await openShop(open);
    const urls = ["http://localhost:3000/", "http://127.0.0.1:9999/x", "https://[::1]:8080/"];
    for (const url of urls) assert.equal((await makeEndpoint(open, shop, { url })).url, url);
  } finally {
    await open.stop();
  }
});
