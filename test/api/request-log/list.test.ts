/**
 * The guarantee: a merchant finds each request that its credentials made, and each payment request
 * for it, by every filter; what is another's, of the other environment or older than a week is not
 * there (Decision 0087).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { keepRequestDays } from "../../../src/modules/request-log/keep-request-days.ts";
import { LIST_LINES_MAX } from "../../../src/modules/request-log/list-requests.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { minimal, PATH } from "../../../testkit/payment-requests.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";

const service = await startService();
const { ctx, world } = service;
after(() => service.stop());

const shop = await world.mainMerchant();
const { token, grantId } = await mintToken(ctx, shop, SCOPES);
const live = await mintKey(ctx, shop, SCOPES, { prefix: "live" });
const sandbox = await mintKey(ctx, shop, SCOPES, { prefix: "test" });

const idOf = ({ headers }: TestAnswer) => headers.get("x-request-id") ?? "";

async function list(query = "", who: RequestOptions = { token }): Promise<TestAnswer> {
  await ctx.requestLog.flush();
  const answer = await service.request(`/requests${query}`, who);
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

const idsOf = ({ body }: TestAnswer): string[] =>
  body.data.map(({ request_id: id }: { request_id: string }) => id);

const made: Record<string, string> = {};

before(async () => {
  const ask = async (name: string, path: string, options: RequestOptions) => {
    made[name] = idOf(await service.request(path, options));
  };
  const order = (id: string, more: object = {}) => ({
    ...minimal(shop.accountNumber, { environment: "sandbox" }),
    order_id: id,
    ...more,
  });
  await ask("whoami", "/auth/whoami", { token });
  await ask("by sandbox key", "/events", { key: sandbox.key });
  await ask("by live key", "/user/", { key: live.key });
  await ask("payment", PATH, { method: "POST", json: order("log-1") });
  await ask("refused payment", PATH, { method: "POST", json: order("log-2", { currency: "EUR" }) });
  await ask("refused form", PATH, {
    method: "POST",
    form: { ...order("log-3"), total: "-1" },
    headers: { accept: "text/html" },
  });
  await ask("no account", PATH, {
    method: "POST",
    json: order("log-4", { account_number: "9999999999", total: "-1" }),
  });
  await ask("sign-in", "/auth/tokens", { method: "POST", json: { email: "a@example.com" } });
  await ask("no credential", "/auth/whoami", {});
  await ask("not found", "/transactions/SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0", { token });
  await ask("history of an order", "/transactions/?order_id=log-1&environment=sandbox", { token });
});

describe("the list", () => {
  test("has each request of the account, newest first, and nothing else", async () => {
    const expected = [
      "history of an order",
      "not found",
      "refused form",
      "refused payment",
      "payment",
      "by live key",
      "by sandbox key",
      "whoami",
    ].map((name) => made[name]);
    assert.deepEqual(idsOf(await list()), expected);
  });

  test("says of each what it was", async () => {
    const { body } = await list(`?order_id=log-2`);
    const [{ at, duration_ms, ...record }] = body.data;
    assert.deepEqual(record, {
      request_id: made["refused payment"],
      environment: "sandbox",
      method: "POST",
      path: PATH,
      status: 400,
      code: "field_not_allowed",
      credential: null,
      address: "127.0.0.1",
    });
    assert(Math.abs(Date.parse(at) - Date.now()) < 60_000);
    assert(Number.isInteger(duration_ms) && duration_ms >= 0);
  });

  test("names keys by their kid and sign-ins by their grant", async () => {
    const { body } = await list();
    const credentialOf = (name: string) =>
      body.data.find((one: { request_id: string }) => one.request_id === made[name]).credential;
    assert.equal(credentialOf("by sandbox key"), sandbox.kid);
    assert.equal(credentialOf("whoami"), `grant ${grantId}`);
  });

  const FILTERS: [string, string[]][] = [
    ["?environment=sandbox&method=GET", ["history of an order", "not found", "by sandbox key"]],
    ["?environment=live", ["by live key"]],
    ["?method=POST", ["refused form", "refused payment", "payment"]],
    ["?path=/transactions", ["history of an order", "not found"]],
    ["?path=/auth/whoami", ["whoami"]],
    ["?status=303", ["refused form"]],
    ["?status=404", ["not found"]],
    ["?code=not_found", ["not found"]],
    ["?order_id=log-1", ["history of an order", "payment"]],
    ["?order_id=log-3", ["refused form"]],
    ["?order_id=log-4", []],
    ["?method=GET&status=404&path=/tr", ["not found"]],
  ];
  for (const [query, expected] of FILTERS)
    test(`narrowed by ${query}`, async () => {
      // What the tests before have listed is in the log, too.
      const found = idsOf(await list(`${query}&page_size=100`));
      const known = found.filter((id) => Object.values(made).includes(id));
      assert.deepEqual(
        known,
        expected.map((name) => made[name]),
      );
    });

  test("narrowed by since and until, both included", async () => {
    const { body } = await list("?order_id=log-1");
    const [newer, older] = body.data.map(({ at }: { at: string }) => at);
    const at = (query: string) => list(`?order_id=log-1&${query}`).then(idsOf);
    assert.deepEqual(await at(`since=${newer}`), [made["history of an order"]]);
    assert.deepEqual(await at(`until=${older}`), [made.payment]);
    assert.equal((await at(`since=${older}&until=${newer}`)).length, 2);
  });

  test("is read page by page", async () => {
    const first = await list("?order_id=log-1&page_size=1");
    assert.deepEqual(first.body.meta, { page: 1, page_size: 1, total: 2, last_page: 2 });
    const second = await service.request(first.body.links.next.replace(/^.*(?=\/requests)/, ""), {
      token,
    });
    assert.deepEqual(idsOf(second), [made.payment]);
    assert.equal(second.body.links.next, null);
  });

  test("of an API key has requests of its environment alone", async () => {
    for (const [who, environment] of [
      [{ key: sandbox.key }, "sandbox"],
      [{ key: live.key }, "live"],
    ] as const) {
      const { body } = await list("?page_size=100", who);
      assert(body.data.length > 0);
      for (const one of body.data) assert.equal(one.environment, environment);
    }
    assert.equal(
      (await service.request("/requests?environment=live", { key: sandbox.key })).status,
      400,
    );
  });

  test("of another account has nothing of it", async () => {
    const other = await world.mainMerchant();
    const { token: theirs } = await mintToken(ctx, other, SCOPES);
    assert.deepEqual(idsOf(await list("", { token: theirs })), []);
  });
});

describe("a long log", () => {
  const big = { accountNumber: "" };
  const LINES = LIST_LINES_MAX * 2;

  before(async () => {
    const account = await world.mainMerchant();
    big.accountNumber = account.accountNumber;
    await ctx.db.run(sql`
      insert into logged_requests (request_id, account_number, environment, at, method, path,
        status, duration_ms, address, detail)
      select gen_random_uuid(), ${big.accountNumber},
        case when i % 9 = 0 then 'any' else 'live' end,
        app_now() - make_interval(secs => i / 7), 'GET', '/walked/' || i, 200, 1, '', '{}'
      from generate_series(1, ${LINES}::int) as i`);
  });

  test("is walked to its end by following links.next, each line once", async () => {
    const { token: own } = await mintToken(ctx, big, SCOPES);
    const paths = new Set<string>();
    let count = 0;
    const first = "/requests?path=/walked&page_size=100&method=GET";
    for (let at: string | null = first; at !== null; ) {
      const { body }: TestAnswer = await service.request(at, { token: own });
      for (const { path } of body.data) paths.add(path);
      count += body.data.length;
      at = body.links.next?.replace(/^.*(?=\/requests)/, "") ?? null;
    }
    assert.deepEqual([count, paths.size], [LINES, LINES]);
  });
});

describe("days", () => {
  const partitions = async () =>
    (
      await ctx.db.rows<{ day: string }>(sql`
        select right(inhrelid::regclass::text, 8) as day from pg_inherits
        where inhparent = 'logged_requests'::regclass
          and inhrelid::regclass::text ~ '\\d{8}$' order by 1`)
    ).map(({ day }) => day);
  const isInOther = async (id: string) => {
    const found = sql`select from logged_requests_other where request_id = ${id}`;
    return (await ctx.db.rows(found)).length === 1;
  };

  test("a line of a day without a partition is kept, found, and moved to its day", async () => {
    await service.clock.advance({ hours: 24 * 5 });
    const id = idOf(await service.request("/auth/whoami", { token: (await later()).token }));
    await ctx.requestLog.flush();
    assert(await isInOther(id));
    const before = await partitions();
    await keepRequestDays.run(ctx, {});
    assert(!(await isInOther(id)));
    assert.equal((await partitions()).length, before.length + 3);
    await keepRequestDays.run(ctx, {});
    const { token: current } = await later();
    assert.equal((await service.request(`/requests/${id}`, { token: current })).status, 200);
  });

  test("after seven days a line is not found any more, and its day is dropped", async () => {
    const whoami = made.whoami ?? "";
    const { token: before } = await later();
    const isListed = async (token: string) =>
      idsOf(await list("?path=/auth/whoami&page_size=100", { token })).includes(whoami);
    assert.equal((await service.request(`/requests/${whoami}`, { token: before })).status, 200);
    assert(await isListed(before));
    const [first] = await partitions();
    await service.clock.advance({ hours: 24 * 2 + 1 });
    const { token: current } = await later();
    assert.equal((await service.request(`/requests/${whoami}`, { token: current })).status, 404);
    assert(!(await isListed(current)));
    await service.clock.advance({ hours: 24 });
    await keepRequestDays.run(ctx, {});
    assert(!(await partitions()).includes(first ?? ""), "the day is still there");
    const rows = await ctx.db.rows(
      sql`select request_id from logged_requests where request_id = ${whoami}`,
    );
    assert.deepEqual(rows, []);
  });

  /** A sign-in lives half a day. */
  const later = () => mintToken(ctx, shop, SCOPES);
});
