/**
 * A copy of the database opens no payment page: no address that is answered under an
 * Idempotency-Key stands in it in clear, and a repeat gets the same bytes (Decision 0006).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { raw } from "sql-template-tag";
import { sql } from "../../../src/infra/db/query.ts";
import { CHECKOUT_TOKEN } from "../../../src/modules/checkout/session/checkout-token.ts";
import { minimal, PATH as PAYMENT } from "../../../testkit/payment-requests.ts";
import { openedAnswers } from "../../../testkit/sealed-answers.ts";
import { startService } from "../../../testkit/service.ts";
import {
  closeService,
  newCharge,
  openShop,
  orderOf,
  RESPONSE_URL,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";

const service = await startService();
const { ctx } = service;
after(() => closeService(service));

const shop = await openShop(service);
const { uuid } = await verifiedCard(service, { shop });

/** Every row of every table, as text: bytes stand there in hex. */
async function wholeDatabase(): Promise<Map<string, string>> {
  const tables = await ctx.db.rows<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`);
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await ctx.db.rows<{ line: string }>(sql`
      select one::text as line from ${raw(name)} as one`);
    texts.set(name, rows.map(({ line }) => line).join("\n"));
  }
  return texts;
}

async function tablesWith(secret: string): Promise<string[]> {
  const shapes = [secret, Buffer.from(secret).toString("hex")];
  const holds = (text: string) => shapes.some((shape) => text.includes(shape));
  return [...(await wholeDatabase())].filter(([, text]) => holds(text)).map(([name]) => name);
}

test("the search finds a token in a text and in bytes", async () => {
  await ctx.db.run(sql`create table as_text as select 'see /checkout/sought.' as line`);
  await ctx.db.run(sql`create table as_bytes as select '/checkout/sought'::bytea as line`);
  assert.deepEqual((await tablesWith("sought")).sort(), ["public.as_bytes", "public.as_text"]);
  await ctx.db.run(sql`drop table as_text, as_bytes`);
});

const ASKED: Record<string, [path: string, json: Record<string, unknown>]> = {
  "a payment": [PAYMENT, minimal(shop.accountNumber)],
  "saving a card": ["/trusted-cards/", { environment: "sandbox", response_url: RESPONSE_URL }],
  "a charge": [`/trusted-cards/${uuid}/charge`, newCharge()],
};
for (const [what, [path, json]] of Object.entries(ASKED))
  test(`the page of ${what} stands nowhere, and its address is told again`, async () => {
    const key = `kept for ${what}`.replaceAll(" ", "-");
    const headers = { "idempotency-key": key };
    const send = () => service.request(path, { method: "POST", token: shop.token, json, headers });
    const first = await send();
    assert.equal(first.status, 200, first.text);
    const { token } = orderOf(first, shop);
    assert.match(token, CHECKOUT_TOKEN);
    assert.deepEqual(await openedAnswers(service, sql`idempotency_key = ${key}`), [first.text]);
    assert.deepEqual(await tablesWith(token), []);
    const again = await send();
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.deepEqual(await tablesWith(token), []);
    assert.equal((await service.request(`/checkout/${token}`)).status, 200);
  });
