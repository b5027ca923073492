/**
 * A form that moves money, sent twenty times at once to two processes, has one effect (Decision
 * 0091); different forms at once never move more than there is, and the books balance. Two at once,
 * and again later, are proven in `refund.test.ts`, `withdrawals.test.ts` and `payouts.test.ts`.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { refundsOf } from "../../../src/modules/transactions/refund.ts";
import { countOf } from "../../../testkit/auth.ts";
import { hiddenOf, signInTo, type Tab } from "../../../testkit/console.ts";
import type { TestService } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { expectAllToAddUp, openOwner, withdraw } from "../../../testkit/withdrawals.ts";
import { paidOrder } from "../../api/transactions/refund-support.ts";

const { service, sibling, atOnce } = await startTwoServices();

const TIMES = 20;
const NEW = "/console/withdrawals/new";

function post(at: TestService, tab: Tab, path: string, form: Record<string, string>) {
  const headers = { cookie: tab.cookie, origin: at.url };
  return at.request(path, { method: "POST", form, headers });
}

/** The same form many times: one place to go on to. One that waits too long for it is told so. */
async function sendTogether(tab: Tab, path: string, form: Record<string, string>) {
  const answers = await atOnce(TIMES, (at) => post(at, tab, path, form));
  for (const { status } of answers) assert.ok(status === 303 || status === 409, `${status}`);
  const places = answers.flatMap(({ headers }) => headers.get("location") ?? []);
  assert.equal(new Set(places).size, 1);
  return places[0] ?? "";
}

const withdrawalsOf = (accountNumber: string) =>
  countOf(service, sql`withdrawals where account_number = ${accountNumber}`);

test("a refund", async () => {
  const order = await paidOrder(service, { environment: "sandbox" });
  const tab = await signInTo(service, order.shop);
  const page = `/console/payments/${order.id}/refund`;
  const form = { ...hiddenOf(await tab.get(page)), amount: "10.00", reason: "twice" };
  await sendTogether(tab, page, form);
  assert.equal((await refundsOf(service.ctx.db, order.id)).length, 1);
});

test("a withdrawal, and taking it back", async () => {
  const owner = await openOwner(service, "merchant", { funds: "500.00 TTD" });
  const tab = await signInTo(sibling, owner);
  const form = { ...hiddenOf(await tab.get(NEW)), amount: "100.00", currency: "TTD" };
  const place = await sendTogether(tab, NEW, form);
  assert.equal(await withdrawalsOf(owner.accountNumber), 1);
  const [page = ""] = place.split("?");
  await sendTogether(tab, `${page}/cancel`, hiddenOf(await tab.get(page)));
});

test("twenty forms of one session take no more than is there", async () => {
  const owner = await openOwner(service, "merchant", { funds: "500.00 TTD" });
  const tab = await signInTo(service, owner);
  const forms: Record<string, string>[] = [];
  for (let i = 0; i < TIMES; i++) forms.push(hiddenOf(await tab.get(NEW)));
  const answers = await atOnce(TIMES, (at, turn) =>
    post(at, tab, NEW, { ...forms[turn], amount: "100.00", currency: "TTD" }),
  );
  // 100.00 and a fee of 5.00 each.
  assert.equal(answers.filter(({ status }) => status === 303).length, 4);
  assert.equal(await withdrawalsOf(owner.accountNumber), 4);
});

test("a form with other amounts at once is one withdrawal, of one of them", async () => {
  const owner = await openOwner(service, "merchant", { funds: "500.00 TTD" });
  const tab = await signInTo(service, owner);
  const hidden = hiddenOf(await tab.get(NEW));
  const answers = await atOnce(6, (at, turn) =>
    post(at, tab, NEW, { ...hidden, amount: `${100 + turn}.00`, currency: "TTD" }),
  );
  assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  assert.equal(await withdrawalsOf(owner.accountNumber), 1);
});

test("a key of another account's form is no way to its answer", async () => {
  const [owner, other] = [await openOwner(service), await openOwner(service)];
  const [tab, thief] = [await signInTo(service, owner), await signInTo(service, other)];
  const own = hiddenOf(await tab.get(NEW));
  const fields = { amount: "100.00", currency: "TTD" };
  const made = await post(service, tab, NEW, { ...own, ...fields });
  const hidden = hiddenOf(await thief.get(NEW));
  const { idempotency_key = "" } = own;
  const answer = await post(service, thief, NEW, { ...hidden, ...fields, idempotency_key });
  assert.notEqual(answer.headers.get("location"), made.headers.get("location"));
});

test("cancelling somebody else's withdrawal at the moment of one's own does nothing", async () => {
  const [owner, other] = [await openOwner(service), await openOwner(service)];
  const [theirs, mine] = [await withdraw(service, owner), await withdraw(service, other)];
  const tab = await signInTo(service, other);
  const hidden = hiddenOf(await tab.get(`/console/withdrawals/${mine}`));
  const answers = await atOnce(4, (at, turn) =>
    post(at, tab, `/console/withdrawals/${turn % 2 === 0 ? mine : theirs}/cancel`, hidden),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 404, 303, 404],
  );
});

test("after all of it the books balance", () => expectAllToAddUp(service));
