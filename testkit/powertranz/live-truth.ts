/**
 * Compares what the fake acquirer truly did with what we say: each payment that we call paid is one
 * sale that stands, for its amount, and no other sale stands; each refund was made once.
 */

import assert from "node:assert/strict";
import type { Database } from "../../src/infra/db/database.ts";
import { sql } from "../../src/infra/db/query.ts";
import { describeDifference } from "../../src/modules/ledger/difference.ts";
import { paymentOf } from "../../src/modules/settlement/known-orders.ts";
import { reconcileRecords } from "../../src/modules/transactions/reconcile-records.ts";
import { reconcileChecks } from "../../src/modules/trusted-cards/reconcile-checks.ts";
import { expectBooksToBalance } from "../books.ts";
import type { TransactionTruth } from "./control-door.ts";
import type { PowertranzFake } from "./fake.ts";
import { assertFakeInvariant } from "./invariant.ts";

interface Payment {
  readonly id: string;
  readonly status: string;
  readonly minor: number;
}

interface GivenBack {
  readonly reference: string;
  readonly minor: number;
}

/** Sentences, each naming a payment; all empty when all is well. */
export interface LiveDifferences {
  /** Paid at the acquirer and not here, or here and not there. */
  readonly lost: readonly string[];
  /** Charged or refunded more than once. */
  readonly doubled: readonly string[];
  /** Something is still asked about. */
  readonly undecided: readonly string[];
}

export async function compareWithFake(
  db: Database,
  fake: Pick<PowertranzFake, "control">,
): Promise<LiveDifferences> {
  const sales = await fake.control.transactions();
  const standing = Map.groupBy(sales.filter(wasNotUndone), (one) => paymentOf(one.orderIdentifier));
  const payments = await paymentsIn(db);
  const known = new Set(payments.map(({ id }) => id));
  const refunds = compareRefunds(await givenBack(db), sales);
  return {
    lost: [
      ...payments.flatMap((one) => compareSales(one, standing.get(one.id) ?? [])),
      ...[...standing.keys()].filter((id) => !known.has(id)).map((id) => `${id} is not known`),
      ...refunds.lost,
    ],
    doubled: [
      ...[...standing].flatMap(([id, { length }]) =>
        length > 1 ? [`${id} is paid ${length} times`] : [],
      ),
      ...sales.flatMap(({ orderIdentifier, chargeCount }) =>
        chargeCount > 1 ? [`${orderIdentifier} was charged ${chargeCount} times`] : [],
      ),
      ...refunds.doubled,
    ],
    undecided: await undecidedIn(db),
  };
}

/** The end of every test of live payments. */
export async function expectLiveToAddUp(
  db: Database,
  fake: Pick<PowertranzFake, "control">,
): Promise<void> {
  assert.deepEqual(await compareWithFake(db, fake), { lost: [], doubled: [], undecided: [] });
  await assertFakeInvariant(fake, { paymentOf });
  await expectBooksToBalance(db);
  const records = await reconcileRecords({ db, otherHolds: [] });
  const checks = await reconcileChecks(db);
  const differences = [...records.differences, ...checks.differences];
  assert.deepEqual(differences.map(describeDifference), []);
}

/** Money was taken, and was not taken back as a whole. */
function wasNotUndone({ isApproved, isVoided, refunds }: TransactionTruth): boolean {
  return isApproved && !isVoided && !refunds.some(isOfVoid);
}

/** A late approval that could not be voided any more is refunded under this reference. */
function isOfVoid({ externalIdentifier }: { externalIdentifier: string | undefined }): boolean {
  return externalIdentifier?.startsWith("void-") ?? false;
}

function compareSales(payment: Payment, standing: readonly TransactionTruth[]): string[] {
  const { id, status, minor } = payment;
  const isPaid = status === "success";
  if (isPaid !== standing.length > 0)
    return [`${id} is ${status} here, and ${standing.length} sales stand at the acquirer`];
  const others = standing.filter(({ amountMinor }) => amountMinor !== minor);
  return others.map(({ amountMinor }) => `${id} is ${minor} here and ${amountMinor} there`);
}

function compareRefunds(ours: readonly GivenBack[], sales: readonly TransactionTruth[]) {
  const theirs = Map.groupBy(
    sales.flatMap(({ refunds }) => refunds).filter((one) => !isOfVoid(one)),
    ({ externalIdentifier }) => externalIdentifier ?? "",
  );
  const amountThere = ({ reference }: GivenBack) => theirs.get(reference)?.[0]?.amountMinor;
  const known = new Set(ours.map(({ reference }) => reference));
  return {
    lost: [
      ...ours
        .filter((one) => amountThere(one) !== one.minor)
        .map((one) => `refund ${one.reference} is not there`),
      ...[...theirs.keys()]
        .filter((one) => !known.has(one))
        .map((one) => `refund ${one} is not here`),
    ],
    doubled: [...theirs].flatMap(([reference, { length }]) =>
      length > 1 ? [`refund ${reference} was made ${length} times`] : [],
    ),
  };
}

function paymentsIn(db: Database): Promise<Payment[]> {
  return db.rows<Payment>(sql`
    select transaction_id as id, status, customer_total_minor::int as minor
    from transactions join checkout_sessions using (transaction_id) where environment = 'live'
    union all
    select transaction_id, status, amount_minor::int from card_checks where environment = 'live'`);
}

function givenBack(db: Database): Promise<GivenBack[]> {
  return db.rows<GivenBack>(sql`
    select refund_id::text as reference, amount_minor::int as minor
    from refunds where state = 'refunded' and transaction_id not like 'SB-%'
    union all
    select return_reference::text, amount_minor::int from card_checks
    where return_state = 'returned' and environment = 'live'`);
}

/** What is still asked about, each in a sentence. */
export async function undecidedIn(db: Database): Promise<string[]> {
  const rows = await db.rows<{ what: string }>(sql`
    select transaction_id || ': a card is ' || state as what from checkout_attempts
    where next_ask_at is not null
    union all
    select transaction_id || ' is ' || status from transactions
    join checkout_sessions using (transaction_id) where status = 'incomplete'
    union all
    select transaction_id || ' is ' || status from card_checks where status = 'incomplete'
    union all
    select 'refund ' || refund_id || ' is ' || state from refunds where ended_at is null
    union all
    select transaction_id || ' is to be returned' from card_checks where return_state = 'due'`);
  return rows.map(({ what }) => what);
}
