/**
 * The only writer of the ledger (Decision 0024).
 *
 * The rule that matters: one statement, `post_to_ledger`, locks every balance it needs in the order
 * of names, tries the postings one after another, and writes those that no balance forbids. A
 * refusal is an answer and not an error of the database, so a tx goes on after it. `createPoster`
 * next door gathers postings that need no tx of their own.
 */

import assert from "node:assert/strict";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
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

/** Locks stay until the tx ends, so let this be the last thing that it does. */
export async function post(tx: Tx, posting: Posting): Promise<PostOutcome> {
  const [outcome] = await postBatch(tx, [posting]);
  if (outcome instanceof Error) throw outcome;
  assert(outcome !== undefined);
  return outcome;
}

/** Each on its own, in this order: one that is refused leaves the others as they are. */
export async function postBatch(
  tx: Tx,
  postings: readonly Posting[],
): Promise<(PostOutcome | InsufficientFunds | PostingIdReused)[]> {
  const outcomes: (PostOutcome | InsufficientFunds | PostingIdReused)[] = [];
  // An id that comes twice goes in two rounds: the second finds what the first has left.
  for (const round of roundsOf(postings)) {
    const entries = round.map(({ posting }) => ({ posting, legs: legsOf(posting) }));
    const answers = await write(tx, entries);
    for (const [at, entry] of entries.entries()) {
      const place = round[at]?.place ?? -1;
      outcomes[place] = await outcomeOf(tx, entry, answers[at]);
    }
  }
  return outcomes;
}

interface Placed {
  readonly posting: Posting;
  readonly place: number;
}

function roundsOf(postings: readonly Posting[]): Placed[][] {
  const rounds: Placed[][] = [];
  const seen = new Map<string, number>();
  for (const [place, posting] of postings.entries()) {
    const id = `${posting.environment} ${posting.postingId}`;
    const round = seen.get(id) ?? 0;
    seen.set(id, round + 1);
    rounds[round] ??= [];
    rounds[round].push({ posting, place });
  }
  return rounds;
}

async function outcomeOf(
  tx: Tx,
  entry: Entry,
  answer: string | undefined,
): Promise<PostOutcome | InsufficientFunds | PostingIdReused> {
  if (answer === "posted") return answer;
  if (answer === "short") return new InsufficientFunds(entry.posting.postingId);
  assert.equal(answer, "known");
  return (await isStored(tx, entry)) ? "repeated" : new PostingIdReused(entry.posting);
}

async function write(tx: Tx, entries: readonly Entry[]): Promise<string[]> {
  const { outcomes } = await tx.one(statementOf(entries));
  return outcomes;
}

const POST = `
  select post_to_ledger($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[],
    $7::integer[], $8::integer[], $9::text[], $10::bigint[]) as outcomes`;

/** Columns of postings, then the accounts, then columns of legs that name accounts by place. */
function statementOf(entries: readonly Entry[]) {
  const postings = entries.map(({ posting }) => posting);
  const legs = entries.flatMap((entry) => entry.legs);
  const names = [...new Set(legs.flatMap(({ debit, credit }) => [debit, credit]))].sort();
  const places = new Map(names.map((name, index) => [name, index + 1]));
  return {
    name: "post-to-ledger",
    text: POST,
    shape: { outcomes: texts },
    values: [
      postings.map(({ environment }) => environment),
      postings.map(({ postingId }) => postingId),
      postings.map(({ occasion }) => occasion),
      postings.map(({ reference }) => reference),
      entries.map((entry) => entry.legs.length),
      names,
      legs.map(({ debit }) => places.get(debit)),
      legs.map(({ credit }) => places.get(credit)),
      legs.map(({ currency }) => currency),
      legs.map(({ amountMinor }) => amountMinor),
    ],
  };
}

/** What the books say of the posting's id; undefined: nothing. */
export async function findPosted(
  db: Queryable,
  posting: Posting,
): Promise<"repeated" | PostingIdReused | undefined> {
  const { environment, postingId } = posting;
  const found = await db.maybeOne(sqlOf({})`
    select from ledger_postings where environment = ${environment} and posting_id = ${postingId}`);
  if (found === undefined) return undefined;
  const isThis = await isStored(db, { posting, legs: legsOf(posting) });
  return isThis ? "repeated" : new PostingIdReused(posting);
}

const POSTING = pick(tables.ledger_postings, "occasion", "reference");

/** Whether the posting of this id is this one, to the last leg. */
async function isStored(db: Queryable, { posting, legs }: Entry): Promise<boolean> {
  const { environment, postingId } = posting;
  const stored = await db.rows(sqlOf({
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
