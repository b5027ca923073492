/**
 * Under an Idempotency-Key each effect happens once, and a secret is shown once: what is stored to
 * be answered again has none.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { openedAnswers } from "../../../testkit/sealed-answers.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  deliveriesOf,
  happen,
  makeEndpoint,
  newUrl,
  number,
  openShop,
  post,
  type Shop,
} from "../../../testkit/webhook-endpoints.ts";

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
});
beforeEach(async () => {
  shop = await openShop(service);
});
after(() => service.stop());

const under = (key: string) => ({ headers: { "idempotency-key": key } });
const send = (path: string, json?: unknown) =>
  post(service, path, shop, { ...under("one"), ...(json === undefined ? {} : { json }) });

async function storedBodies(): Promise<string> {
  const kept = await openedAnswers(service, sql`account_number = ${shop.accountNumber}`);
  assert(kept.length > 0, "something was kept");
  return kept.join("\n");
}

test("making an endpoint twice makes one, and the second answer has no secret", async () => {
  const body = { url: newUrl(), environment: "live", events: ["payment.success"] };
  const first = await send("/webhooks", body);
  const again = await send("/webhooks", body);
  const { secret, ...record } = first.body.data;
  assert.match(secret, /^whsec_/);
  assert.equal(again.status, 201);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.deepEqual(again.body, { message: "Created", data: record });
  assert(!(await storedBodies()).includes("whsec_"));
  const form = { ...body, events: "payment.success" };
  const asForm = await post(service, "/webhooks", shop, { ...under("one"), form });
  assert.equal(asForm.headers.get("idempotent-replayed"), "true");
  const other = await send("/webhooks", { ...body, url: newUrl() });
  assert.equal(other.status, 422);
  const { body: listed } = await service.request("/webhooks", { token: shop.token });
  assert.equal(listed.meta.total, 1);
});

test("rotating twice rotates once, and the second answer has no secret", async () => {
  const { id } = await makeEndpoint(service, shop);
  const first = await send(`/webhooks/${id}/rotate`);
  const boxes = () =>
    service.ctx.db.one(sql`select secret_box from webhook_endpoints where endpoint_id = ${id}`);
  const before = await boxes();
  const again = await send(`/webhooks/${id}/rotate`);
  const { secret, ...record } = first.body.data;
  assert.deepEqual([again.status, again.body], [200, { message: "OK", data: record }]);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.deepEqual(await boxes(), before);
  assert(!(await storedBodies()).includes(secret));
});

test("a test, a resend and a replay under a key happen once", async () => {
  const { id } = await makeEndpoint(service, shop);
  const tests = [await send(`/webhooks/${id}/test`), await send(`/webhooks/${id}/test`)];
  assert.deepEqual(tests[0]?.body, tests[1]?.body);
  await number(service);
  const [delivery, ...rest] = await deliveriesOf(service, shop, id);
  assert.deepEqual(rest, []);
  const path = `/webhooks/${id}/deliveries/${delivery.id}/resend`;
  const resent = [await send(path), await send(path)];
  assert.equal(resent[0]?.text, resent[1]?.text);
  assert.equal(resent[1]?.headers.get("idempotent-replayed"), "true");
  const since = { since: "2020-01-01T00:00:00Z" };
  await happen(service, shop);
  const replayed = await send(`/webhooks/${id}/replay`, since);
  await happen(service, shop);
  const again = await send(`/webhooks/${id}/replay`, since);
  assert.equal(replayed.body.data.queued, 1);
  assert.deepEqual(again.body, replayed.body);
});

test("32 at once under one key make one endpoint and show its secret once", async () => {
  const body = { url: newUrl(), environment: "live" };
  const answers = await Promise.all(Array.from({ length: 32 }, () => send("/webhooks", body)));
  const shown = answers.filter(({ text }) => text.includes("whsec_"));
  assert.equal(shown.length, 1);
  for (const { status } of answers) assert([201, 409].includes(status), String(status));
  const { body: listed } = await service.request("/webhooks", { token: shop.token });
  assert.equal(listed.meta.total, 1);
});

test("no secret has been in a log line", () => {
  assert(service.logged.length > 0);
  assert.deepEqual(
    service.logged.filter((line) => line.includes("whsec_")),
    [],
  );
});
