/**
 * The amounts that prove cards are held against the books: what is missing, what is booked twice
 * and what belongs to nobody is named (Decisions 0024 and 0043).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import { describeDifference } from "../../../src/modules/ledger/difference.ts";
import { reconcileChecks } from "../../../src/modules/trusted-cards/reconcile-checks.ts";
import { startService } from "../../../testkit/service.ts";
import {
  closeService,
  openShop,
  saveCard,
  tidyUp,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";

const service = await startService();
const { db } = service.ctx;
after(() => closeService(service));
const shop = await openShop(service);

/** As somebody who gets past every rule of the database. */
const byForce = (...statements: Sql[]) =>
  db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.run(statement);
  });
const found = async () => (await reconcileChecks(db)).differences.map(describeDifference);

test("all agrees, and every check is matched, also one that nobody paid", async () => {
  await saveCard(service, { shop });
  await verifiedCard(service, { shop });
  await tidyUp(service);
  const { recordCount, differenceCount } = await reconcileChecks(db);
  assert.deepEqual([recordCount, differenceCount], [2, 0]);
});

test("a return without its posting is named, with what should have moved", async () => {
  const { id } = await saveCard(service, { shop });
  const write = (state: string, at: Sql) => sql`
    update card_checks set return_state = ${state}, returned_at = ${at}
    where transaction_id = ${id}`;
  await byForce(write("returned", sql`app_now()`));
  const [difference, ...others] = await found();
  assert.match(
    difference ?? "",
    new RegExp(`${id}.*should have moved 0\\.73 USD from .*card_checks`),
  );
  assert.deepEqual(others, []);
  await byForce(write("none", sql`null`));
});

test("an amount that was booked twice is named, although it is the right one", async () => {
  const { id } = await saveCard(service, { shop });
  await byForce(sql`
    insert into ledger_transfers
    select (jsonb_populate_record(transfer, jsonb_build_object('leg', leg + 1,
      'debit_entry', debit_entry + 1000, 'credit_entry', credit_entry + 1000))).*
    from ledger_transfers as transfer where posting_id = ${`card_check_charged ${id}`}`);
  const [difference, ...others] = await found();
  assert.match(difference ?? "", /moved 0\.73 USD .*which no record explains/);
  assert.deepEqual(others, []);
  await byForce(sql`
    delete from ledger_transfers
    where posting_id = ${`card_check_charged ${id}`} and debit_entry > 1000`);
});

test("a posting of a check that is not there is named", async () => {
  await byForce(sql`
    insert into ledger_postings (environment, posting_id, occasion, reference)
    values ('sandbox', 'card_check_charged SB-none', 'card_check_charged', 'SB-none')`);
  assert.match((await found()).join(), /SB-none is of a transaction that is not there/);
  await byForce(sql`delete from ledger_postings where reference = 'SB-none'`);
});
