/**
 * Requests about endpoints that meet, over two services: the limit and the address hold, nobody
 * waits in a circle, and what a deletion has answered is true for everything after it.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { ENDPOINT_COLUMNS, type EndpointRow } from "../../../src/modules/webhooks/endpoint.ts";
import { secretsOf } from "../../../src/modules/webhooks/endpoint-secret.ts";
import type { TestAnswer, TestService } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import {
  type Body,
  happen,
  makeEndpoint,
  newUrl,
  openShop,
  post,
  type Shop,
} from "../../../testkit/webhook-endpoints.ts";

const { service, atOnce } = await startTwoServices();

function tally(answers: readonly TestAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const create = (one: TestService, shop: Shop, url = newUrl()) =>
  post(one, "/webhooks", shop, { json: { url, environment: "live" } });
const at = (one: TestService, shop: Shop, id: string, method: string, json?: unknown) =>
  one.request(`/webhooks/${id}`, {
    method,
    token: shop.token,
    ...(json === undefined ? {} : { json }),
  });
const rowsOf = ({ accountNumber }: Shop) =>
  service.ctx.db.rows<EndpointRow>(sql`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints where account_number = ${accountNumber}`);

describe("32 at once", () => {
  test("makers of as many endpoints: ten are made", async () => {
    const shop = await openShop(service);
    const answers = await atOnce(32, (one) => create(one, shop));
    assert.deepEqual(tally(answers), { 201: 10, 409: 22 });
    assert.equal((await rowsOf(shop)).length, 10);
  });

  test("makers of one address: one has it", async () => {
    const shop = await openShop(service);
    const url = newUrl();
    const answers = await atOnce(32, (one) => create(one, shop, url));
    assert.deepEqual(tally(answers), { 201: 1, 409: 31 });
    assert.equal((await rowsOf(shop)).length, 1);
  });

  test("endpoints that move to one address: one is there", async () => {
    const shop = await openShop(service);
    const made: Body[] = [];
    for (let i = 0; i < 8; i++) made.push(await makeEndpoint(service, shop));
    const url = newUrl();
    const answers = await atOnce(32, (one, turn) =>
      at(one, shop, made[turn % 8].id, "PATCH", { url }),
    );
    // The winner's own repeats are no conflict.
    assert.deepEqual(tally(answers), { 200: 4, 409: 28 });
  });

  test("rotations: each answer's secret was the newest, and the last two sign", async () => {
    const shop = await openShop(service);
    const { id } = await makeEndpoint(service, shop);
    const answers = await atOnce(32, (one) => post(one, `/webhooks/${id}/rotate`, shop));
    assert.deepEqual(tally(answers), { 200: 32 });
    const shown = answers.map(({ body }) => body.data.secret);
    assert.equal(new Set(shown).size, 32);
    const [row] = await rowsOf(shop);
    assert(row !== undefined);
    const signing = secretsOf(service.ctx.config.wrappingKeys, row, row.now);
    assert.equal(signing.length, 2);
    for (const secret of signing) assert(shown.includes(secret));
  });

  test("deletions: one 200, the others 404", async () => {
    const shop = await openShop(service);
    const { id } = await makeEndpoint(service, shop);
    const answers = await atOnce(32, (one) => at(one, shop, id, "DELETE"));
    assert.deepEqual(tally(answers), { 200: 1, 404: 31 });
  });

  test("replays of one endpoint: each is done, and no delivery is there twice", async () => {
    const shop = await openShop(service);
    await happen(service, shop, Array(20).fill("payment.success"));
    const { id } = await makeEndpoint(service, shop);
    const json = { since: "2020-01-01T00:00:00Z" };
    const answers = await atOnce(32, (one) => post(one, `/webhooks/${id}/replay`, shop, { json }));
    assert.deepEqual(tally(answers), { 202: 32 });
    const rows = sql`select 1 from webhook_deliveries where endpoint_id = ${id}`;
    assert.equal((await service.ctx.db.rows(rows)).length, 20);
  });
});

test("everything at once with a deletion: each came before it or is refused, and nothing waits", async () => {
  const shop = await openShop(service);
  await happen(service, shop, Array(10).fill("payment.success"));
  const { id } = await makeEndpoint(service, shop);
  const json = { since: "2020-01-01T00:00:00Z" };
  const happening = happen(service, shop, Array(10).fill("payment.failed"));
  const answers = await atOnce(40, (one, turn) => {
    if (turn === 20) return at(one, shop, id, "DELETE");
    const status = turn % 8 < 4 ? "active" : "disabled";
    return turn % 4 === 0
      ? post(one, `/webhooks/${id}/replay`, shop, { json })
      : turn % 4 === 1
        ? at(one, shop, id, "PATCH", { status })
        : turn % 4 === 2
          ? post(one, `/webhooks/${id}/test`, shop)
          : post(one, `/webhooks/${id}/rotate`, shop);
  });
  await happening;
  assert.equal(answers[20]?.status, 200);
  for (const { status, text } of answers) assert([200, 202, 404, 409].includes(status), text);
  const late = await atOnce(4, (one) => post(one, `/webhooks/${id}/replay`, shop, { json }));
  assert.deepEqual(tally(late), { 404: 4 });
  const waiting = sql`
    select 1 from webhook_deliveries where endpoint_id = ${id} and state = 'waiting'`;
  assert.deepEqual(await service.ctx.db.rows(waiting), []);
});
