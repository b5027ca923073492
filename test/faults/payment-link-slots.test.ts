/**
 * Many customers at one payment link at once, over HTTP and over two processes: exactly as many pay
 * as it allows, all others read that it is sold out, nobody is charged for nothing, and the books
 * balance (Decision 0099). A client that gets 503 or no answer tries again, as the page does.
 */

import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/infra/db/query.ts";
import { CARDS, expectAllToAddUp, sweep } from "../../testkit/checkout-sessions.ts";
import {
  expectSlotsToAddUp,
  hiddenFields,
  makeLink,
  readLink,
} from "../../testkit/payment-links.ts";
import {
  type RequestOptions,
  startService,
  type TestAnswer,
  type TestService,
} from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";
import { until } from "../../testkit/until.ts";

const CUSTOMERS = 500;
const SLOTS = 100;
/** As many as two processes have room for; more would get 503 and ask again. */
const AT_ONCE = 80;
const SWEEP_PAUSE_MS = 100;
/** Longer than hundreds of pages take on a machine that does much else. */
const END_SECONDS_MAX = 600;
const HTML = { accept: "text/html" };

const service = await startService();
const other = await startService({ database: service.database });
after(async () => {
  await other.stop();
  await service.stop();
});
afterEach(async () => {
  await expectAllToAddUp(service);
  await expectSlotsToAddUp(service);
});
const shop = await openShop(service);

async function ask(at: TestService, path: string, options: RequestOptions = {}) {
  let answer: TestAnswer | undefined;
  await until(
    async () => {
      const headers = { ...HTML, ...options.headers };
      // A connection that idled too long on a busy machine is closed under a request.
      answer = await at.request(path, { ...options, headers }).catch(ifCutOff);
      return answer !== undefined && answer.status !== 503;
    },
    `${path} is answered`,
    120,
  );
  assert(answer !== undefined);
  return answer;
}

function ifCutOff(error: unknown): undefined {
  if (!(error instanceof TypeError && error.message === "fetch failed")) throw error;
}

const pathIn = ({ headers, text }: TestAnswer) => {
  const { pathname, search } = new URL(headers.get("location") ?? assert.fail(text), service.url);
  return pathname + search;
};

/** From the link to its payment page. */
async function openPage(at: TestService, link: { readonly url: string }): Promise<string> {
  const { pathname } = new URL(link.url);
  const form = hiddenFields((await ask(at, pathname)).text);
  return pathIn(await ask(at, pathname, { method: "POST", form }));
}

interface OpenPage {
  readonly at: TestService;
  readonly path: string;
}

/** A card on the payment page, by the form that it shows; none where it says that it is over. */
async function sendCard({ at, path }: OpenPage, number: string): Promise<void> {
  const hidden = hiddenFields((await ask(at, path)).text);
  if (hidden.form_token === undefined) return;
  const typed = { number, expiry: "12/39", cvv: "739", holder: "Anika Mohammed" };
  const form = { ...hidden, ...typed, email: "customer@example.com" };
  const headers = { origin: at.ctx.config.http.paymentsPublicUrl };
  const { status, text } = await ask(at, path, { method: "POST", form, headers });
  assert([303, 422].includes(status), text);
}

/** What the customer reads in the end. */
async function readEnd({ at, path }: OpenPage): Promise<string> {
  let next: string | undefined;
  const accept = "application/json";
  // An answer that was lost under this load is asked for again.
  await until(
    async () => {
      next = (await ask(at, `${path}/status`, { headers: { accept } })).body.next;
      return next !== undefined;
    },
    `${path} has ended`,
    END_SECONDS_MAX,
  );
  const { pathname, search } = new URL(next ?? "");
  const done = await ask(at, pathname + search);
  return /<h1>([^<]*)</.exec(done.text)?.[1] ?? done.text;
}

/** One sweeps for all: if each did, a busy machine would do nothing else. */
async function readEnds(pages: readonly OpenPage[]): Promise<string[]> {
  let areRead = false;
  const sweeping = (async () => {
    while (!areRead) {
      await sweep(service);
      await sleep(SWEEP_PAUSE_MS);
    }
  })();
  const ends = atOnce(pages, readEnd);
  await ends.finally(() => {
    areRead = true;
  });
  await sweeping;
  return ends;
}

async function atOnce<In, Out>(
  all: readonly In[],
  work: (one: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const waiting = [...all.entries()];
  const done: Out[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      done[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return done;
}

/** Pages that stay open: how fast this machine is, is not what is tried here. */
async function openPages(link: { readonly url: string }, count: number): Promise<OpenPage[]> {
  const pages = await atOnce(Array.from({ length: count }), async (_, index) => {
    const at = index % 2 === 0 ? service : other;
    return { at, path: await openPage(at, link) };
  });
  await service.ctx.db.run(sql`
    update checkout_sessions set expires_at = expires_at + interval '1 hour'
    where state <> 'ended'`);
  return pages;
}

function count(ends: readonly string[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const end of ends) counted[end] = (counted[end] ?? 0) + 1;
  return counted;
}

test(`${CUSTOMERS} customers, ${SLOTS} slots, some cards fail first`, async () => {
  const link = await makeLink(service, shop, { max_payments: SLOTS });
  const pages = await openPages(link, CUSTOMERS);
  await atOnce(pages, async (page, index) => {
    if (index % 7 === 0) await sendCard(page, CARDS.declined);
    await sendCard(page, CARDS.approved);
  });
  assert.deepEqual(count(await readEnds(pages)), {
    "Thank you. Your payment is complete.": SLOTS,
    "Sold out": CUSTOMERS - SLOTS,
  });
  const { paid_count, paid_total, state } = await readLink(service, shop, link.id);
  assert.deepEqual([paid_count, paid_total, state], [SLOTS, "12000.00", "full"]);
});

test("switched off among customers who pay: none pays after the answer", async () => {
  const link = await makeLink(service, shop, { max_payments: SLOTS });
  const pages = await openPages(link, 30);
  const [early, late] = [pages.slice(0, 20), pages.slice(20)];
  const payAll = (some: readonly OpenPage[]) =>
    atOnce(some, (page) => sendCard(page, CARDS.approved));
  const paying = payAll(early);
  const off = { method: "PATCH", token: shop.token, json: { active: false } };
  assert.equal((await ask(service, `/payment-links/${link.id}`, off)).status, 200);
  await Promise.all([paying, payAll(late)]);
  assert.deepEqual(count(await readEnds(late)), { "This link is closed": 10 });
  const ends = count(await readEnds(early));
  const { "Thank you. Your payment is complete.": paid = 0, "This link is closed": closed = 0 } =
    ends;
  assert.equal(paid + closed, 20, JSON.stringify(ends));
  assert.equal((await readLink(service, shop, link.id)).paid_count, paid);
});
