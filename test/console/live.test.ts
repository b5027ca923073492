/**
 * An open page is told when something of its account changes, and of no other's; streams are
 * bounded, end with their session and with the process, and keep no session alive.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { STREAMS_MAX } from "../../src/console/live/live-streams.ts";
import { sql } from "../../src/infra/db/query.ts";
import { newToken, tokenDigest } from "../../src/modules/people/random-token.ts";
import { runService } from "../../src/run-service.ts";
import { openTab, signInTo, type Tab } from "../../testkit/console.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { until } from "../../testkit/until.ts";
import { paidOrder, refundOf } from "../api/transactions/refund-support.ts";

const service = await startService();
after(() => service.stop());

interface Followed {
  readonly status: number;
  readonly type: string;
  text(): string;
  isOver(): boolean;
  close(): void;
}

/** Reads a stream as it comes. */
async function follow(
  at: Pick<TestService, "url">,
  { cookie }: Pick<Tab, "cookie">,
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Followed> {
  const stop = new AbortController();
  const answer = await fetch(`${at.url}/console/live${query}`, {
    headers: { cookie, ...headers },
    redirect: "manual",
    signal: stop.signal,
  });
  let text = "";
  let isOver = answer.body === null;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk);
  };
  read()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  return {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "",
    text: () => text,
    isOver: () => isOver,
    close: () => stop.abort(),
  };
}

/** The numbers of the changes that were told. */
function changesIn(stream: Followed): string[] {
  return [...stream.text().matchAll(/event: changed\nid: (\d+)\ndata:\n\n/g)].map(
    ([, id]) => id ?? "",
  );
}

async function changeSomething(shop: Shop) {
  const { id } = await paidOrder(service, { shop, environment: "sandbox" });
  await refundOf(service, { shop, id }, "1.00");
  await service.numberEvents();
}

test("a change of the account is told, with its number; those of others are not", async () => {
  const [shop, other] = [await openShop(service), await openShop(service)];
  const mine = await follow(service, await signInTo(service, shop));
  const theirs = await follow(service, await signInTo(service, other));
  assert.equal(mine.type, "text/event-stream");
  await until(() => mine.text() !== "", "the stream begins");
  assert.equal(mine.text(), "id: 0\ndata:\n\n");
  await changeSomething(shop);
  await until(() => changesIn(mine).length > 0, "a change is told");
  assert.deepEqual(changesIn(theirs), []);
  mine.close();
  theirs.close();
});

test("what happened between the page and its stream, or between two streams, is told", async () => {
  const shop = await openShop(service);
  const tab = await signInTo(service, shop);
  const { text } = await tab.get("/console");
  const query = /data-live-source="\/console\/live([^"]+)"/.exec(text)?.[1] ?? "";
  const seen = /data-live-seen="(\d+)"/.exec(text)?.[1] ?? "";
  await changeSomething(shop);
  const first = await follow(service, tab, {
    query: `${query.replaceAll("&amp;", "&")}&seen=${seen}`,
  });
  await until(() => changesIn(first).length > 0, "the first is told");
  first.close();
  await changeSomething(shop);
  const headers = { "last-event-id": changesIn(first).at(-1) ?? "" };
  const second = await follow(service, tab, { headers });
  await until(() => changesIn(second).length > 0, "the second is told");
  assert.notEqual(changesIn(second)[0], headers["last-event-id"]);
  second.close();
});

test("the stream of another account is none, and nobody signed in gets none", async () => {
  const [shop, other] = [await openShop(service), await openShop(service)];
  const tab = await signInTo(service, shop);
  const query = `?account_number=${other.accountNumber}&environment=sandbox`;
  assert.equal((await follow(service, tab, { query })).status, 204);
  assert.equal((await follow(service, openTab(service))).status, 303);
});

test("a stream ends with its session", async () => {
  // Age ends each stream after a while, the older one first.
  const older = await follow(service, await signInTo(service, await service.world.merchant()));
  const tab = await signInTo(service, await service.world.merchant());
  const stream = await follow(service, { cookie: tab.cookie });
  await tab.post("/console/sign-out");
  await until(() => stream.isOver(), "the stream ends");
  assert.equal(older.isOver(), false);
  older.close();
});

test("neither a stream nor a page that refreshes itself keeps a session alive", async () => {
  const tab = await signInTo(service, await service.world.merchant());
  for (let i = 0; i < 2; i++) {
    await service.clock.advance({ minutes: 16 });
    (await follow(service, tab)).close();
    const headers = { cookie: tab.cookie, "x-windward-refresh": "1" };
    const answer = await service.request("/console", { headers });
    assert.equal(answer.status, i === 0 ? 200 : 303);
  }
});

/** Of the same person, without the work of a sign-in. */
async function anotherSession({ ctx }: TestService, signedIn: string): Promise<string> {
  const token = /windward=([^;]+)/.exec(signedIn)?.[1] ?? "";
  const made = newToken();
  await ctx.db.run(sql`
    insert into console_sessions (token_digest, person_id, account_number, environment,
      credential_epoch, stage, address, browser)
    select ${tokenDigest(made)}, person_id, account_number, environment, credential_epoch, stage,
      address, browser
    from console_sessions where token_digest = ${tokenDigest(token)}`);
  return `windward=${made}`;
}

test("there are at most ten streams of a session and 200 of a process", async () => {
  const own = await startService();
  const streams: Followed[] = [];
  try {
    const shop = await own.world.merchant();
    const { cookie: signedIn } = await signInTo(own, shop);
    for (let session = 0; session < STREAMS_MAX / 10; session++) {
      const tab = { cookie: await anotherSession(own, signedIn) };
      streams.push(...(await Promise.all(Array.from({ length: 10 }, () => follow(own, tab)))));
      if (session === 0) assert.equal((await follow(own, tab)).status, 204);
    }
    assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]));
    const late = openTab(own);
    late.cookie = signedIn;
    assert.equal((await follow(own, late)).status, 204);
    streams[0]?.close();
    await until(async () => {
      const next = await follow(own, late);
      next.close();
      return next.status === 200;
    }, "a stream that was closed makes room");
    assert.equal((await late.get("/console")).status, 200, "pages are served meanwhile");
  } finally {
    const began = performance.now();
    await own.stop();
    assert.ok(performance.now() - began < 10_000, "a stop does not wait for streams");
  }
  await until(() => streams.every((stream) => stream.isOver()), "all streams are over");
});

test("a stop of the service ends its streams at once", async () => {
  const tab = await signInTo(service, await service.world.merchant());
  const { config, log } = service.ctx;
  const databaseUrl = service.database.url;
  const running = await runService({ config, log, databaseUrl });
  const stream = await follow({ url: running.address ?? "" }, tab);
  assert.equal(stream.status, 200);
  const began = performance.now();
  await running.stop();
  assert.ok(performance.now() - began < (config.http.drainSeconds * 1000) / 2);
  await until(() => stream.isOver(), "the stream ends");
});
