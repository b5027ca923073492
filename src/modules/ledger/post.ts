/**
 * The only writer of the ledger (Decision 0024).
 *
 * One statement, `post_to_ledger`, locks every balance it needs in the order of names, tries the
 * postings one after another, and writes those that no balance forbids. A refusal is a result and
 * not a database error, so the tx can go on.
 */

import assert from "node:assert/strict";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, text, texts } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import {
  InsufficientFunds,
  type Leg,
  legsOf,
  type Posting,
  PostingIdReused,
  type PostOutcome,
} from "./posting.ts";

interface Entry {
  readonly posting: Posting;
  readonly legs: readonly Leg[];
}

/** Its locks are held until the tx ends, so a tx should post last. */
export async function post(tx: Tx, posting: Posting): Promise<PostOutcome> {
  const [outcome] = await postBatch(tx, [posting]);
  if (outcome instanceof Error) throw outcome;
  assert(outcome !== undefined);
  return outcome;
}

/**
 * In this order, and independent of each other: a refused posting leaves the others as they are.
 */
export async function postBatch(
  tx: Tx,
  postings: readonly Posting[],
): Promise<(PostOutcome | InsufficientFunds | PostingIdReused)[]> {
  const outcomes: (PostOutcome | InsufficientFunds | PostingIdReused)[] = [];
  // A repeated id goes into a second round, which finds what the first has written.
  for (const round of roundsOf(postings)) {
    const results = (await tx.one(statementOf(round))).outcomes;
    for (const [at, entry] of round.entries())
      outcomes[entry.index] = await outcomeOf(tx, entry, results[at]);
  }
  return outcomes;
}

function roundsOf(postings: readonly Posting[]) {
  const rounds: (Entry & { index: number })[][] = [];
  const seen = new Map<string, number>();
  for (const [index, posting] of postings.entries()) {
    const id = `${posting.environment} ${posting.postingId}`;
    const round = seen.get(id) ?? 0;
    seen.set(id, round + 1);
    rounds[round] ??= [];
    rounds[round].push({ posting, legs: legsOf(posting), index });
  }
  return rounds;
}

async function outcomeOf(
  tx: Tx,
  entry: Entry,
  result: string | undefined,
): Promise<PostOutcome | InsufficientFunds | PostingIdReused> {
  if (result === "posted") return result;
  if (result === "short") return new InsufficientFunds(entry.posting.postingId);
  assert.equal(result, "known");
  return (await isStored(tx, entry)) ? "repeated" : new PostingIdReused(entry.posting);
}

/** Columns of postings, then the accounts, then columns of legs, which name accounts by index. */
function statementOf(entries: readonly Entry[]) {
  const postings = entries.map(({ posting }) => posting);
  const legs = entries.flatMap((entry) => entry.legs);
  const names = [...new Set(legs.flatMap(({ debit, credit }) => [debit, credit]))].sort();
  const indexes = new Map(names.map((name, index) => [name, index + 1]));
  return prepared(
    "post-to-ledger",
    sqlOf({ outcomes: texts })`
      select post_to_ledger(
        ${postings.map(({ environment }) => environment)}::text[],
        ${postings.map(({ postingId }) => postingId)}::text[],
        ${postings.map(({ occasion }) => occasion)}::text[],
        ${postings.map(({ reference }) => reference)}::text[],
        ${entries.map((entry) => entry.legs.length)}::integer[],
        ${names}::text[],
        ${legs.map(({ debit }) => indexes.get(debit))}::integer[],
        ${legs.map(({ credit }) => indexes.get(credit))}::integer[],
        ${legs.map(({ currency }) => currency)}::text[],
        ${legs.map(({ amountMinor }) => amountMinor)}::bigint[]) as outcomes`,
  );
}

const POSTING = pick(tables.ledger_postings, "occasion", "reference");

/** Whether the posting of this id is this one, to the last leg. */
async function isStored(tx: Tx, { posting, legs }: Entry): Promise<boolean> {
  const { environment, postingId } = posting;
  const stored = await tx.rows(sqlOf({
    ...POSTING,
    amount_minor: tables.ledger_transfers.amount_minor,
    debit: text,
    credit: text,
  })`
    select ${columns(POSTING)}, debit.name as debit, credit.name as credit, amount_minor
    from ledger_postings as posting
    join ledger_transfers using (environment, posting_id)
    join ledger_accounts as debit on debit.ledger_account_id = debit_account_id
    join ledger_accounts as credit on credit.ledger_account_id = credit_account_id
    where posting.environment = ${environment} and posting_id = ${postingId}
    order by leg`);
  return (
    stored.length === legs.length &&
    stored.every((row, at) => {
      const leg = legs[at];
      return (
        row.occasion === posting.occasion &&
        row.reference === posting.reference &&
        row.debit === leg?.debit &&
        row.credit === leg.credit &&
        row.amount_minor === leg.amountMinor
      );
    })
  );
}
