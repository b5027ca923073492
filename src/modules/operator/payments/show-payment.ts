/** Everything known of a payment that is stuck or disputed: record, refunds, money, trail. */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, type Row } from "../../../infra/db/row.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import { type AttemptRow, attemptsOf } from "../../checkout/session/attempt.ts";
import { type GatewayOrder, gatewayOrders } from "../../gateway/gateway-orders.ts";
import { disputesOf } from "../../transactions/dispute.ts";
import { paymentState } from "../../transactions/payment-state.ts";
import { type RefundRow, refundsOf } from "../../transactions/refund.ts";
import { type TransactionRow, viewTransaction } from "../../transactions/transaction.ts";
import { businessName } from "../accounts/account.ts";
import { amountIn, bareAmountIn } from "../amount-cell.ts";
import { defineRead } from "../command.ts";
import { transactionIdField } from "../fields.ts";
import { type Block, factsBlock, reportBlocks, tableBlock } from "../render.ts";
import { readHistory } from "../trail.ts";
import { findPayment, viewDispute } from "./payment.ts";

export const showPayment = defineRead({
  name: "show-payment",
  about: "show everything known of a payment",
  more:
    "Its record, the cards tried, refunds and disputes, what moved in the ledger, and its audit " +
    "trail. Reference is the TransactionIdentifier in the acquirer's portal and reports.",
  fields: { transaction_id: transactionIdField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD",
    shows: `Payment        TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD
Account        1234567890
Business       -
Environment    live
Platform       TT
Order          order-1
Status         refund rejected
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
Checks         AVS -, CVV -
Gateway        -
Reference      -
Customer       anika@example.com
Created        2026-11-15 06:32:03Z
Ended          2026-11-15 06:32:03Z

Cards tried
  none

Refunds
  refund                                amount  state     tries  next try  because      reference
  5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d  25.00   rejected  0      -         ticket 4711  -

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
    const { currency, account_number } = payment;
    const { business_name } = await readBusiness(db, account_number);
    const [tried, asked] = [
      await attemptsOf(db, transactionId),
      await refundsOf(db, transactionId),
    ];
    const orders = await gatewayOrders(db, [
      ...tried.map(({ attempt_id }) => attempt_id),
      ...asked.map(({ refund_id }) => refund_id),
    ]);
    const attempts = tried.map((one) => viewAttempt(one, orders));
    const refunds = asked.map((one) => viewRefund(payment, one, orders));
    const disputes = (await disputesOf(db, transactionId)).map((one) => viewDispute(payment, one));
    const ofPayment = sql`detail ->> 'transaction_id' = ${transactionId}`;
    const history = await readHistory(db, transactionId, ofPayment);
    const record = { account_number, business_name, ...viewTransaction(payment) };
    // Of several cards the last one counts: it paid, or it is what the payment waits for.
    const last = attempts.at(-1);
    // The columns that fit a terminal; `--json` has all.
    const blocks = [
      factsOf({ ...payment, business_name }, last),
      tableBlock("Cards tried", attempts, {
        when: "began_at",
        card: ({ card_brand, card_last_four }) => `${card_brand} **** ${card_last_four}`,
        state: "state",
        code: ({ outcome_code }) => outcome_code,
        said: "message",
        queries: "ask_count",
        next: "next_ask_at",
        reference: "identifier",
      }),
      tableBlock("Refunds", refunds, {
        refund: "refund_id",
        amount: ({ amount }) => bareAmountIn(currency, amount),
        state: "state",
        tries: "attempt_count",
        "next try": "next_try_at",
        because: "rejected_because",
        reference: "identifier",
      }),
      tableBlock("Disputes", disputes, {
        kind: "kind",
        amount: ({ amount }) => bareAmountIn(currency, amount),
        covered: ({ covered }) => bareAmountIn(currency, covered),
        state: "state",
        opened: "opened_at",
        ended: "ended_at",
      }),
      ...history.tables,
    ];
    return reportBlocks({ ...record, attempts, refunds, disputes, ...history.data }, blocks);
  },
});

const NAMED = { business_name: businessName(sql`accounts.account_number`) };

type NamedPayment = TransactionRow & Row<typeof NAMED>;

function readBusiness(db: Queryable, accountNumber: string): Promise<Row<typeof NAMED>> {
  return db.one(sqlOf(NAMED)`
    select ${columns(NAMED)} from accounts where account_number = ${accountNumber}`);
}

type Orders = ReadonlyMap<string, GatewayOrder>;

/** Without the token that answers for the customer at the bank. */
function viewAttempt({ challenge_token, is_leased: _, ...attempt }: AttemptRow, orders: Orders) {
  const { gateway = null, identifier } = orders.get(attempt.attempt_id) ?? {};
  return {
    ...attempt,
    was_challenged: challenge_token !== null,
    gateway,
    // The simulator knows it by our reference.
    identifier: identifier ?? attempt.attempt_id,
  };
}

/** Also how far we are with the gateway, which is what a stuck one is about. */
function viewRefund(
  { currency }: TransactionRow,
  { amount_minor, ...refund }: RefundRow,
  orders: Orders,
) {
  const { gateway = null, identifier = null } = orders.get(refund.refund_id) ?? {};
  const amount = formatMoney(money(currency, amount_minor));
  return { ...refund, currency, amount, gateway, identifier };
}

function factsOf(payment: NamedPayment, last: ReturnType<typeof viewAttempt> | undefined): Block {
  const { currency } = payment;
  return factsBlock(viewTransaction(payment), {
    Payment: "transaction_id",
    Account: () => payment.account_number,
    Business: () => payment.business_name,
    Environment: "environment",
    Platform: "country_code",
    Order: "order_id",
    Status: () => paymentState(payment),
    Condition: "status_desc",
    Message: "message",
    Total: ({ total }) => amountIn(currency, total),
    "Customer pays": ({ customer_total }) => amountIn(currency, customer_total),
    Fee: ({ fee, fee_structure }) => amountIn(currency, fee, fee_structure),
    "Merchant gets": ({ net }) => amountIn(currency, net),
    Refunded: ({ refunded_total }) => amountIn(currency, refunded_total),
    Method: "method",
    Origin: "origin",
    Card: "card",
    Checks: ({ checks: { avs, cvv } }) => `AVS ${avs ?? "-"}, CVV ${cvv ?? "-"}`,
    Gateway: ({ environment }) => (environment === "sandbox" ? "simulator" : last?.gateway),
    Reference: () => last?.identifier,
    Customer: () => payment.customer.email,
    Created: "created_at",
    Ended: "finalised_at",
  });
}
