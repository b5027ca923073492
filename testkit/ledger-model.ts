/**
 * A ledger in plain memory, and a random business that is done on it and on the real one: what each
 * posting answers and what each account has must be the same, whatever the seed.
 */

import assert from "node:assert/strict";
import type { Database } from "../src/infra/db/database.ts";
import { sql } from "../src/infra/db/query.ts";
import { CURRENCIES, money } from "../src/kit/money.ts";
import { ledgerAccountName, MERCHANT_KINDS } from "../src/modules/ledger/chart-of-accounts.ts";
import { postBatch } from "../src/modules/ledger/post.ts";
import {
  InsufficientFunds,
  type Posting,
  PostingIdReused,
  type Transfer,
} from "../src/modules/ledger/posting.ts";
import * as recipes from "../src/modules/ledger/recipes.ts";
import { randomNumbers } from "./random-numbers.ts";

const BATCH_MAX = 400;

type Answer = "posted" | "repeated" | "short" | "reused";

/** As simple as it can be said: names, numbers, and one transfer after another. */
class LedgerModel {
  readonly balances = new Map<string, bigint>();
  readonly #seen = new Map<string, string>();

  post(posting: Posting): Answer {
    const { environment, postingId } = posting;
    const content = JSON.stringify(posting, (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    const known = this.#seen.get(`${environment} ${postingId}`);
    if (known !== undefined) return known === content ? "repeated" : "reused";
    const after = new Map<string, bigint>();
    for (const { debit, credit, amount } of posting.transfers)
      for (const [account, change] of [
        [debit, -amount.minor],
        [credit, amount.minor],
      ] as const) {
        const name = ledgerAccountName(account, { environment, currency: amount.currency });
        const balance = (after.get(name) ?? this.balances.get(name) ?? 0n) + change;
        const isMerchants = (MERCHANT_KINDS as readonly string[]).includes(account.kind);
        if (isMerchants && balance < 0n) return "short";
        after.set(name, balance);
      }
    for (const [name, balance] of after) this.balances.set(name, balance);
    this.#seen.set(`${environment} ${postingId}`, content);
    return "posted";
  }
}

/** Does random business on both, so many postings of it, and counts the answers by kind. */
export async function compareWithModel(
  db: Database,
  options: {
    operations: number;
    merchants: readonly string[];
    seed: number;
    onProgress?: (done: number) => void;
  },
): Promise<Record<Answer, number>> {
  const { operations, merchants, seed, onProgress } = options;
  const random = randomNumbers(seed);
  const model = new LedgerModel();
  const counts: Record<Answer, number> = { posted: 0, repeated: 0, short: 0, reused: 0 };
  const recent: Posting[] = [];
  for (let done = 0; done < operations; ) {
    const size = Math.min(1 + Math.floor(random(BATCH_MAX)), operations - done);
    const batch = Array.from({ length: size }, (_, at) => {
      const posting = drawPosting(random, merchants, { number: done + at, recent });
      if (recent.length < 500) recent.push(posting);
      else recent[Math.floor(random(500))] = posting;
      return posting;
    });
    const outcomes = await db.transaction((tx) => postBatch(tx, batch));
    for (const [at, posting] of inOrderOfRounds(batch)) {
      const answer = answerOf(outcomes[at]);
      const expected = model.post(posting);
      assert.equal(answer, expected, `seed ${seed}, posting ${done + at}`);
      counts[answer] += 1;
    }
    done += size;
    onProgress?.(done);
  }
  await expectSameBalances(db, model);
  return counts;
}

/** An id that comes again within a batch waits for the others of the batch (`postBatch`). */
function inOrderOfRounds(batch: readonly Posting[]): [number, Posting][] {
  const times = new Map<string, number>();
  const entries = [...batch.entries()].map(([at, posting]) => {
    const id = `${posting.environment} ${posting.postingId}`;
    const round = times.get(id) ?? 0;
    times.set(id, round + 1);
    return { at, posting, round };
  });
  return entries.sort((a, b) => a.round - b.round).map(({ at, posting }) => [at, posting]);
}

function answerOf(outcome: unknown): Answer {
  if (outcome instanceof InsufficientFunds) return "short";
  if (outcome instanceof PostingIdReused) return "reused";
  assert(outcome === "posted" || outcome === "repeated", String(outcome));
  return outcome;
}

function drawPosting(
  random: (below: number) => number,
  merchants: readonly string[],
  { number, recent }: { number: number; recent: readonly Posting[] },
): Posting {
  const again = recent[Math.floor(random(recent.length))];
  if (again !== undefined && random(100) < 2) return again;
  if (again !== undefined && random(200) < 1) return { ...again, reference: "another" };
  return {
    postingId: `posting ${number}`,
    environment: random(2) < 1 ? "live" : "sandbox",
    occasion: "random",
    reference: `record ${number}`,
    transfers: drawTransfers(random, merchants[Math.floor(random(merchants.length))] ?? ""),
  };
}

/** Amounts are near to what merchants have, so that about every fourth is too much. */
function drawTransfers(random: (below: number) => number, accountNumber: string): Transfer[] {
  const currency = CURRENCIES[Math.floor(random(CURRENCIES.length))] ?? "TTD";
  const some = (max: number) => money(currency, BigInt(1 + Math.floor(random(max))));
  const [net, fee, amount, small] = [some(9000), some(500), some(5000), some(300)];
  const tax = money(currency, fee.minor / 8n);
  const customerTotal = money(currency, net.minor + fee.minor);
  const one = { accountNumber, amount };
  const withdrawal = { ...one, fee: small };
  const dispute = { accountNumber, amount: money(currency, amount.minor + small.minor) };
  const business: (() => Transfer[])[] = [
    () => recipes.paymentApproved({ accountNumber, customerTotal, fee, tax, net }),
    () => recipes.paymentApproved({ accountNumber, customerTotal, fee, tax, net }),
    () => recipes.refundRequested(one),
    () => recipes.refundPaid(one),
    () => recipes.refundRejected(one),
    () => recipes.chargebackOpened({ accountNumber, covered: small }),
    () => recipes.chargebackProcessed({ ...dispute, covered: small }),
    () => recipes.chargebackReleased({ accountNumber, covered: small }),
    () => recipes.fraudConfirmed({ ...dispute, covered: small }),
    () => recipes.withdrawalRequested(withdrawal),
    () => recipes.withdrawalSent(withdrawal),
    () => recipes.withdrawalCompleted(withdrawal),
    () => recipes.withdrawalFailed(withdrawal),
    () => recipes.withdrawalCancelled(withdrawal),
    () => recipes.withdrawalReturned(withdrawal),
    () => recipes.cardCheckCharged({ accountNumber, amount: small }),
    () => recipes.cardCheckReturned({ accountNumber, amount: small }),
    () => recipes.saleSettled({ accountNumber, amount: customerTotal, fee }),
    () => recipes.refundSettled({ accountNumber, amount: small, fee: tax }),
    () => recipes.fundsOpened({ accountNumber, amount: small }),
  ];
  return business[Math.floor(random(business.length))]?.() ?? [];
}

interface Replayed {
  ledger_account_id: bigint;
  name: string;
  balance: bigint;
  added: bigint;
}

/** Every account, and nothing beside; re-added from its transfers it is the same once more. */
async function expectSameBalances(db: Database, model: LedgerModel): Promise<void> {
  const rows: Replayed[] = [];
  for (let page: Replayed[] = []; ; rows.push(...page)) {
    page = await replayAfter(db, page.at(-1)?.ledger_account_id ?? 0n);
    if (page.length === 0) break;
  }
  const used = rows.filter(({ name, balance }) => balance !== 0n || model.balances.has(name));
  const sorted = (pairs: Iterable<readonly [string, bigint]>) => [...pairs].sort();
  const expected = sorted(model.balances);
  assert.deepEqual(sorted(used.map(({ name, balance }) => [name, balance])), expected);
  assert.deepEqual(sorted(used.map(({ name, added }) => [name, added])), expected);
}

/** Some accounts at a time: a statement over a million postings would take too long. */
function replayAfter(db: Database, id: bigint): Promise<Replayed[]> {
  return db.rows<Replayed & Record<string, unknown>>(sql`
    select ledger_account_id, name, balance_minor as balance, (
        coalesce((select sum(amount_minor) from ledger_transfers
          where credit_account_id = ledger_account_id), 0)
        - coalesce((select sum(amount_minor) from ledger_transfers
          where debit_account_id = ledger_account_id), 0)
      )::bigint as added
    from ledger_accounts join ledger_balances using (ledger_account_id)
    where ledger_account_id > ${id}
    order by ledger_account_id limit 200`);
}
