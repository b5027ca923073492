/**
 * Card numbers and security codes exist in the memory of a request alone: 200 of them are sent by
 * every way there is, good and bad, and then looked for in the database's files, its write-ahead
 * log, a dump of every table, the metrics, every answer and the log at its most talkative (Decision
 * 0040).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { register } from "prom-client";
import { sql } from "../../src/infra/db/query.ts";
import { passesLuhn } from "../../src/kit/card-network.ts";
import { formToken } from "../../src/modules/checkout/page/form-token.ts";
import type { Gateway } from "../../src/modules/gateway/port.ts";
import {
  CARDS,
  expectAllToAddUp,
  type Order,
  openOrder,
  sweep,
} from "../../testkit/checkout-sessions.ts";
import { codesIn, dumpTables, numbersIn } from "../../testkit/secrets-search.ts";
import { startService } from "../../testkit/service.ts";
import { askToSave, charge, orderOf, savedOf, verify } from "../../testkit/trusted-cards.ts";
import { until } from "../../testkit/until.ts";

const COUNT = 200;
/** Listed cards do what they do by their number; those of the canaries are taken as approved. */
const LISTED = Object.values(CARDS).map((number) => number.replaceAll(" ", ""));

interface Canary {
  readonly number: string;
  readonly cvv: string;
}

const trouble: { next: "none" | "throw" | "echo" } = { next: "none" };
const service = await startService({ settings: { LOG_LEVEL: "trace" } });
after(() => service.stop());
const real = service.ctx.gateways.sandbox;
assert(real !== undefined);

/** A gateway whose library puts what it was sent into errors and messages. */
const careless: Gateway = {
  ...real,
  async sale(sale) {
    const { number, cvv } = sale.card;
    if (trouble.next === "throw")
      throw new Error(`refused ${number} ${cvv}`, { cause: { sale, number, cvv } });
    if (trouble.next === "echo")
      return { outcome: "declined", code: "05", message: `Card ${number} is declined.` };
    return real.sale(sale);
  },
};
Object.assign(service.ctx.gateways, { sandbox: careless });

const { lsn: beganAt } = await service.ctx.db.one<{ lsn: string }>(sql`
  select pg_current_wal_insert_lsn()::text as lsn`);

const canaries = Array.from({ length: COUNT }, (_, index) => canaryOf(index));

function canaryOf(index: number): Canary {
  const prefix = index % 2 === 0 ? "427" : "537";
  const body = prefix + String(734_562_819_321 + index * 7_919_337).padStart(12, "0");
  const last = [..."0123456789"].find((digit) => passesLuhn(body + digit)) ?? "";
  return { number: body + last, cvv: String(101 + ((index * 37) % 899)) };
}

const answers: string[] = [];
const spaced = (number: string) => number.replace(/(\d{4})(?=\d)/g, "$1 ");

async function post(
  order: Order,
  canary: Canary,
  more: Record<string, string> = {},
  at = "",
): Promise<number> {
  const answer = await service.request(`/checkout/${order.token}${at}`, {
    method: "POST",
    headers: { origin: service.url },
    form: {
      form_token: formToken(service.ctx.config, order.token),
      attempts: "0",
      number: spaced(canary.number),
      expiry: "12/39",
      cvv: canary.cvv,
      holder: "Anika Mohammed",
      ...more,
    },
  });
  answers.push(answer.text, JSON.stringify([...answer.headers]));
  return answer.status;
}

/** Each way a card can be sent; what is answered is told. */
const WAYS: readonly ((order: Order, canary: Canary) => Promise<number>)[] = [
  (order, canary) => post(order, canary),
  (order, canary) => post(order, { ...canary, number: canary.number.replace(/.$/, "x") }),
  (order, canary) => post(order, canary, { expiry: "01/20" }),
  (order, canary) => post(order, canary, { holder: canary.number, addr1: spaced(canary.number) }),
  (order, canary) => post(order, canary, { form_token: "forged" }),
  (order, canary) => post(order, canary, { attempts: "4" }),
  (order, canary) => post(order, canary, {}, "/challenge"),
  (order, canary) => post(order, canary, {}, "/back"),
  (order, canary) => post({ ...order, token: "a".repeat(43) }, canary),
  async (order, canary) => {
    trouble.next = "throw";
    const status = await post(order, canary);
    trouble.next = "none";
    return status;
  },
  async (order, canary) => {
    trouble.next = "echo";
    const status = await post(order, canary);
    trouble.next = "none";
    return status;
  },
  async (order, canary) => {
    const body = `number=${canary.number}&cvv=${canary.cvv}&%zz`;
    const type = "application/x-www-form-urlencoded";
    const raw = { type, body };
    const answer = await service.request(`/checkout/${order.token}`, { method: "POST", raw });
    answers.push(answer.text);
    return answer.status;
  },
  async (order, canary) => {
    const query = `?number=${canary.number}&cvv=${canary.cvv}`;
    const answer = await service.request(`/checkout/${order.token}${query}`);
    answers.push(answer.text);
    return answer.status;
  },
  async ({ shop }, canary) => post(await askToSave(service, shop), canary),
  async ({ shop }, canary) => {
    const saving = await askToSave(service, shop);
    trouble.next = "echo";
    const status = await post(saving, canary);
    trouble.next = "none";
    return status;
  },
  (order, canary) => saveAndCharge(order, canary, "none"),
  (order, canary) => saveAndCharge(order, canary, "throw"),
  (order, canary) => saveAndCharge(order, canary, "echo"),
];

/** A card that is kept is sealed; what the gateway does with it at a charge is no better. */
async function saveAndCharge(
  { shop }: Order,
  canary: Canary,
  next: typeof trouble.next,
): Promise<number> {
  const saving = await askToSave(service, shop);
  await post(saving, canary);
  const card = await savedOf(service, saving);
  const responses = [await verify(service, card, card.amount)];
  const path = `/trusted-cards/${card.uuid}`;
  const { token } = shop;
  responses.push(await service.request(path, { token }));
  const charged = await charge(service, card);
  const order = orderOf(charged, shop);
  responses.push(charged, await service.request(`/checkout/${order.token}`));
  trouble.next = next;
  const status = await post(order, { ...canary, number: "" });
  trouble.next = "none";
  responses.push(await service.request(path, { method: "DELETE", token }));
  answers.push(...responses.map(({ text }) => text));
  return status;
}

const CHUNK_BYTES = 4 * 1024 * 1024;
/** So that nothing is cut in two. */
const OVERLAP_BYTES = 64;

/**
 * The files of this database, and the write-ahead log since this began, as the server has them on
 * its disk.
 */
async function readFiles(): Promise<{ file: string; text: string }[]> {
  const { db } = service.ctx;
  await db.run(sql`checkpoint`);
  const files = await db.rows<{ file: string; size: bigint }>(sql`
    with folder as (
      select 'base/' || oid as name from pg_database where datname = current_database()
    ), files as (
      select folder.name || '/' || entry as file from folder, pg_ls_dir(folder.name) as entry
      union all
      select 'pg_wal/' || name from pg_ls_waldir()
      where name between pg_walfile_name(${beganAt}::pg_lsn)
        and pg_walfile_name(pg_current_wal_insert_lsn())
    )
    select file, (pg_stat_file(file)).size from files where (pg_stat_file(file)).size > 0`);
  const texts: { file: string; text: string }[] = [];
  for (const { file, size } of files)
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const { bytes } = await db.one<{ bytes: Buffer }>(sql`
        select pg_read_binary_file(${file}, ${at}, ${CHUNK_BYTES + OVERLAP_BYTES}) as bytes`);
      texts.push({ file, text: bytes.toString("latin1") });
    }
  return texts;
}

test("200 cards by every way leave no trace", async () => {
  const searched = new Set([...canaries.map(({ number }) => number), ...LISTED]);
  const codes = new Set(canaries.map(({ cvv }) => cvv));
  const statuses = new Map<number, number>();
  const { shop } = await openOrder(service);
  for (const [index, canary] of canaries.entries()) {
    const order = await openOrder(service, { shop, isAvs: index % 5 === 4 });
    const way = WAYS[index % WAYS.length];
    const status = await way?.(order, canary);
    statuses.set(status ?? 0, (statuses.get(status ?? 0) ?? 0) + 1);
  }
  for (const number of LISTED)
    await post(await openOrder(service, { shop }), { number, cvv: "739" });
  await service.clock.advance({ seconds: 40 });
  await sweep(service);
  await service.clock.advance({ minutes: 10 });
  await sweep(service);
  await service.numberEvents();
  for (const status of [303, 403, 404, 422]) assert(statuses.has(status), `${status} never came`);

  const dumped = await dumpTables(service.ctx.db);
  assert(dumped.length > COUNT);
  assert(service.logged.length > COUNT);
  const places = {
    log: service.logged,
    dump: dumped,
    metrics: [await register.metrics()],
    files: (await readFiles()).map(({ text }) => text),
    answers,
  };
  // The page itself names some of the listed ones, to try.
  const numbers = new Set(canaries.map(({ number }) => number));
  for (const [place, texts] of Object.entries(places))
    assert.deepEqual(
      texts?.flatMap((text) => numbersIn(text, place === "answers" ? numbers : searched)),
      [],
      place,
    );
  assert.deepEqual(codesIn(service.logged, codes), []);
  assert.deepEqual(codesIn(dumped, codes), []);
  await expectAllToAddUp(service);
});

test("the search finds a card and a code that are there", async () => {
  const [canary] = canaries;
  assert(canary !== undefined);
  const searched = new Set([canary.number]);
  const codes = new Set([canary.cvv]);
  const { db } = service.ctx;
  await db.run(sql`create table planted (number text, cvv text)`);
  await db.run(sql`insert into planted values (${canary.number}, ${canary.cvv})`);
  const dumped = await dumpTables(service.ctx.db);
  assert.deepEqual(
    dumped.flatMap((text) => numbersIn(text, searched)),
    [canary.number],
  );
  assert.deepEqual(codesIn(dumped, codes), [canary.cvv]);
  // Again and again: a file of the write-ahead log that others have filled meanwhile is gone.
  await until(async () => {
    await db.run(sql`insert into planted values (${canary.number}, ${canary.cvv})`);
    const found = (await readFiles()).filter(({ text }) => numbersIn(text, searched).length > 0);
    const places = new Set(found.map(({ file }) => file.split("/")[0]));
    return places.has("base") && places.has("pg_wal");
  }, "it is found in a table's file and in the write-ahead log");
  assert.deepEqual(numbersIn(`card=${spaced(canary.number)}&`, searched), [canary.number]);
});
