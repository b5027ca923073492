/** The first purpose: a payment of an order, by a card that the customer types (Decision 0042). */

import assert from "node:assert/strict";
import { type Sql, sql } from "../../../infra/db/query.ts";
import { finaliseTransaction } from "../../transactions/finalise-transaction.ts";
import { tellOfChangedPayment } from "../../transactions/payment-event.ts";
import { TRANSACTION_COLUMNS, type TransactionRow } from "../../transactions/transaction.ts";
import { resultAddress } from "../result/result-address.ts";
import { readCard } from "./card-fields.ts";
import { type Purpose, typedCard } from "./purpose.ts";

/** What every payment has of a record, whatever card it is paid with. */
export const PAYMENT_COLUMNS: Sql = sql`payment.account_number, payment.environment,
  payment.currency, payment.order_id, payment.total_minor, payment.customer_total_minor,
  payment.fee_structure, payment.method, payment.status, payment.message, payment.card_brand,
  payment.card_last_four, payment.customer, false`;

export const paymentPurpose: Purpose = {
  record: sql`
    select ${PAYMENT_COLUMNS}, null, null, null::int, null::int
    from transactions as payment
    where payment.transaction_id = session.transaction_id and session.purpose = 'payment'`,

  async readCard(_ctx, _session, form, rules) {
    const read = readCard(form, rules);
    return "problems" in read ? read : typedCard(read.card, read.network);
  },

  async begin() {
    return undefined;
  },

  async end(ctx, tx, { transaction_id }, result) {
    const { isFirst } = await finaliseTransaction(tx, transaction_id, result);
    assert(isFirst, "an open session's payment has no result yet");
    await ctx.passing("answer: payment ended");
  },

  async wayBack({ db, config }, { transactionId, responseUrl }) {
    const row = await db.one<TransactionRow>(sql`
      select ${TRANSACTION_COLUMNS} from transactions where transaction_id = ${transactionId}`);
    if (row.finalised_at === null) return undefined;
    return resultAddress(db, config, row, responseUrl);
  },

  async tellVoided(tx, claimed) {
    await tellOfChangedPayment(tx, claimed, "payment.late_approval_voided");
  },
};
