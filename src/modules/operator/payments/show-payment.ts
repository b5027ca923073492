/** Everything known of a payment that is stuck or disputed: record, refunds, money, trail. */

import { sql } from "../../../infra/db/query.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import { type AttemptRow, attemptsOf } from "../../checkout/session/attempt.ts";
import { disputesOf } from "../../transactions/dispute.ts";
import { type RefundRow, refundsOf } from "../../transactions/refund.ts";
import { type TransactionRow, viewTransaction } from "../../transactions/transaction.ts";
import { type AuditRow, readTrail, viewEntry } from "../audit-trail.ts";
import { defineRead } from "../command.ts";
import { renderFacts, renderTable } from "../render.ts";
import { type Moved, readTransfers, tableOfTrail, tableOfTransfers } from "../trail.ts";
import { viewDispute } from "../view-dispute.ts";
import { findPayment, transactionIdField } from "./payment.ts";

/** A payment has a handful; a longer list would be a fault worth seeing the newest of. */
const ENTRIES_MAX = 200;

export const showPayment = defineRead({
  name: "show-payment",
  about: "show everything known of a payment",
  more:
    "Its record, the cards tried, refunds and disputes, what moved in the ledger, and its audit " +
    "trail.",
  fields: { transaction_id: transactionIdField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD",
    shows: `Payment        TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD
Account        1234567890
Environment    live
Platform       TT
Order          order-1
Status         success
Condition      Refund Rejected
Message        [1-R00]: Transaction is approved.
Total          100.00 TTD
Customer pays  105.20 TTD
Fee            5.20 TTD (customer_pay)
Merchant gets  100.00 TTD
Refunded       0.00 TTD
Method         credit_card_co
Origin         shop
Card           visa **** 1111
Customer       anika@example.com
Begun          2026-11-15 06:32:03Z
Final          2026-11-15 06:32:03Z

Cards tried
  none

Refunds
  refund                                amount  state     tries  next try  because
  5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d  25.00   rejected  0      -         ticket 4711

Disputes
  kind        amount  covered  state     opened                ended
  chargeback  40.00   40.00    released  2026-11-15 06:32:08Z  2026-11-15 06:32:08Z

Ledger
  when                  occasion             from                  to                    amount
  2026-11-15 06:32:03Z  payment_approved     gateway_clearing 0    available 1234567890  100.00
  2026-11-15 06:32:03Z  payment_approved     gateway_clearing 0    fee_income 0          5.20
  2026-11-15 06:32:03Z  refund_requested     available 1234567890  held 1234567890       25.00
  2026-11-15 06:32:07Z  refund_rejected      held 1234567890       available 1234567890  25.00
  2026-11-15 06:32:08Z  chargeback_opened    available 1234567890  held 1234567890       40.00
  2026-11-15 06:32:08Z  chargeback_released  held 1234567890       available 1234567890  40.00

Audit trail
  entry  when                  who                 what                 why
  9      2026-11-15 06:32:08Z  operator D. Joseph  chargeback_released  ticket 4711
  8      2026-11-15 06:32:08Z  operator D. Joseph  chargeback_opened    ticket 4711
  7      2026-11-15 06:32:07Z  operator D. Joseph  refund_rejected      ticket 4711
  2      2026-11-15 06:32:03Z  account 1234567890  refund_requested     -`,
  },
  async run({ db }, { transaction_id: transactionId }) {
    const payment = await findPayment(db, transactionId);
    const { account_number } = payment;
    const known = {
      attempts: (await attemptsOf(db, transactionId)).map(viewAttempt),
      refunds: (await refundsOf(db, transactionId)).map((one) => viewRefund(payment, one)),
      disputes: (await disputesOf(db, transactionId)).map((one) => viewDispute(payment, one)),
      ledger: await readTransfers(db, transactionId),
    };
    const ofPayment = sql`detail ->> 'transaction_id' = ${transactionId}`;
    const trail = await readTrail(db, ofPayment, ENTRIES_MAX);
    const text = [renderFacts(factsOf(payment)), ...tablesOf({ ...known, trail })].join("\n\n");
    const record = { account_number, ...viewTransaction(payment) };
    return { data: { ...record, ...known, audit: trail.map(viewEntry) }, text };
  },
});

/** Without the token that answers for the customer at the bank. */
function viewAttempt({ challenge_token, is_leased: _, ...attempt }: AttemptRow) {
  return { ...attempt, was_challenged: challenge_token !== null };
}

/** Also how far we are with the gateway, which is what a stuck one is about. */
function viewRefund({ currency }: TransactionRow, { amount_minor, ...refund }: RefundRow) {
  return { ...refund, currency, amount: formatMoney(money(currency, amount_minor)) };
}

/** The columns that fit a terminal; `--json` has all. */
function tablesOf(known: {
  attempts: readonly ReturnType<typeof viewAttempt>[];
  refunds: readonly ReturnType<typeof viewRefund>[];
  disputes: readonly ReturnType<typeof viewDispute>[];
  ledger: readonly Moved[];
  trail: readonly AuditRow[];
}): string[] {
  return [
    tableOfAttempts(known.attempts),
    renderTable(
      "Refunds",
      ["refund", "amount", "state", "tries", "next try", "because"],
      known.refunds.map((one) => [
        one.refund_id,
        one.amount,
        one.state,
        one.attempt_count,
        one.next_try_at,
        one.rejected_because,
      ]),
    ),
    renderTable(
      "Disputes",
      ["kind", "amount", "covered", "state", "opened", "ended"],
      known.disputes.map((one) => [
        one.kind,
        one.amount,
        one.covered,
        one.state,
        one.opened_at,
        one.ended_at,
      ]),
    ),
    tableOfTransfers(known.ledger),
    tableOfTrail(known.trail),
  ];
}

function tableOfAttempts(attempts: readonly ReturnType<typeof viewAttempt>[]): string {
  return renderTable(
    "Cards tried",
    ["when", "card", "state", "code", "said", "asked", "next"],
    attempts.map((one) => [
      one.began_at,
      `${one.card_brand} **** ${one.card_last_four}`,
      one.state,
      one.outcome_code,
      one.message,
      one.ask_count,
      one.next_ask_at,
    ]),
  );
}

function factsOf(payment: TransactionRow) {
  const shown = viewTransaction(payment);
  const { currency } = payment;
  return [
    ["Payment", shown.transaction_id],
    ["Account", payment.account_number],
    ["Environment", shown.environment],
    ["Platform", shown.country_code],
    ["Order", shown.order_id],
    ["Status", shown.status],
    ["Condition", shown.status_desc],
    ["Message", shown.message],
    ["Total", `${shown.total} ${currency}`],
    ["Customer pays", `${shown.customer_total} ${currency}`],
    ["Fee", `${shown.fee} ${currency} (${shown.fee_structure})`],
    ["Merchant gets", `${shown.net} ${currency}`],
    ["Refunded", `${shown.refunded_total} ${currency}`],
    ["Method", shown.method],
    ["Origin", shown.origin],
    ["Card", shown.card],
    ["Customer", payment.customer.email],
    ["Begun", shown.created_at],
    ["Final", shown.finalised_at],
  ] as const;
}
