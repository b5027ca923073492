/**
 * What the exam sends cannot be told from what the service sends, and what it concludes is no more
 * than what it saw (Decision 0110).
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { gradeOf } from "../../sdk/src/exam/grade.ts";
import { type Judged, judge, refusalsIn, type Sent } from "../../sdk/src/exam/judge.ts";
import { junitOf } from "../../sdk/src/exam/junit.ts";
import { cheaperThan, readOrders } from "../../sdk/src/exam/orders.ts";
import { chargedBack, madeUpPayment, paid, refunded } from "../../sdk/src/exam/payment.ts";
import { addressWith, signedSuccess } from "../../sdk/src/exam/result.ts";
import { CASES } from "../../sdk/src/exam/run-exam.ts";
import type { OrderReport } from "../../sdk/src/exam/shop.ts";
import { bare, emptySigned, signed, unsigned, webhookOf } from "../../sdk/src/exam/webhook.ts";
import { verifyRedirect } from "../../sdk/src/verify/verify-redirect.ts";
import { readXml } from "../../src/kit/read-xml.ts";
import { GUIDES } from "../../src/site/guides.ts";
import { anchors } from "../../src/site/render-guide.ts";
import { projectRoot } from "../house/project-files.ts";

const ACCOUNT = { accountNumber: "1234567890", countryCode: "TT" };
const ORDER = { id: "order-1", total: "100.00" };
const SECRET = "whsec_dGhlLXNlY3JldC1vZi10aGlzLXRlc3Qh";
const about = { accountNumber: ACCOUNT.accountNumber, sequence: 7 };

describe("a webhook of the exam", () => {
  for (const [event, record] of [
    ["payment.success", paid],
    ["payment.refunded", refunded],
    ["payment.chargeback_pending", chargedBack],
  ] as const)
    test(`${event} has the fields of the documented one, in their order`, async () => {
      const text = await readFile(path.join(projectRoot, "docs/events.md"), "utf8");
      const [, example = ""] = text.split(`### \`${event}\``)[1]?.split("```") ?? [];
      const documented = JSON.parse(example.replace(/^json/, ""));
      const sent = JSON.parse(webhookOf(event, record(madeUpPayment(ORDER, ACCOUNT)), about).body);
      for (const part of [(one: object) => one, dataOf, metaOf])
        assert.deepEqual(Object.keys(part(sent)), Object.keys(part(documented)));
      assert.match(
        sent.id,
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.match(sent.data.transaction_id, /^SB-TT-[0-9A-HJKMNP-TV-Z]{26}$/);
      assert.equal(sent.data.status_desc, documented.data.status_desc);
      assert.equal(sent.data.refunded_total === "0.00", documented.data.refunded_total === "0.00");
    });

  test("verifies over its bytes, and not over what a program writes of it anew", () => {
    const webhook = webhookOf("payment.success", paid(madeUpPayment(ORDER, ACCOUNT)), about);
    const { body, headers } = signed(webhook, SECRET);
    const verifier = new StandardWebhook(SECRET);
    verifier.verify(body, headers);
    const parsed = JSON.parse(body);
    const ascii = (text: string) =>
      text.replace(
        /[^\0-\x7f]/g,
        (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    for (const anew of [JSON.stringify(parsed), ascii(JSON.stringify(parsed))])
      assert.throws(() => verifier.verify(anew, headers));
    assert(!/signature/i.test(Object.keys(unsigned(webhook).headers).join()));
    assert.deepEqual(Object.keys(bare(webhook).headers), ["content-type"]);
    const emptied = emptySigned(webhook).headers;
    assert.deepEqual(Object.keys(emptied), Object.keys(headers));
    assert.equal(emptied["webhook-signature"], "");
    assert.equal(emptied["X-SVC-Webhook-Signature"], "");
  });
});

const dataOf = (one: { data?: object }) => one.data ?? {};
const metaOf = (one: { meta?: object }) => one.meta ?? {};

test("a result verifies with signature and hash, whatever the address had before", async () => {
  const keys = { signingSecret: "sandbox-signing-secret", hashKey: "123" };
  const record = paid(madeUpPayment(ORDER, ACCOUNT));
  const result = await signedSuccess(record, keys);
  const address = addressWith("http://shop.example/paid?shelf=7&status=failed", result);
  const checks = { ...keys, requestedTotal: ORDER.total, transactionId: record.transaction_id };
  assert.equal((await verifyRedirect(address, checks)).status, "success");
  assert.equal(new URL(address).searchParams.get("shelf"), "7");
});

test("orders are read as they are typed, and refused with what to write", () => {
  const typed = "a:1.00, b_2:20.50\nc-3:300.00,d:1.00";
  const orders = readOrders(typed, 3);
  assert.deepEqual(
    orders.map(({ id, total }) => `${id} ${total}`),
    ["a 1.00", "b_2 20.50", "c-3 300.00"],
  );
  for (const bad of ["a:1", "a:1.000", "a", "-a:1.00", "a:0.00", "a:-1.00", ":1.00"])
    assert.throws(() => readOrders(bad, 1), /is not an order with its total/, bad);
  assert.throws(() => readOrders("a:1.00,a:1.00", 2), /Order a is there twice/);
  assert.equal(cheaperThan("100.00"), "10.00");
  assert.equal(cheaperThan("0.05"), "0.01");
});

describe("a case is judged", () => {
  const accepts = { state: "paid", shipped: [1], answers: "accepts" } as const;
  const refuses = { state: "unpaid", shipped: [0], answers: "refuses" } as const;
  const quickly = { state: "paid", shipped: [1], answers: "quickly" } as const;
  const answered = (kind: Sent["kind"], status: number, ms = 5): Sent => ({
    kind,
    answer: { status, ms },
  });
  const late: Sent = { kind: "signed", answer: { status: 0, ms: 3_000, trouble: "too late" } };
  const gone: Sent = { kind: "signed", answer: { status: 0, ms: 3, trouble: "no connection" } };
  const NONE = { everyWebhook: false, everyResult: false, everything: false };
  const PAID: OrderReport = { state: "paid", shipped: 1 };
  const UNPAID: OrderReport = { state: "unpaid", shipped: 0 };
  const TWICE: OrderReport = { state: "paid", shipped: 2 };
  type Row = [string, typeof accepts | typeof refuses | typeof quickly, Sent[], OrderReport?];
  const table: [Judged["verdict"], ...Row][] = [
    ["passed", "by the report", accepts, [answered("signed", 200)], PAID],
    ["failed", "by the report", accepts, [answered("signed", 200)], TWICE],
    ["failed", "by a refusal of what is right", accepts, [answered("signed", 500)], PAID],
    ["unseen", "without a report", accepts, [answered("signed", 200)]],
    ["failed", "without a report, by a refusal", accepts, [answered("result", 404)]],
    ["passed", "early refusals allowed", accepts, [answered("early", 409)], PAID],
    ["failed", "by a shop that ended", accepts, [gone], PAID],
    ["passed", "by the report, whatever was answered", refuses, [answered("forged", 200)], UNPAID],
    ["failed", "by the report, whatever was answered", refuses, [answered("result", 400)], PAID],
    ["passed", "by refusals alone", refuses, [answered("old", 401), answered("result", 400)]],
    ["failed", "by an acknowledged forgery", refuses, [answered("unsigned", 200)]],
    ["failed", "by a crash, which is no refusal", refuses, [answered("old", 500)]],
    ["failed", "by a crash, whatever was reported", refuses, [answered("forged", 500)], UNPAID],
    ["passed", "by a result that crashes", refuses, [answered("result", 500)], UNPAID],
    ["unseen", "by a page that may say anything", refuses, [answered("result", 200)]],
    ["passed", "by its time", quickly, [answered("signed", 204, 5_000)], UNPAID],
    ["failed", "by its time", quickly, [answered("signed", 204, 5_001)], PAID],
    ["failed", "by silence", quickly, [late], PAID],
  ];
  for (const [verdict, how, expected, sent, report] of table)
    test(`${verdict} ${how}: ${expected.answers}`, () => {
      const evidence = { sent, report, isKnownSlow: false, refuses: NONE };
      assert.equal(judge(expected, evidence).verdict, verdict);
    });

  test("by its order alone where the receiver is known to be slow", () => {
    const judged = (isKnownSlow: boolean, report?: OrderReport) =>
      judge(accepts, { sent: [late], report, isKnownSlow, refuses: NONE }).verdict;
    assert.equal(judged(true, PAID), "passed");
    assert.equal(judged(true), "unseen");
    assert.equal(judged(false, PAID), "failed");
  });

  test("unseen where refusals show nothing, and says what the shop said", () => {
    const sent = [answered("result", 400), answered("forged", 400)];
    const refusal: Sent = { kind: "signed", answer: { status: 400, ms: 5, words: "No fit." } };
    const everyWebhook = (all: readonly Sent[]) =>
      refusalsIn([{ expected: refuses, sent: all, report: undefined }]).everyWebhook;
    assert(everyWebhook([...sent, refusal]));
    assert(!everyWebhook([...sent, refusal, answered("early", 204)]));
    assert(!everyWebhook(sent));
    const judged = judge(refuses, {
      ...{ sent: [...sent, refusal], report: UNPAID, isKnownSlow: false },
      refuses: { ...NONE, everyWebhook: true },
    });
    assert.equal(judged.verdict, "unseen");
    assert.match(judged.did, /^answered result 400, webhook 400, webhook 400 \(No fit\.\); /);
    assert.match(judged.did, /your shop refuses every webhook$/);
  });

  test("unseen where a shop refuses genuine results, too, and wrong for that reason", () => {
    const report = undefined;
    const genuine = { expected: accepts, sent: [answered("result", 404)], report };
    const forged = { expected: refuses, sent: [answered("result", 400)], report };
    const found = refusalsIn([genuine, forged]);
    assert.deepEqual(found, { ...NONE, everyResult: true });
    const shown = { expected: accepts, sent: [answered("result", 200)], report };
    assert.deepEqual(refusalsIn([genuine, forged, shown]), NONE);
    assert.deepEqual(refusalsIn([forged]), NONE);
    const evidence = { isKnownSlow: false, refuses: found };
    const { verdict, did } = judge(refuses, { ...evidence, ...forged, report: UNPAID });
    assert.equal(verdict, "unseen");
    assert.match(did, /your shop refuses every result$/);
    assert.equal(
      judge(accepts, { ...evidence, ...genuine, report: UNPAID }).because,
      "refuses_results",
    );
    const twice = judge(accepts, { ...evidence, ...genuine, report: TWICE });
    assert.deepEqual([twice.verdict, twice.because], ["failed", undefined]);
  });

  test("unseen where a shop believes nothing at all, but for its time and crashes", () => {
    const cases = [
      { expected: accepts, sent: [answered("result", 200)], report: UNPAID },
      { expected: refuses, sent: [answered("forged", 400)], report: UNPAID },
    ];
    const refused = refusalsIn(cases);
    assert.deepEqual(refused, { ...NONE, everything: true });
    assert(!refusalsIn([...cases, { expected: accepts, sent: [], report: PAID }]).everything);
    const judged = (expected: Row[1], sent: Sent[]) =>
      judge(expected, { sent, report: UNPAID, isKnownSlow: false, refuses: refused }).verdict;
    assert.equal(judged(accepts, [answered("result", 200)]), "unseen");
    assert.equal(judged(accepts, [answered("signed", 503)]), "unseen");
    assert.equal(judged(accepts, [gone]), "failed");
    assert.equal(judged(refuses, [answered("forged", 400)]), "unseen");
    assert.equal(judged(refuses, [answered("forged", 500)]), "failed");
    assert.equal(judged(quickly, [answered("signed", 204)]), "passed");
    assert.equal(judged(quickly, [answered("signed", 409)]), "unseen");
    assert.equal(judged(quickly, [answered("signed", 204, 5_001)]), "failed");
  });

  test("by the crash alone where nothing was believed", () => {
    const because = (sent: Sent[], report?: OrderReport) =>
      judge(refuses, { sent, report, isKnownSlow: false, refuses: NONE }).because;
    const crash = answered("forged", 500);
    assert.equal(because([crash, answered("unsigned", 400)], UNPAID), "crashes");
    assert.equal(because([crash], PAID), undefined);
    assert.equal(because([crash, answered("unsigned", 204)]), undefined);
  });
});

test("an A is for twelve cases that were seen to be right, an F for goods without payment", () => {
  const graded = (...failed: string[]) =>
    gradeOf(
      CASES.map(({ name, losesGoods = false }) => ({
        verdict: failed.includes(name) ? "failed" : "passed",
        losesGoods,
      })),
    );
  assert.equal(CASES.length, 12);
  assert.equal(graded(), "A");
  assert.equal(graded("chargeback"), "C");
  assert.equal(graded("chargeback", "out_of_order"), "D");
  assert.equal(graded("chargeback", "out_of_order", "slow_receiver", "twice_the_same"), "F");
  for (const theft of ["forged_result", "hash_of_another_order", "changed_total", "bad_signature"])
    assert.equal(graded(theft), "F");
  assert.equal(gradeOf([{ verdict: "unseen", losesGoods: true }]), "B");
  assert.equal(gradeOf([{ verdict: "unseen", losesGoods: true }], true), "none");
  assert.equal(gradeOf([{ verdict: "failed", losesGoods: false }], true), "C");
});

test("the guide names the cases as the report does, and each leads to a section there is", async () => {
  const read = (file: string) => readFile(path.join(projectRoot, file), "utf8");
  const table = (await read("docs/exam.md")).split("## The cases")[1] ?? "";
  const named = [...table.matchAll(/^\| (?!case|-)([^|]+) \|/gm)].map(([, title]) => title);
  assert.deepEqual(
    named,
    CASES.map(({ title }) => title),
  );
  for (const { guide } of CASES) {
    const [page, place = ""] = guide.split("#");
    const file = GUIDES.find((one) => one.path === page)?.file ?? "";
    const anchor = anchors();
    const headings = [...(await read(file)).matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text);
    assert(headings.map(anchor).includes(place), guide);
  }
});

test("JUnit's XML stays well-formed, whatever a case says", () => {
  const said = `<a href="x">&\u0001'`;
  const texts = { title: said, order_id: "o", transaction_id: "t", sent: said, correct: said };
  const one = { case: "x", ...texts, did: said, verdict: "failed" as const, seconds: 1 };
  const counts = { passed: 0, failed: 1, unseen: 0 };
  const refusals = { refuses_every_webhook: false, refuses_every_result: false };
  const believes_nothing = false;
  const xml = junitOf({ grade: "C", ...counts, ...refusals, believes_nothing, cases: [one] });
  const { root } = readXml(xml, { depthMax: 9, elementsMax: 99, attributesMax: 9 });
  const failure = root.children[0]?.children[1]?.children[0];
  assert.equal(failure?.attributes.get("message"), `<a href="x">&?'`);
});
