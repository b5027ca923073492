/**
 * Walks chains of transfers: every side of every transfer of an account in the order of its entry
 * numbers. Each must start from the balance at which the one before ended.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, int, nullable, type Row, text } from "../../infra/db/row.ts";

/** Some hundred milliseconds of work; a statement may take 5 seconds. */
const ENTRIES_AT_ONCE = 100_000;

/** The first side of a transfer that does not follow from the one before it. */
export interface BrokenLink {
  readonly postingId: string;
  readonly leg: number;
  readonly entry: bigint;
}

interface Walked {
  readonly total: bigint;
  readonly count: bigint;
  readonly brokenLink: BrokenLink | undefined;
}

interface Chain {
  readonly ledger_account_id: bigint;
  readonly entry_count: bigint;
}

/** A range of entries of some accounts. */
interface Stretch {
  readonly ids: bigint[];
  readonly from: bigint;
  /** Null: to the end and beyond, where nothing should be. */
  readonly to: bigint | null;
}

const NOTHING: Walked = { total: 0n, count: 0n, brokenLink: undefined };

export async function walkChains(
  tx: Queryable,
  chains: readonly Chain[],
  entriesAtOnce = ENTRIES_AT_ONCE,
): Promise<(chain: Chain) => Walked> {
  const walked = new Map<bigint, Walked>();
  for (const stretch of stretchesOf(chains, BigInt(entriesAtOnce)))
    for (const { id, total, count, ...broken } of await walk(tx, stretch)) {
      const before = walked.get(id) ?? NOTHING;
      walked.set(id, {
        total: before.total + total,
        count: before.count + count,
        brokenLink: before.brokenLink ?? linkOf(broken),
      });
    }
  return ({ ledger_account_id: id }) => walked.get(id) ?? NOTHING;
}

/** Groups short chains, splits long ones. */
function stretchesOf(chains: readonly Chain[], sizeMax: bigint): Stretch[] {
  const stretches: Stretch[] = [];
  let together: bigint[] = [];
  let size = 0n;
  const close = () => {
    if (together.length > 0) stretches.push({ ids: together, from: 1n, to: null });
    together = [];
    size = 0n;
  };
  for (const { ledger_account_id: id, entry_count: count } of chains) {
    if (size + count > sizeMax) close();
    let from = 1n;
    for (; from + sizeMax <= count; from += sizeMax)
      stretches.push({ ids: [id], from, to: from + sizeMax - 1n });
    if (from > 1n) {
      stretches.push({ ids: [id], from, to: null });
      continue;
    }
    together.push(id);
    size += count;
  }
  close();
  return stretches;
}

const LINK = { posting_id: nullable(text), leg: nullable(int), entry: nullable(bigint) };

const WALKED = { id: bigint, total: bigint, count: bigint, ...LINK };

/** Includes the entry before the first, which the first must follow. */
function walk(tx: Queryable, { ids, from, to }: Stretch) {
  const range = sql`between ${from - 1n} and coalesce(${to}::bigint, 9223372036854775807)`;
  return tx.rows(sqlOf(WALKED)`
    with link as (
      select *, entry >= ${from} as is_ours,
        entry >= ${from} and (
          entry <> lag(entry, 1, 0::bigint) over chain + 1
          or balance <> lag(balance, 1, 0::bigint) over chain + change
        ) as is_broken
      from (
        select debit_account_id as id, debit_entry as entry, -amount_minor as change,
          debit_balance_minor as balance, posting_id, leg
        from ledger_transfers where debit_account_id = any (${ids}) and debit_entry ${range}
        union all
        select credit_account_id, credit_entry, amount_minor, credit_balance_minor, posting_id, leg
        from ledger_transfers where credit_account_id = any (${ids}) and credit_entry ${range}
      ) as side
      window chain as (partition by id order by entry, change)
    )
    select id, coalesce(sum(change) filter (where is_ours), 0)::bigint as total,
      count(*) filter (where is_ours) as count,
      min(entry) filter (where is_broken) as entry,
      (array_agg(posting_id order by entry) filter (where is_broken))[1] as posting_id,
      (array_agg(leg order by entry) filter (where is_broken))[1] as leg
    from link group by id`);
}

function linkOf({ posting_id, leg, entry }: Row<typeof LINK>) {
  if (posting_id === null || leg === null || entry === null) return undefined;
  return { postingId: posting_id, leg, entry };
}
