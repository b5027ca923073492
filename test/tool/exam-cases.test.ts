/**
 * Each case of the exam finds the mistake that it is there for, and nothing else: shops that are
 * right but for one thing fail the cases of that one thing alone (Decision 0110). The shops are
 * functions here; test/tool/exam.test.ts examines real ones.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { reportText } from "../../sdk/src/exam/report-text.ts";
import { CASES } from "../../sdk/src/exam/run-exam.ts";
import { paintFor } from "../../sdk/src/tool/paint.ts";
import { hashOf } from "../../sdk/src/verify/redirect-parameters.ts";
import {
  checked,
  examine,
  KEYS,
  payAMomentLater,
  RIGHT,
  type Rules,
  signedBy,
  TOTAL,
  YEAR_SECONDS,
} from "./exam-shop.ts";

type Mistake = readonly [
  what: string,
  wrong: Partial<Rules>,
  grade: string,
  failed: readonly string[],
];

const MISTAKES: readonly Mistake[] = [
  ["makes none", {}, "A", []],
  [
    "believes a result that nobody signed",
    {
      isPaid: async (query, order) =>
        (query.get("signature") ?? "") === "" || RIGHT.isPaid(query, order),
    },
    "F",
    ["forged_result"],
  ],
  [
    "believes the hash of any payment",
    {
      isPaid: async (query) =>
        query.get("hash") === hashOf(query.get("transaction_id") ?? "", TOTAL, KEYS.hashKey),
    },
    "F",
    ["hash_of_another_order"],
  ],
  [
    "believes a signed result of a payment that it did not request",
    { isPaid: (query) => signedBy(query) },
    "F",
    ["changed_total"],
  ],
  [
    "believes a webhook of a payment that it did not request",
    {
      handle: (order, event) =>
        RIGHT.handle(order, {
          ...event,
          data: { ...event.data, transaction_id: order.transactionId },
        }),
    },
    "F",
    ["changed_total"],
  ],
  [
    "ships for every result",
    { onPaid: (order) => void Object.assign(order, { state: "paid", shipped: order.shipped + 1 }) },
    "D",
    ["replayed_result", "twice_the_same"],
  ],
  [
    "looks first and ships a moment later",
    {
      onPaid: payAMomentLater,
      handle: (order, event) =>
        event.event === "payment.success" && event.data.transaction_id === order.transactionId
          ? payAMomentLater(order)
          : RIGHT.handle(order, event),
    },
    "D",
    ["replayed_result", "twice_the_same"],
  ],
  ["does its work six seconds after its answer", { workMs: 6_000 }, "A", []],
  [
    "finds out what to believe after its answer, and believes everything",
    { read: async ({ body }) => JSON.parse(body), workMs: 3_000 },
    "F",
    ["bad_signature", "old_timestamp"],
  ],
  ["waits for the webhook", { onPaid: () => {} }, "D", ["replayed_result", "webhook_never_comes"]],
  [
    "believes webhooks signed by somebody else",
    {
      read: (delivery) =>
        RIGHT.read(delivery).catch((error) => {
          if (error.reason !== "wrong_signature") throw error;
          return JSON.parse(delivery.body);
        }),
    },
    "F",
    ["bad_signature"],
  ],
  [
    "believes webhooks that nobody signed",
    {
      read: async (delivery) =>
        "webhook-signature" in delivery.headers ? RIGHT.read(delivery) : JSON.parse(delivery.body),
    },
    "F",
    ["bad_signature"],
  ],
  [
    "believes webhooks with an empty signature",
    {
      read: async (delivery) =>
        delivery.headers["webhook-signature"] === ""
          ? JSON.parse(delivery.body)
          : RIGHT.read(delivery),
    },
    "F",
    ["bad_signature"],
  ],
  [
    "looks for a signature only where a webhook has an id",
    {
      read: async (delivery) =>
        "webhook-id" in delivery.headers ? RIGHT.read(delivery) : JSON.parse(delivery.body),
    },
    "F",
    ["bad_signature"],
  ],
  [
    "looks at no timestamp",
    { read: (delivery) => checked(delivery, YEAR_SECONDS) },
    "C",
    ["old_timestamp"],
  ],
  [
    "ships for every webhook of a success",
    {
      handle(order, event) {
        const isAgain = event.event === "payment.success" && order.state === "paid";
        if (isAgain) order.shipped += 1;
        RIGHT.handle(order, event);
      },
    },
    "C",
    ["twice_the_same"],
  ],
  [
    "goes by what came last",
    {
      handle(order, event) {
        RIGHT.handle(order, event);
        if (event.data.transaction_id === order.transactionId && event.event === "payment.success")
          order.state = "paid";
      },
    },
    "C",
    ["out_of_order"],
  ],
  [
    "refunds nothing that was shipped",
    {
      handle(order, event) {
        if (event.event !== "payment.refunded" || order.shipped === 0) RIGHT.handle(order, event);
      },
    },
    "C",
    ["refund_after_shipping"],
  ],
  [
    "knows no chargebacks",
    {
      handle(order, event) {
        if (event.event !== "payment.chargeback_pending") RIGHT.handle(order, event);
      },
    },
    "C",
    ["chargeback"],
  ],
  ["crashes on what is forged", { refusal: 500 }, "D", ["bad_signature", "old_timestamp"]],
  ["takes six seconds for a webhook", { webhookMs: 6_000 }, "C", ["slow_receiver"]],
];

describe("a shop that", { concurrency: true }, () => {
  for (const [what, wrong, grade, failed] of MISTAKES)
    test(`${what} gets ${grade}`, async () => {
      const result = await examine({ ...RIGHT, ...wrong });
      const wrongCases = result.cases.filter(({ verdict }) => verdict !== "passed");
      assert.deepEqual(
        wrongCases.map((each) => `${each.case} ${each.verdict}`),
        failed.map((name) => `${name} failed`),
        JSON.stringify(wrongCases),
      );
      assert.equal(result.grade, grade);
    });
});

test("a shop that finds its orders in the session is told so, not something else", async () => {
  const isPaid = async () => assert.fail("there is no session");
  const result = await examine({ ...RIGHT, isPaid });
  assert(result.refuses_every_result);
  const of = (verdict: string) => result.cases.filter((each) => each.verdict === verdict);
  assert.deepEqual(
    of("failed").map((each) => each.case),
    ["replayed_result", "webhook_never_comes", "twice_the_same"],
  );
  for (const { mend = "" } of of("failed")) assert.match(mend, /find the order by its order_id/);
  assert.deepEqual(
    of("unseen").map((each) => each.case),
    ["forged_result", "hash_of_another_order", "changed_total"],
  );
  assert.match(reportText(result, paintFor({ isTTY: false })), /every result, genuine ones too/);
});

test("a shop that asks the service is told that it cannot be examined so, and not to go", async () => {
  for (const refusal of [400, 204]) {
    const refuse = () => (refusal === 400 ? assert.fail("not paid there") : undefined);
    const asks = { onPaid: refuse, handle: refuse };
    const result = await examine({ ...RIGHT, ...asks });
    assert.equal(result.grade, "none");
    assert.equal(result.failed, 0);
    const text = reportText(result, paintFor({ isTTY: false }));
    assert.match(text, /No grade.+\n(.+\n)*If it asks the service about each payment/);
    assert.doesNotMatch(text, /go live|--report-url/);
  }
});

test("there is a mistake for every case", () => {
  const found = new Set(MISTAKES.flatMap(([, , , failed]) => failed));
  assert.deepEqual(
    CASES.map(({ name }) => name).filter((name) => !found.has(name)),
    [],
  );
});
