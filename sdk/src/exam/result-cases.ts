/**
 * The cases about results: what a customer's browser brings to the shop, or somebody else's. All of
 * it could happen (Decision 0110).
 */

import type { ExamCase } from "./exam-case.ts";
import { cheaperThan } from "./orders.ts";
import { otherPayment, paid } from "./payment.ts";
import { signedSuccess, successParameters, withValue } from "./result.ts";

/** A customer who waits clicks and reloads. */
const AT_ONCE = [1, 2, 3, 4, 5];
const REFUSED = { state: "unpaid", shipped: [0], answers: "refuses" } as const;
const SHIPPED = { state: "paid", shipped: [1], answers: "accepts" } as const;
const STAYS_UNPAID = "does not believe it: the order stays unpaid, nothing is shipped";

export const RESULT_CASES: readonly ExamCase[] = [
  {
    name: "forged_result",
    title: "A forged result without hash",
    sent: "a success without hash and signature, then one whose hash and signature are empty",
    correct: STAYS_UNPAID,
    mend: "Refuse a result whose signature is missing or does not fit.",
    guide: "/docs/start#3-check-the-result",
    expected: REFUSED,
    losesGoods: true,
    async run({ payment, sendResult }) {
      const parameters = successParameters(paid(payment));
      await sendResult(parameters);
      await sendResult([...parameters, ["hash", ""], ["signature", ""]]);
    },
  },
  {
    name: "hash_of_another_order",
    title: "A hash of another order",
    sent: "the genuine success of another order, with this order's id put in",
    correct: STAYS_UNPAID,
    mend: "Compare the transaction_id with the one you stored for the order.",
    guide: "/docs/start#3-check-the-result",
    expected: REFUSED,
    losesGoods: true,
    async run({ payment, paidBefore, keys, sendResult }) {
      const { order_id, transaction_id } = payment.record;
      const other = await signedSuccess(paid(paidBefore), keys);
      const result = withValue(other, "order_id", order_id);
      // The hash does not cover the order. A shop that never got transaction ids from the service
      // has none to compare, so there the id is this order's and only the hash is the other's.
      const isComparable = payment.isKnown && paidBefore.isKnown;
      await sendResult(isComparable ? result : withValue(result, "transaction_id", transaction_id));
    },
  },
  {
    name: "changed_total",
    title: "A changed total",
    sent: "a genuine success of another payment, requested under this order's id for less",
    correct: STAYS_UNPAID,
    mend: "Compare the transaction_id with the one you stored, in results and webhooks alike.",
    guide: "/docs/start#3-check-the-result",
    expected: REFUSED,
    losesGoods: true,
    async run({ payment, keys, sendResult, deliver, webhook }) {
      const cheap = paid(otherPayment(payment, cheaperThan(payment.record.total)));
      await sendResult(await signedSuccess(cheap, keys));
      // The service would send its webhook, too. Only a shop that has the id can tell.
      if (payment.isKnown) await deliver(webhook("payment.success", cheap));
    },
  },
  {
    name: "replayed_result",
    title: "A result replayed",
    sent: "the same genuine success several times at once, and then once more",
    correct: "shows the page again and ships nothing more: paid, shipped once",
    mend:
      "Ship when the order turns from unpaid to paid, and only then. Check and change it in one " +
      "step.",
    guide: "/docs/start#3-check-the-result",
    expected: SHIPPED,
    async run({ payment, keys, sendResult, waitFor }) {
      const result = await signedSuccess(paid(payment), keys);
      await Promise.all(AT_ONCE.map(() => sendResult(result)));
      await waitFor("paid");
      await sendResult(result);
    },
  },
  {
    name: "webhook_never_comes",
    title: "A success whose webhook never comes",
    sent: "a genuine success, and no webhook",
    correct: "ships: a verified result suffices; paid, shipped once",
    mend: "Ship on a verified result, and do not wait for the webhook.",
    guide: "/docs/start#3-check-the-result",
    expected: SHIPPED,
    async run({ payment, keys, sendResult }) {
      await sendResult(await signedSuccess(paid(payment), keys));
    },
  },
];
