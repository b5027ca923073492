/**
 * The request log in the console says what happened to a request, to members whose role has it, of
 * their own account only, and shows what was sent as text (Decisions 0085, 0087). Its list leads to
 * every line, however many there are (Decision 0092).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { BROWSED_LINES_MAX } from "../../src/modules/request-log/browse-requests.ts";
import { makeMember, signInTo } from "../../testkit/console.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const REQUESTS = "/console/developers/requests";

/** A shop whose program read its events, was refused once and asked for something hostile. */
async function busyShop() {
  const shop = await service.world.merchant();
  const { key, kid } = await mintKey(service.ctx, shop, ["svc-user-retrieve"]);
  const { key: other } = await mintKey(service.ctx, shop, ["svc-transactions-retrieve"]);
  await service.request("/events", { key });
  const refused = await service.request("/events?page_size=zero", { key });
  await service.request("/transactions/%3Cimg%20src=x%3E", { key: other });
  await service.ctx.requestLog.flush();
  const id = refused.headers.get("x-request-id") ?? "";
  return { shop, kid, id, tab: await signInTo(service, shop) };
}

test("a refused request is found by its id and explained", async () => {
  const { tab, id, kid } = await busyShop();
  const found = await tab.get(`${REQUESTS}?id=${id}`);
  assert.equal(found.headers.get("location"), `${REQUESTS}/${id}`);
  const page = await tab.get(`${REQUESTS}/${id}`);
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1>GET \/events<\/h1>/);
  assert.match(page.text, /What happened/);
  assert.match(page.text, /page_size=zero/);
  const code = /href="\/docs\/errors\/(\w+)"/.exec(page.text)?.[1] ?? "";
  assert.equal((await service.request(`/docs/errors/${code}`)).status, 200);
  assert.match(page.text, new RegExp(`/console/developers/keys/${kid}`));
  const missing = await tab.get(`${REQUESTS}?id=${encodeURIComponent("<b>nothing</b>")}`);
  assert.match(missing.text, /There is no such request/);
  assert.doesNotMatch(missing.text, /<b>nothing/);
});

test("the list is narrowed by what stands in the address", async () => {
  const { tab, kid } = await busyShop();
  const paths = async (query: string) => {
    const { text } = await tab.get(`${REQUESTS}?${query}`);
    return [...text.matchAll(/<code>GET ([^<]+)<\/code><\/a>/g)].map(([, path]) => path);
  };
  assert.equal((await paths("")).length, 3);
  assert.deepEqual(await paths(`credential=${kid}`), ["/events", "/events"]);
  assert.deepEqual(await paths("status=400"), ["/events"]);
  assert.deepEqual(await paths("path=/transactions&method=GET"), [
    "/transactions/%3Cimg%20src=x%3E",
  ]);
  assert.deepEqual(await paths("method=POST"), []);
  assert.deepEqual(await paths("until=2020-01-01"), []);
  const wrong = await tab.get(`${REQUESTS}?status=many`);
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /value="many"/);
});

test("support sees requests, a viewer and other accounts do not", async () => {
  const { shop, id } = await busyShop();
  const as = async (role: "support" | "viewer") =>
    signInTo(service, await makeMember(service, shop.accountNumber, role));
  const support = await as("support");
  const page = await support.get(`${REQUESTS}/${id}`);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /developers\/keys/);
  assert.equal((await (await as("viewer")).get(REQUESTS)).status, 404);
  const stranger = await signInTo(service, await service.world.merchant());
  assert.equal((await stranger.get(`${REQUESTS}/${id}`)).status, 404);
  const jump = await stranger.get(`${REQUESTS}?id=${id}`);
  assert.match(jump.text, /There is no such request/);
});

test("the list goes on behind its last line, and skips and repeats none", async () => {
  const { tab, shop, kid } = await busyShop();
  const LINES = BROWSED_LINES_MAX + 30;
  // In threes of one millisecond, one of forty of them refused.
  await service.ctx.db.run(sql`
    insert into logged_requests (request_id, account_number, environment, at, method, path, status,
      code, duration_ms, credential, address, detail)
    select gen_random_uuid(), ${shop.accountNumber},
      case n % 2 when 0 then 'any' else 'sandbox' end,
      app_now() - make_interval(mins => 5, secs => (n / 3) / 1000.0), 'GET', '/n/' || n,
      case n % 40 when 0 then 404 else 200 end, case n % 40 when 0 then 'not_found' end, 1, ${kid},
      '127.0.0.1', '{}'
    from generate_series(1, ${LINES}::int) as n`);
  const walk = async (query: string) => {
    const paths: string[] = [];
    for (let at: string | undefined = `${REQUESTS}?${query}`; at !== undefined; ) {
      const { text } = await tab.get(at);
      paths.push(
        ...[...text.matchAll(/<code>GET (\/n\/\d+)<\/code>/g)].map(([, path]) => `${path}`),
      );
      at = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    return paths;
  };
  const all = await walk("");
  assert.equal(all.length, LINES);
  assert.equal(new Set(all).size, LINES);
  const refused = (await walk("code=not_found")).toSorted();
  assert.deepEqual(refused, all.filter((path) => Number(path.slice(3)) % 40 === 0).toSorted());
  // Beyond what one page looks at.
  assert.deepEqual(await walk(`path=/n/${LINES}`), [`/n/${LINES}`]);
  assert.equal((await tab.get(`${REQUESTS}?before=1.x`)).status, 400);
});
