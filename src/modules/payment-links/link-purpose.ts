/**
 * The purpose of paying by a link (Decision 0099): a payment like any other, for which a slot of
 * the link is taken with every card and given back when the card fails.
 */

import { sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { resultAddress } from "../checkout/result/result-address.ts";
import type { Purpose } from "../checkout/session/context.ts";
import { paymentPurpose } from "../checkout/session/payment-purpose.ts";
import { countPaid, freeSlots, takeSlots } from "./link-slots.ts";
import { doneUrl } from "./payment-link.ts";

const FULL = "[3-R95]: Sold out. Nothing was charged.";
const OFF = "[3-R94]: The payment link was switched off. Nothing was charged.";

export const linkPurpose: Purpose = {
  ...paymentPurpose,

  async begin(_ctx, tx, attempts) {
    const ids = attempts.map(({ session }) => session.transactionId);
    const claimed = await takeSlots(tx, ids);
    return attempts.map(({ session }) => {
      const claim = claimed.get(session.transactionId);
      if (claim === "taken") return undefined;
      return claim === "off" ? OFF : FULL;
    });
  },

  cardsFailed: (_ctx, tx, transactionIds) => freeSlots(tx, transactionIds),

  async end(ctx, tx, ends) {
    const idsOf = (isPaid: boolean) =>
      ends.flatMap(({ session, result }) =>
        (result.status === "success") === isPaid ? session.transaction_id : [],
      );
    const unpaid = idsOf(false);
    if (unpaid.length > 0) await freeSlots(tx, unpaid);
    const postings = await paymentPurpose.end(ctx, tx, ends);
    await countPaid(tx, idsOf(true));
    return postings;
  },

  /** What was not paid comes back to the link, where it can be tried again. */
  async returnUrl({ db, config, batches }, { transactionId, responseUrl }) {
    const toSign = await batches.findPaymentToSign(transactionId);
    const { payment_link, finalised_at, status, method } = toSign.payment;
    if (finalised_at === null) return undefined;
    if (status === "success") return resultAddress(db, config, toSign, responseUrl);
    const { slug } = await db.one(sqlOf(pick(tables.payment_links, "slug"))`
      select slug from payment_links where link_id = ${payment_link}`);
    return resultAddress(db, config, toSign, doneUrl(config, { slug, method }));
  },
};
