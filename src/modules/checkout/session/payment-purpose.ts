/** The first purpose: a payment of an order, by a card that the customer types (Decision 0042). */

import assert from "node:assert/strict";
import { sql } from "../../../infra/db/query.ts";
import { finaliseTransactions, postingOf } from "../../transactions/finalise-transaction.ts";
import { SHOWN_DETAILS } from "../../transactions/payment-details.ts";
import { tellOfChangedPayment } from "../../transactions/payment-event.ts";
import { readCard } from "../form/card-fields.ts";
import { resultAddress } from "../result/result-address.ts";
import type { Purpose } from "./context.ts";
import type { FoundRecord } from "./record.ts";

/** What every payment has of a record, whatever card it is paid with. */
export const PAYMENT_COLUMNS: FoundRecord["columns"] = {
  account_number: sql`payment.account_number`,
  environment: sql`payment.environment`,
  currency: sql`payment.currency`,
  order_id: sql`payment.order_id`,
  total_minor: sql`payment.total_minor`,
  customer_total_minor: sql`payment.customer_total_minor`,
  fee_structure: sql`payment.fee_structure`,
  method: sql`payment.method`,
  status: sql`payment.status`,
  message: sql`payment.message`,
  card_brand: sql`payment.card_brand`,
  card_last_four: sql`payment.card_last_four`,
  customer: sql`payment.customer`,
  is_amount_secret: sql`false`,
  details: SHOWN_DETAILS,
  stored_uuid: sql`null::uuid`,
  stored_brand: sql`null::text`,
  stored_last_four: sql`null::text`,
  stored_exp_month: sql`null::int`,
  stored_exp_year: sql`null::int`,
};

export const paymentPurpose: Purpose = {
  record: {
    columns: PAYMENT_COLUMNS,
    from: sql`transactions as payment
      where payment.transaction_id = session.transaction_id and session.purpose = 'payment'`,
  },

  async readCard(_ctx, _session, form, rules) {
    const read = readCard(form, rules);
    if ("problems" in read) return read;
    const { network, card } = read;
    const { number } = card;
    return { network, number, lastFour: number.slice(-4), open: async () => card };
  },

  async end(_ctx, tx, ends) {
    const results = ends.map(({ session, result }) => ({
      ...result,
      transactionId: session.transaction_id,
    }));
    const payments = await finaliseTransactions(tx, results);
    assert.equal(payments.length, ends.length, "an open session's payment has no result yet");
    return payments.filter(({ status }) => status === "success").map(postingOf);
  },

  async returnUrl({ db, config, batches }, { transactionId, responseUrl }) {
    const toSign = await batches.findPaymentToSign(transactionId);
    if (toSign.payment.finalised_at === null) return undefined;
    return resultAddress(db, config, toSign, responseUrl);
  },

  async tellVoided(tx, claimed) {
    await tellOfChangedPayment(tx, claimed, "payment.late_approval_voided");
  },
};
