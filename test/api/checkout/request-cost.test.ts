/**
 * A payment request costs the same however many came before it: what is planned while the tables
 * are small reads no more of them when they are large (Decision 0036), and none of it is planned
 * over and over (Decision 0061).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openDatabase } from "../../../src/infra/db/database.ts";
import { type Queryable, sql } from "../../../src/infra/db/query.ts";
import type { Tx } from "../../../src/infra/db/transaction.ts";
import { createLog } from "../../../src/infra/log.ts";
import { readFields } from "../../../src/kit/fields/field.ts";
import { createMerchantFinder } from "../../../src/modules/checkout/request/merchants.ts";
import { openCheckouts } from "../../../src/modules/checkout/request/open-checkouts.ts";
import { paymentRequestOf } from "../../../src/modules/checkout/request/payment-request.ts";
import { requestFields, rulesOf } from "../../../src/modules/checkout/request/request-fields.ts";
import { isAnyWaiting, numberEvents } from "../../../src/modules/events/number-events.ts";
import { fanOut } from "../../../src/modules/webhooks/fan-out.ts";
import { minimal } from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { insertEndpoint } from "../../../testkit/webhooks.ts";

/** Enough to tempt a planner to read all of a small table instead of looking for each. */
const FEW = 30;
const MANY = 1_500;
/** PostgreSQL plans anew five times before it keeps a plan. */
const TIMES_UNTIL_KEPT = 7;

const service = await startService();
const { config } = service.ctx;
// One connection: plans are kept by each for itself.
const openAlone = () =>
  openDatabase({
    url: service.database.url,
    connectionsMax: 1,
    log: createLog({ level: "silent" }),
  });
const db = openAlone();
after(async () => {
  await db.close();
  await service.stop();
});

const { accountNumber } = await service.world.merchant();
const fields = requestFields(rulesOf(config));
const asked = (count: number) =>
  Array.from({ length: count }, () => ({
    request: paymentRequestOf(readFields(fields, minimal(accountNumber))),
    at: new Date(),
  }));

/** What a connection read before is reported once it is idle, but not at once. */
async function countAnew(): Promise<void> {
  await db.run(sql`select pg_stat_force_next_flush()`);
}

/** Since then, from tables that grow with every request. */
async function rowsRead(tx: Queryable): Promise<number> {
  const { count } = await tx.one<{ count: bigint }>(sql`
    select sum(seq_tup_read + idx_tup_fetch)::bigint as count from pg_stat_xact_user_tables
    where relname in ('transactions', 'checkout_sessions', 'events')`);
  return Number(count);
}

async function open(count: number): Promise<number> {
  await countAnew();
  return db.transaction(async (tx) => {
    const opened = await openCheckouts(config, tx, asked(count));
    assert(opened.every((one) => one !== undefined));
    return rowsRead(tx);
  });
}

async function number(): Promise<number> {
  await countAnew();
  let read = Number.NaN;
  const run = async (tx: Tx) => {
    read = await rowsRead(tx);
  };
  await numberEvents(db, { name: "count", wanted: sql`true`, run });
  return read;
}

const readForFew = async () => ({ opening: await open(FEW), numbering: await number() });

test("opening and numbering read as little after many requests as after few", async () => {
  // As autovacuum leaves a new database: with tables known to be empty, all of one looks cheap.
  await db.run(sql`vacuum analyze`);
  const first = await readForFew();
  for (let time = 2; time <= TIMES_UNTIL_KEPT; time++) await readForFew();
  await open(MANY);
  while (!Number.isNaN(await number()));
  const { opening, numbering } = await readForFew();
  const told = (rows: number, then: number) => `${FEW} read ${rows} rows, and ${then} at first`;
  assert(opening <= first.opening, `opening ${told(opening, first.opening)}`);
  assert(numbering <= first.numbering, `numbering ${told(numbering, first.numbering)}`);
});

const PREPARED = [
  "find-merchants",
  "open-checkouts",
  "find-events-to-number",
  "take-turn-to-number",
  "number-events-fan-out",
  "begin-fan-out",
  "fan-out-events",
];

test("every statement of a request and its event soon has a plan that is kept", async (t) => {
  const fresh = openAlone();
  t.after(() => fresh.close());
  const endpoint = { accountNumber, environment: "sandbox", url: "https://shop.example" } as const;
  await insertEndpoint(fresh, config.wrappingKeys, endpoint);
  const find = createMerchantFinder(fresh, 1_000);
  for (let time = 1; time <= TIMES_UNTIL_KEPT; time++) {
    await find({ accountNumber, environment: "sandbox", countryCode: "TT" });
    await fresh.transaction((tx) => openCheckouts(config, tx, asked(1)));
    await isAnyWaiting(fresh);
    await numberEvents(fresh, fanOut);
  }
  const planned = await fresh.rows<{ name: string; is_kept: boolean }>(sql`
    select name, generic_plans > 0 as is_kept from pg_prepared_statements order by name`);
  const names = planned.map(({ name }) => name);
  for (const name of PREPARED) assert(names.includes(name), `${name} is among ${names}`);
  assert.deepEqual(
    planned.filter(({ is_kept }) => !is_kept),
    [],
  );
});
