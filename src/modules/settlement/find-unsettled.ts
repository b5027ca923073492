/**
 * Sales and refunds that should be in a report by now and are not: of a report that reaches to a
 * day, everything has to be there that is `days` older. Before the first report nothing is late.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { bigint, columns, nullable, text, word } from "../../infra/db/row.ts";
import { type Currency, describeMoney, money } from "../../kit/money.ts";
import type { Mismatch } from "../ledger/difference.ts";

/** A statement has a time limit. */
const SALES_AT_ONCE = 20_000;

const UNSETTLED = {
  transaction_id: text,
  kind: text,
  currency: word<Currency>(),
  amount_minor: bigint,
};

export async function findUnsettled(tx: Queryable, days: number): Promise<Mismatch[]> {
  const { until } = await tx.one(sqlOf({ until: nullable(text) })`
    select (max(settled_on) - ${days}::int)::text as until from settlement_lines`);
  const found: Mismatch[] = [];
  if (until === null) return found;
  for (let after = ""; ; ) {
    const { end } = await tx.one(sqlOf({ end: nullable(text) })`
      select max(transaction_id) as end from (
        select transaction_id from powertranz_sales where transaction_id > ${after}
        order by transaction_id limit ${SALES_AT_ONCE}
      ) as piece`);
    if (end === null) return found;
    found.push(...(await unsettledOf(tx, { after, end, until })));
    after = end;
  }
}

async function unsettledOf(
  tx: Queryable,
  { after, end, until }: { after: string; end: string; until: string },
): Promise<Mismatch[]> {
  const rows = await tx.rows(sqlOf(UNSETTLED)`
    with sale as (
      select reference, transaction_id, currency, amount_minor, ended_at,
        exists (select from settlement_lines where settles = 'sale ' || reference) as is_settled
      from powertranz_sales
      where transaction_id > ${after} and transaction_id <= ${end} and state = 'approved'
    ), paid as (
      select transaction_id, sale_reference as reference from transactions
      where transaction_id > ${after} and transaction_id <= ${end} and status = 'success'
      union all
      select transaction_id, sale_reference from card_checks
      where transaction_id > ${after} and transaction_id <= ${end} and status = 'success'
    )
    select ${columns(UNSETTLED)} from (
      select sale.transaction_id, 'payment' as kind, currency, amount_minor
      from sale join paid using (transaction_id, reference)
      where not is_settled and ended_at < ${until}::date
      union all
      select sale.transaction_id, 'refund', refund.currency, refund.amount_minor
      from sale join powertranz_refunds as refund on sale_reference = sale.reference
      where refund.state = 'refunded' and refund.ended_at < ${until}::date
        -- A sale that was given back may be settled with its refund, or neither of them.
        and (is_settled or not starts_with(refund.reference, 'void-'))
        and not exists (
          select from settlement_lines where settles = 'refund ' || refund.reference)
    ) as unsettled
    order by transaction_id, kind, amount_minor`);
  return rows.map(({ transaction_id: where, kind, currency, amount_minor }) => {
    const amount = describeMoney(money(currency, amount_minor));
    return { where, words: `its ${kind} of ${amount} is in no settlement report` };
  });
}
