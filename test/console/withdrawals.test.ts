/**
 * A person withdraws and cancels from the console by the rules of the API, once for each form, and
 * only with a fresh proof and the right role (Decisions 0085 and 0091).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { moveWithdrawal } from "../../src/modules/withdrawals/move-withdrawal.ts";
import { countOf } from "../../testkit/auth.ts";
import { hiddenOf, makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";
import {
  dispatch,
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  type Owner,
  openOwner,
  settleAll,
  statusOf,
  withdraw,
} from "../../testkit/withdrawals.ts";

const service = await startService();
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const LIST = "/console/withdrawals";
const NEW = `${LIST}/new`;
const HOSTILE = "<script>alert(1)</script>";

function ask(tab: Tab, form: Record<string, string> = {}) {
  return tab.post(NEW, { amount: "100.00", currency: "TTD", ...form }, { from: NEW });
}

function idIn(location: string | null): string {
  return /withdrawals\/([A-Z0-9-]+)\?/.exec(location ?? "")?.[1] ?? "";
}

function withdrawalsOf({ accountNumber }: Pick<Owner, "accountNumber">): Promise<number> {
  return countOf(service, sql`withdrawals where account_number = ${accountNumber}`);
}

test("a withdrawal is asked for, shown with its state, and cancelled", async () => {
  const owner = await openOwner(service, "merchant", { funds: "500.00 TTD" });
  const tab = await signInTo(service, owner);
  const form = await tab.get(NEW);
  assert.match(form.text, /up to TTD\u00a0495\.00/);
  assert.match(form.text, /First Citizens •••• 5678/);
  const asked = await ask(tab, { data: HOSTILE });
  assert.equal(asked.status, 303);
  const location = asked.headers.get("location") ?? "";
  const page = await tab.get(location);
  assert.match(page.text, /The withdrawal was requested/);
  assert.match(page.text, /Held in the balance/);
  assert.match(page.text, /To be paid to/);
  assert.match(page.text, /Asked for\. Amount and fee are held, and no bank has been told\./);
  assert.ok(!page.text.includes(HOSTILE));
  assert.match(page.text, /&lt;script&gt;alert\(1\)/);
  assert.equal(await fundsOf(service, owner), "395.00 + 105.00");
  assert.match((await tab.get(LIST)).text, /Pending/);
  const id = idIn(location);
  const cancelled = await tab.post(`${LIST}/${id}/cancel`, {}, { from: `${LIST}/${id}` });
  assert.equal(cancelled.headers.get("location"), `${LIST}/${id}?done=cancelled`);
  assert.equal(await fundsOf(service, owner), "500.00 + 0.00");
  const ended = await tab.get(`${LIST}/${id}`);
  assert.match(ended.text, /Cancelled/);
  assert.match(ended.text, /Back in the balance/);
  assert.match(ended.text, /Was to be paid to/);
  assert.doesNotMatch(ended.text, /Taken from the balance|Paid to/);
  assert.ok(!ended.text.includes("/cancel"));
});

test("an amount may be typed as it is shown", async () => {
  const owner = await openOwner(service, "merchant", { funds: "2000.00 TTD" });
  const tab = await signInTo(service, owner);
  assert.equal((await ask(tab, { amount: "1,50.00" })).status, 400);
  assert.equal((await ask(tab, { amount: "1,500.00" })).status, 303);
  assert.equal(await fundsOf(service, owner), "495.00 + 1505.00");
});

test("the history has every state with its time and reason", async () => {
  const owner = await openOwner(service);
  const id = await withdraw(service, owner);
  const { db } = service.ctx;
  await db.transaction((tx) =>
    moveWithdrawal(tx, id, { to: "held", reason: `A name does not fit ${HOSTILE}` }),
  );
  await service.clock.advance({ minutes: 3 });
  await db.transaction((tx) => moveWithdrawal(tx, id, { to: "pending" }));
  await settleAll(service);
  const tab = await signInTo(service, owner);
  const { text } = await tab.get(`${LIST}/${id}`);
  const titles = [...text.matchAll(/timeline-title">([^<]+)</g)].map(([, title]) => title);
  assert.deepEqual(titles, ["Pending", "Held", "Released", "Processing", "Completed"]);
  assert.match(text, /Taken from the balance/);
  assert.match(text, /Paid to/);
  assert.match(text, /Reason: A name does not fit &lt;script&gt;/);
  // Also once the events have their numbers, and so their bodies.
  await service.numberEvents();
  assert.equal((await tab.get(`${LIST}/${id}`)).text.match(/timeline-title/g)?.length, 5);
});

test("the same form twice, at once or later, is one withdrawal and one answer", async () => {
  const owner = await openOwner(service);
  const tab = await signInTo(service, owner);
  const key = hiddenOf(await tab.get(NEW)).idempotency_key ?? "";
  // A second click waits five seconds for the first; on a busy machine it may have to come again.
  const send = async (): ReturnType<typeof ask> => {
    const answer = await ask(tab, { idempotency_key: key });
    return answer.status === 409 ? send() : answer;
  };
  const answers = await Promise.all(Array.from({ length: 8 }, send));
  const again = await ask(tab, { idempotency_key: key });
  const places = new Set([...answers, again].map(({ headers }) => headers.get("location")));
  assert.equal(places.size, 1);
  assert.equal(await withdrawalsOf(owner), 1);
  const other = await ask(tab, { idempotency_key: key, amount: "7.00" });
  assert.equal(other.status, 409);
  assert.match(other.text, /was sent before, with other values/);
  assert.equal(await withdrawalsOf(owner), 1);
  assert.equal((await ask(tab, { idempotency_key: "" })).status, 403);
});

test("a form of the sandbox does nothing once the session is in live", async () => {
  const owner = await openOwner(service);
  const tab = await signInTo(service, owner);
  const old = hiddenOf(await tab.get(NEW));
  await tab.post("/console/environment", { environment: "live" });
  const answer = await ask(tab, old);
  assert.equal(answer.status, 409);
  assert.match(answer.text, /made for another account or environment/);
  assert.equal(await withdrawalsOf(owner), 0);
});

test("a refusal shows the form again, as it was filled in, and moves nothing", async () => {
  const owner = await openOwner(service, "merchant", { funds: "50.00 TTD" });
  const tab = await signInTo(service, owner);
  const cases = [
    { form: { amount: "45.01" }, status: 422, words: /Insufficient funds/i },
    { form: { amount: "1.00" }, status: 400, words: /must be at least/ },
    { form: { amount: `"><b>` }, status: 400, words: /&quot;&gt;&lt;b&gt;/ },
    { form: { currency: "XCD" }, status: 400, words: /currency must be one of/ },
  ];
  for (const { form, status, words } of cases) {
    const answer = await ask(tab, form);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, words);
    assert.match(answer.text, /<h1>Withdraw<\/h1>/);
  }
  assert.equal(await fundsOf(service, owner), "50.00 + 0.00");
  const bare = await openOwner(service, "merchant", { banks: false });
  const form = await (await signInTo(service, bare)).get(NEW);
  assert.match(form.text, /Add your bank details first/);
});

test("a stale proof leads to the proof, and nothing changes", async () => {
  const owner = await openOwner(service);
  const tab = await signInTo(service, owner);
  const hidden = hiddenOf(await tab.get(NEW));
  await service.clock.advance({ minutes: 6 });
  const shown = await tab.get(NEW);
  assert.equal(shown.status, 303);
  assert.equal(shown.headers.get("location"), "/console/prove?next=%2Fconsole%2Fwithdrawals%2Fnew");
  const posted = await ask(tab, hidden);
  assert.equal(posted.status, 303);
  assert.match(posted.headers.get("location") ?? "", /^\/console\/prove/);
  assert.equal(await withdrawalsOf(owner), 0);
});

test("only owners and finance see the pages; others and other accounts find none", async () => {
  const owner = await openOwner(service);
  const id = await withdraw(service, owner);
  const pages = [LIST, NEW, `${LIST}/${id}`, `${LIST}/banks/local`, `${LIST}/banks/local/remove`];
  const finance = await makeMember(service, owner.accountNumber, "finance");
  const allowed = await signInTo(service, finance);
  for (const page of pages) assert.equal((await allowed.get(page)).status, 200, page);
  for (const role of ["admin", "developer", "support", "viewer"] as const) {
    const tab = await signInTo(service, await makeMember(service, owner.accountNumber, role));
    for (const page of pages) assert.equal((await tab.get(page)).status, 404, `${role} ${page}`);
    const from = "/console/me";
    assert.equal((await tab.post(NEW, { amount: "5.00" }, { from })).status, 404);
    assert.equal((await tab.post(`${LIST}/${id}/cancel`, {}, { from })).status, 404);
  }
  const stranger = await openOwner(service);
  const other = await signInTo(service, stranger);
  assert.equal((await other.get(`${LIST}/${id}`)).status, 404);
  assert.equal((await other.post(`${LIST}/${id}/cancel`, {}, { from: NEW })).status, 404);
  assert.equal(await statusOf(service, id), "pending");
});

test("of a cancel and a dispatch at the same moment one happens", async () => {
  const owner = await openOwner(service);
  const tab = await signInTo(service, owner);
  const id = idIn((await ask(tab)).headers.get("location"));
  const from = `${LIST}/${id}`;
  const hidden = hiddenOf(await tab.get(from));
  const [cancelled] = await Promise.all([
    tab.post(`${from}/cancel`, hidden, { from }),
    dispatch(service),
  ]);
  const status = await statusOf(service, id);
  if (cancelled.status === 303) assert.equal(status, "cancelled");
  else {
    assert.equal(cancelled.status, 409);
    assert.match(cancelled.text, /cannot be cancelled: its status is/);
    assert.notEqual(status, "cancelled");
  }
  await settleAll(service);
  const late = await tab.post(`${from}/cancel`, hidden, { from });
  assert.equal(late.status, cancelled.status);
  assert.equal(
    (await eventsOf(service, id)).filter((one) => one === "cancelled").length,
    +(status === "cancelled"),
  );
});

test("filters and pages live in the address", async () => {
  const owner = await openOwner(service);
  const ids: string[] = [];
  for (let i = 0; i < 27; i++) ids.push(await withdraw(service, owner, { amount: `${i + 10}.00` }));
  const tab = await signInTo(service, owner);
  const first = await tab.get(LIST);
  assert.match(first.text, /25 of 27 withdrawals/);
  const older = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await tab.get(older);
  assert.match(second.text, /2 of 27 withdrawals/);
  assert.match(second.text, /TTD\u00a011\.00/);
  assert.match(second.text, /rel="prev"/);
  const count = async (query: string) =>
    (await tab.get(`${LIST}?${query}`)).text.match(/<td role="cell" class="on-lead/g)?.length ?? 0;
  assert.equal(await count("amount_min=35&amount_max=36.00"), 2);
  assert.equal(await count("status=completed"), 0);
  assert.equal(await count(`find=${ids[3]}`), 1);
  assert.equal(await count(`find=${ids[3]?.toLowerCase()}`), 1);
  const wrong = await tab.get(`${LIST}?amount_min=%3Cb%3E`);
  assert.equal(wrong.status, 200);
  assert.match(wrong.text, /These filters cannot be used/);
});

test("where it is required, an owner moves live money only with a second factor", async () => {
  const strict = await startService({ settings: { OWNER_SECOND_FACTOR: "required" } });
  after(() => strict.stop());
  const owner = await openOwner(strict);
  const tab = await signInTo(strict, owner);
  assert.equal((await tab.get(NEW)).status, 200);
  // Bank details are shared: those of the sandbox are those of live.
  const banks = [`${LIST}/banks/local`, `${LIST}/banks/foreign/remove`];
  for (const page of banks) assert.equal((await tab.get(page)).status, 403, page);
  await tab.post("/console/environment", { environment: "live" });
  const refused = await tab.get(NEW);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /second factor/i);
  assert.equal(
    (await tab.post(NEW, { amount: "10.00", currency: "TTD" }, { from: LIST })).status,
    403,
  );
});
