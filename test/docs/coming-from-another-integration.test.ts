/**
 * The guide for shops that come from another service is true: its request is taken as it stands
 * there, its vector is right, and its table has every event of a payment.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { EVENT_NAMES } from "../../src/modules/events/catalogue.ts";
import { ask } from "../../testkit/payment-requests.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";
import { snippetsOf } from "./snippets.ts";

const FILE = "coming-from-another-integration.md";
const guide = readFileSync(new URL(`../../docs/${FILE}`, import.meta.url), "utf8");

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** What curl would send for the arguments of a snippet. */
function formOf(snippet: string): Record<string, string> {
  const data = snippet.matchAll(/(?:-d|--data-urlencode) (?:'([^']+)'|(\S+))/g);
  return Object.fromEntries(
    [...data].map(([, quoted, plain = ""]) => {
      const [name = "", ...value] = (quoted ?? plain).split("=");
      return [name, value.join("=")];
    }),
  );
}

test("the request that many shops send is accepted and marked as deprecated", async () => {
  const { accountNumber } = await openShop(service);
  const [snippet = ""] = snippetsOf(FILE).sh;
  const form: Record<string, string> = { ...formOf(snippet), account_number: accountNumber };
  assert.deepEqual(
    [form.method, form.phone, form.data, "email" in form],
    ["credit_card", "8687654321", '{"cart": 7}', false],
  );
  const answer = await ask(service, form, "form");
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("deprecation"), "true");
  const page = /<([^>]+)>; rel="deprecation"/.exec(answer.headers.get("link") ?? "")?.[1] ?? "";
  const shown = await service.request(new URL(page).pathname);
  assert.equal(shown.status, 200);
  assert.match(shown.text, /Coming from another integration/);
});

test("the hash of its vector is the MD5 of the three texts it names", () => {
  const [, id, total, key, hash] =
    /For `([^`]+)`, `([^`]+)` and `([^`]+)` it is `([^`]+)`/.exec(guide) ?? [];
  assert.equal(createHash("md5").update(`${id}${total}${key}`).digest("hex"), hash);
});

test("its table has every event of a payment and none that does not exist", () => {
  const rows = [...guide.matchAll(/^\|[^|]+\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, name]) => name);
  const payments = EVENT_NAMES.filter((name) => name.startsWith("payment."));
  assert.deepEqual(rows.toSorted(), payments.toSorted());
});
