/**
 * The guarantee: what the rehearsal of a split compares would show a row that is lost, doubled or
 * changed; and a chain of the house that two parts share is whole in each, and whole again
 * (Decision 0135).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type pg from "pg";
import { countShared } from "../../scripts/rehearse-split/chains.ts";
import { connect, readShapes, type TableShape } from "../../scripts/rehearse-split/database.ts";
import { askForeignKeys } from "../../scripts/rehearse-split/foreign-keys.ts";
import { jobsLeftBehind } from "../../scripts/rehearse-split/jobs.ts";
import { joinParts } from "../../scripts/rehearse-split/join.ts";
import { nameOwners } from "../../scripts/rehearse-split/owners.ts";
import { findOrphans, splitOff } from "../../scripts/rehearse-split/split.ts";
import {
  countKept,
  differences,
  houseOf,
  tallyOf,
  tallyTogether,
} from "../../scripts/rehearse-split/tallies.ts";
import { money } from "../../src/kit/money.ts";
import { post } from "../../src/modules/ledger/post.ts";
import type { Transfer } from "../../src/modules/ledger/posting.ts";
import { fraudConfirmed, fundsOpened } from "../../src/modules/ledger/recipes.ts";
import { type Books, expectBooksToBalance, makeMerchants, openBooks } from "../../testkit/books.ts";
import { patiently } from "../../testkit/until.ts";

interface Base extends Books {
  readonly client: pg.Client;
}

const bases: Base[] = [];

async function open(): Promise<Base> {
  const books = await openBooks({ connectionsMax: 2 });
  const base = { ...books, client: await connect(books.database.url) };
  bases.push(base);
  return base;
}

after(async () => {
  for (const { client, stop } of bases) {
    await client.end();
    await stop();
  }
});

// A connection that takes more than two seconds is none to the service: a busy machine's fault.
const balances = ({ db }: Base) => patiently(() => expectBooksToBalance(db));

let turn = 0;

function book(
  { db }: Base,
  occasion: string,
  { accountNumber, transfers }: { accountNumber: string; transfers: readonly Transfer[] },
) {
  const postingId = `${occasion} ${++turn}`;
  const posting = { postingId, environment: "live", occasion, transfers } as const;
  return patiently(() =>
    db.transaction((tx) => post(tx, { ...posting, reference: accountNumber })),
  );
}

const fund = (base: Base, accountNumber: string, minor: bigint) => {
  const transfers = fundsOpened({ accountNumber, amount: money("TTD", minor) });
  return book(base, "funds", { accountNumber, transfers });
};

/** Opens an account of the house that there was none of. */
const lose = (base: Base, accountNumber: string, minor: bigint) => {
  const sums = { amount: money("TTD", minor), covered: money("TTD", 1n) };
  return book(base, "fraud", {
    accountNumber,
    transfers: fraudConfirmed({ accountNumber, ...sums }),
  });
};

let origin: Base;
let parts: [Base, Base];
let shapes: TableShape[];
/** Their numbers end alike, so they share the house's chains. */
let one: string;
let two: string;

before(async () => {
  origin = await open();
  parts = [await open(), await open()];
  shapes = await readShapes(origin.client);
  const numbers = await patiently(() => makeMerchants(origin.db, 11));
  const alike = Map.groupBy(numbers, (number) => number.slice(-1));
  [one = "", two = ""] = [...alike.values()].find(({ length }) => length > 1) ?? [];
  for (const minor of [10n, 20n, 30n]) {
    await fund(origin, one, minor);
    await fund(origin, two, 100n * minor);
  }
  await nameOwners(origin.client, [[one], [two]]);
  const clients = parts.map(({ client }) => client);
  for (const part of [0, 1])
    await splitOff({ origin: origin.client, parts: clients, part }, shapes);
});

const both = () => parts.map(({ client }) => client);

describe("two parts that share a chain of the house", () => {
  test("each has books that balance, and together they have what was there", async () => {
    assert.equal(await countShared(both()), 1);
    for (const part of parts) await balances(part);
    const expected = await tallyTogether([origin.client], shapes);
    assert.deepEqual(differences("", await tallyTogether(both(), shapes), expected), []);
    assert.deepEqual(await houseOf(both()), await houseOf([origin.client]));
    assert.deepEqual(
      [...(await houseOf([parts[0].client])).values()],
      [{ rows: 3, sum: -60n }],
      "the first part's links are of the first merchant alone",
    );
  });

  test("brought back they are what they were, each link in its place", async () => {
    const back = await open();
    await joinParts(both(), back.client, shapes);
    const expected = await tallyOf(origin.client, shapes);
    assert.deepEqual(differences("", await tallyOf(back.client, shapes), expected), []);
    await balances(back);
  });

  test("both are posted to, and what either opened is one account of the house", async () => {
    await fund(parts[0], one, 7n);
    await fund(parts[1], two, 70n);
    await lose(parts[0], one, 5n);
    await lose(parts[1], two, 50n);
    for (const part of parts) await balances(part);
    const joined = await open();
    await joinParts(both(), joined.client, shapes);
    await balances(joined);
    const expected = await tallyTogether(both(), shapes);
    assert.deepEqual(differences("", await tallyTogether([joined.client], shapes), expected), []);
    assert.deepEqual(await houseOf([joined.client]), await houseOf(both()));
    assert.deepEqual(await countKept(origin.client, joined.client), [6, 6]);
    // Numbers that the parts drew are taken: the next account gets another.
    await lose(joined, one, 3n);
    await balances(joined);
  });
});

describe("what would be wrong is noticed", () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["lost", "delete from members where role = 'owner'", /^x: 0 rows of members instead of 11$/],
    [
      "doubled",
      `insert into sign_in_failures (account_number, address)
        select account_number, '::1' from accounts limit 1`,
      /^x: 1 rows of sign_in_failures instead of 0$/,
    ],
    [
      "changed",
      "update accounts set last_name = 'Other'",
      /^x: 11 rows of accounts say something else$/,
    ],
    [
      "taken from the house",
      "update ledger_balances set balance_minor = 0 where may_go_below_zero",
      /^x: 6 rows of live TTD opening_funds \d say something else$/,
    ],
  ];
  for (const [what, statement, complaint] of cases)
    test(`a row that is ${what}`, async () => {
      const { client } = origin;
      const was = await tallyTogether([client], shapes);
      const house = await houseOf([client]);
      await client.query("begin");
      await client.query(statement);
      const found = [
        ...differences("x", await tallyTogether([client], shapes), was),
        ...differences("x", await houseOf([client]), house),
      ];
      await client.query("rollback");
      assert.equal(found.length, 1, found.join());
      assert.match(found[0] ?? "", complaint);
    });

  test("a posting with money of two merchants", async () => {
    const { client } = origin;
    assert.deepEqual(await findOrphans(client, shapes), []);
    await client.query("begin");
    await client.query(
      `update ledger_transfers set credit_entry = 99, credit_account_id = (
         select ledger_account_id from ledger_accounts where account_number = $1)
       where posting_id = 'funds 1'`,
      [two],
    );
    const found = await findOrphans(client, shapes);
    await client.query("rollback");
    assert.deepEqual(found, ["1 postings are of two merchants"]);
  });

  test("a job that nothing would add again", async () => {
    const { client } = origin;
    await client.query("begin");
    for (const name of ["send-reset-link", "settle-refund", "add-up-counts"])
      await client.query("select graphile_worker.add_job($1)", [name]);
    const { line, complaints } = await jobsLeftBehind(client);
    await client.query("rollback");
    assert.match(line, /: 1 add-up-counts, 1 send-reset-link, 1 settle-refund$/);
    assert.deepEqual(complaints, ["1 jobs send-reset-link would be lost"]);
  });

  test("a row that leads nowhere, and one that leads to no account", async () => {
    const { client } = origin;
    await client.query("begin");
    await client.query("delete from persons where holder_of = $1", [one]);
    const { complaints } = await askForeignKeys(client);
    await client.query(`
      insert into receipts_due (record_id, kind) values ('nobody''s', 'payment')`);
    const orphans = await findOrphans(client, shapes);
    await client.query("rollback");
    assert.deepEqual(complaints, [
      "1 rows of members break a_member_is_a_person",
      "1 rows of members break a_member_is_no_operator",
    ]);
    assert.deepEqual(orphans, ["1 rows of receipts_due lead to no account"]);
    assert.deepEqual((await askForeignKeys(client)).complaints, []);
  });
});
