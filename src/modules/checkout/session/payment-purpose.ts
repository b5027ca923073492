/** The first purpose: a payment of an order, by a card that the customer types (Decision 0042). */

import assert from "node:assert/strict";
import { raw } from "sql-template-tag";
import { type Sql, sql } from "../../../infra/db/query.ts";
import { mailsReceiptsIn } from "../../receipts/may-mail.ts";
import { finaliseTransactions, postingOf } from "../../transactions/finalise-transaction.ts";
import { SHOWN_DETAILS } from "../../transactions/payment-details.ts";
import { tellOfChangedPayment } from "../../transactions/payment-event.ts";
import { readCard } from "../form/card-fields.ts";
import { resultAddress } from "../result/result-address.ts";
import type { Purpose } from "./context.ts";
import { type FoundRecord, NO_STORED_CARD, OF_PAYMENT } from "./record.ts";

const OWN_COLUMNS = Object.keys(OF_PAYMENT).map((name) => [name, raw(`payment.${name}`)]);

/** What every payment has of a record, whatever card it is paid with. */
export const PAYMENT_COLUMNS: FoundRecord["columns"] = {
  ...(Object.fromEntries(OWN_COLUMNS) as Record<keyof typeof OF_PAYMENT, Sql>),
  is_amount_secret: sql`false`,
  details: SHOWN_DETAILS,
  ...NO_STORED_CARD,
};

export const paymentPurpose: Purpose = {
  // Also that of a payment link's purpose, which is the same payment (Decision 0099).
  record: {
    columns: PAYMENT_COLUMNS,
    from: sql`transactions as payment
      where payment.transaction_id = session.transaction_id
        and session.purpose in ('payment', 'link')`,
  },

  async readCard(_ctx, _session, form, rules) {
    const read = readCard(form, rules);
    if ("problems" in read) return read;
    const { network, card } = read;
    const { number } = card;
    return { network, number, lastFour: number.slice(-4), open: async () => card };
  },

  async end({ config }, tx, ends) {
    const results = ends.map(({ session, result }) => ({
      ...result,
      transactionId: session.transaction_id,
    }));
    const payments = await finaliseTransactions(tx, results, mailsReceiptsIn(config));
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
