/** The cases about webhooks: forged, old, repeated, out of order, later ones, and slow answers. */

import { type ExamCase, isAcknowledged } from "./exam-case.ts";
import { chargedBack, paid, refunded } from "./payment.ts";
import { signedSuccess } from "./result.ts";
import { nextSequence } from "./webhook.ts";

/** So many of each: a customer reloads, and the service sends again what was answered late. */
const AT_ONCE = [1, 2, 3];
const REFUSED = { state: "unpaid", shipped: [0], answers: "refuses" } as const;

export const WEBHOOK_CASES: readonly ExamCase[] = [
  {
    name: "bad_signature",
    title: "A webhook with a bad signature",
    sent:
      "payment.success signed with another secret, without signature, with an empty one, and " +
      "without any header of a webhook",
    correct: "refuses them with 4xx: the order stays unpaid, nothing is shipped",
    mend: "Answer 400 unless one of the signatures fits.",
    guide: "/docs/webhooks#verify-the-signature",
    expected: REFUSED,
    losesGoods: true,
    async run({ payment, webhook, deliver }) {
      for (const signing of ["forged", "unsigned", "empty", "bare"] as const)
        await deliver(webhook("payment.success", paid(payment)), signing);
    },
  },
  {
    name: "old_timestamp",
    title: "A webhook with an old timestamp",
    sent: "payment.success, well signed an hour ago",
    correct: "refuses it with 4xx, it may be a replay: the order stays unpaid",
    mend: "Refuse a webhook-timestamp that is more than five minutes from your clock.",
    guide: "/docs/webhooks#verify-the-signature",
    expected: REFUSED,
    async run({ payment, webhook, deliver }) {
      await deliver(webhook("payment.success", paid(payment)), "old");
    },
  },
  {
    name: "twice_the_same",
    title: "A webhook twice the same",
    sent: "result and payment.success, each several times at once, then payment.success again",
    correct: "acknowledges the last with 2xx and ships nothing more: paid, shipped once",
    mend:
      "Answer 2xx to an event that you know, and do nothing else. Check and change the order in " +
      "one step.",
    guide: "/docs/webhooks#answer-then-work",
    expected: { state: "paid", shipped: [1], answers: "accepts" },
    async run({ payment, keys, sendResult, webhook, deliver, waitFor }) {
      const success = webhook("payment.success", paid(payment));
      const result = await signedSuccess(paid(payment), keys);
      // A shop may tell a webhook to come again while it is busy with the same order.
      const webhooks = AT_ONCE.map(() => () => deliver(success, "early"));
      const results = AT_ONCE.map(() => () => sendResult(result));
      await Promise.all([...results, ...webhooks].map((send) => send()));
      await waitFor("paid");
      await deliver(success);
    },
  },
  {
    name: "out_of_order",
    title: "Webhooks out of order",
    sent: "payment.refunded, then the older payment.success",
    correct: "goes by sequence: ends as refunded and ships nothing",
    mend: "Store the sequence of the last event of an order, and ignore older ones.",
    guide: "/docs/webhooks#answer-then-work",
    expected: { state: "refunded", shipped: [0], answers: "accepts" },
    async run({ payment, webhook, deliver, waitFor, allowShipped }) {
      const success = webhook("payment.success", paid(payment), nextSequence());
      const refund = webhook("payment.refunded", refunded(payment), nextSequence());
      const isTaken = isAcknowledged(await deliver(refund, "early"));
      if (isTaken) await waitFor("refunded");
      await deliver(success);
      if (isTaken) return;
      // A shop may refuse what comes too early, and ship: then the service sends it again.
      allowShipped(1);
      await waitFor("paid");
      await deliver(refund);
    },
  },
  {
    name: "refund_after_shipping",
    title: "A refund after the order was shipped",
    sent: "payment.success, and when that is done payment.refunded",
    correct: "marks the order refunded; what was shipped once stays shipped once",
    mend: "Handle payment.refunded: mark the order.",
    guide: "/docs/events#paymentrefunded",
    expected: { state: "refunded", shipped: [1], answers: "accepts" },
    async run({ payment, webhook, deliver, waitFor }) {
      await deliver(webhook("payment.success", paid(payment)));
      await waitFor("paid");
      await deliver(webhook("payment.refunded", refunded(payment)));
    },
  },
  {
    name: "chargeback",
    title: "A chargeback",
    sent: "payment.success, and when that is done payment.chargeback_pending",
    correct: "marks the order disputed, so that somebody looks at it; shipped once",
    mend: "Handle payment.chargeback_pending: mark the order, and tell somebody.",
    guide: "/docs/events#paymentchargeback_pending",
    expected: { state: "disputed", shipped: [1], answers: "accepts" },
    async run({ payment, webhook, deliver, waitFor }) {
      await deliver(webhook("payment.success", paid(payment)));
      await waitFor("paid");
      await deliver(webhook("payment.chargeback_pending", chargedBack(payment)));
    },
  },
];

/** Runs alone, before the others: what they add to the shop's work must not make it slow. */
export const SLOW_CASE: ExamCase = {
  name: "slow_receiver",
  title: "A receiver that is slow",
  sent: "payment.success",
  correct: "answers 2xx within 5 seconds and works afterwards; after 15 it counts as failed",
  mend: "Answer 2xx first, and do the work afterwards.",
  guide: "/docs/webhooks#answer-then-work",
  expected: { state: "paid", shipped: [1], answers: "quickly" },
  async run({ payment, webhook, deliver }) {
    await deliver(webhook("payment.success", paid(payment)));
  },
};
