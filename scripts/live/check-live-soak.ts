/**
 * What must be true after a soak of live payments, beside the comparison with the acquirer: no
 * browser was told anything else than the record, the books balance, the settlement report pays
 * exactly what we recorded, and no secret is in a log or a table.
 */

import { sql } from "../../src/infra/db/query.ts";
import { describeMoney, isZero } from "../../src/kit/money.ts";
import { acquirerClearing } from "../../src/modules/settlement/clearing.ts";
import { importLines, LINES_AT_ONCE } from "../../src/modules/settlement/import-lines.ts";
import { paymentOf } from "../../src/modules/settlement/known-orders.ts";
import { readReport } from "../../src/modules/settlement/read-report.ts";
import { expectLiveToAddUp } from "../../testkit/powertranz/live-truth.ts";
import { expectNoSecrets } from "../../testkit/powertranz/secrets.ts";
import { CVV } from "./customer.ts";
import type { LiveSoak } from "./run-live-soak.ts";

/** Sentences; none when all is well. */
export async function checkLiveSoak(soak: LiveSoak): Promise<string[]> {
  const { observer, fake, words, report } = soak;
  const { toldWrong = 0 } = report.figures;
  const logged = words().filter((line) => line.startsWith("{"));
  return [
    ...(toldWrong > 0 ? [`${toldWrong} browsers were told something else than the record`] : []),
    ...(await complaintOf(() => expectLiveToAddUp(observer.ctx.db, fake))),
    ...(await settlementComplaints(soak)),
    ...(await complaintOf(() => expectNoSecrets({ ctx: observer.ctx, logged }, fake, [CVV]))),
  ];
}

async function complaintOf(work: () => Promise<unknown>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Settles at the acquirer, compares its report with the records, by payment, and imports it: then
 * every line is matched and the acquirer owes nothing.
 */
async function settlementComplaints(soak: LiveSoak): Promise<string[]> {
  await soak.fake.control.settle();
  const report = await soak.fake.control.settlementReport();
  return [...(await differences(soak, report)), ...(await importComplaints(soak, report))];
}

async function importComplaints({ observer }: LiveSoak, report: string): Promise<string[]> {
  const { db, config } = observer.ctx;
  const lines = readReport(Buffer.from(report), config.settlement.columns);
  const imported = [];
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE)
    imported.push(
      ...(await db.transaction((tx) => importLines(tx, lines.slice(at, at + LINES_AT_ONCE)))),
    );
  const unmatched = imported.filter(({ row }) => row.state !== "matched");
  const owed = (await acquirerClearing(db)).filter((amount) => !isZero(amount));
  return [
    ...(unmatched.length > 0 ? [`${unmatched.length} lines of the report do not match`] : []),
    ...owed.map((amount) => `the acquirer owes ${describeMoney(amount)}`),
  ];
}

async function differences({ observer }: LiveSoak, report: string): Promise<string[]> {
  const [, ...lines] = report.trim().split("\r\n");
  const paid = new Map<string, number>();
  for (const line of lines) {
    const [, order = "", type = "", amount = ""] = line.split(",");
    const minor = Math.round(Number(amount) * 100) * (type === REFUND ? -1 : 1);
    const id = paymentOf(order);
    paid.set(id, (paid.get(id) ?? 0) + minor);
  }
  const recorded = await observer.ctx.db.rows<{ id: string; minor: number }>(sql`
    select transaction_id as id, (customer_total_minor - coalesce((
      select sum(amount_minor) from refunds
      where refunds.transaction_id = payment.transaction_id and state = 'refunded'), 0))::int
      as minor
    from transactions as payment where status = 'success' and environment = 'live'
    union all
    select transaction_id, case return_state when 'returned' then 0 else amount_minor end::int
    from card_checks where status = 'success' and environment = 'live'`);
  const ours = new Map(recorded.map(({ id, minor }) => [id, minor]));
  return [...new Set([...paid.keys(), ...ours.keys()])].flatMap((id) => {
    const [theirs = 0, here = 0] = [paid.get(id), ours.get(id)];
    return theirs === here ? [] : [`${id} is settled with ${theirs} and recorded with ${here}`];
  });
}

/** The type of a refund's line. */
const REFUND = "5";
