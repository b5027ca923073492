/**
 * However long a history is, as CSV no more of it is in memory than a handful, a client or a
 * database that goes away ends it, and page by page it is walked to its end (Decision 0027).
 */

import assert from "node:assert/strict";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startCuttingProxy } from "../../testkit/cutting-proxy.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { fillHistory, openShop, type Shop } from "../../testkit/transactions.ts";
import { until } from "../../testkit/until.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

describe("a long history", () => {
  const ROWS = 50_000;
  let who: Shop;
  before(async () => {
    who = await openShop(service);
    await fillHistory(service, who, {
      rows: ROWS,
      until: "2026-11-01T00:00:00Z",
      everySeconds: 60,
      data: "x".repeat(600),
    });
  });

  test("comes whole, and its answer is never held in memory", async () => {
    const { lines, bytes, most } = await download(who);
    assert.equal(lines, ROWS + 1);
    assert(bytes > 39_000_000, `${bytes} bytes`);
    assert(most < 16_000_000, `${most} bytes more were held for ${bytes}`);
  });

  test("is read no further when the client goes away", async () => {
    const { token } = who;
    const url = `${service.url}/transactions/?format=csv`;
    await new Promise<void>((resolve, reject) => {
      const request = http.get(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
        answer.once("data", () => answer.destroy()).once("close", resolve);
      });
      request.once("error", reject);
    });
    assert.equal((await service.request("/transactions/", { token })).body.meta.total, ROWS);
    const faults = service.logged.filter((line) => /"level":[56]0/.test(line));
    assert.deepEqual(faults, []);
  });

  test("is cut when the database goes away, and the log says so", async () => {
    const proxy = await startCuttingProxy(service.database.url);
    const database = { url: proxy.url, drop: async () => {} };
    const behind = await startService({ database });
    try {
      const url = `${behind.url}/transactions/?format=csv`;
      const headers = { authorization: `Bearer ${who.token}` };
      const reader = (await fetch(url, { headers })).body?.getReader();
      assert(reader !== undefined);
      await reader.read();
      await proxy.goAway();
      await assert.rejects(async () => {
        while (!(await reader.read()).done);
      });
      const isTold = () =>
        behind.logged.some(
          (line) => line.includes("a history was cut short") && line.includes(who.accountNumber),
        );
      await until(isTold, "the log says so");
    } finally {
      await behind.stop();
      await proxy.close();
    }
  });

  test("is walked to its end where the number of what fits is not known", async () => {
    const { token } = who;
    // Totals of 5.01 to 505.00: half of them fit, many more than are counted.
    const first = await service.request("/transactions/?total_min=255.01&page_size=100", { token });
    assert.deepEqual(first.body.meta, { page: 1, page_size: 100, total: 1_000, last_page: 10 });
    const seen = new Set<string>();
    let answer = first;
    for (;;) {
      for (const { order_id } of answer.body.data) seen.add(order_id);
      const { next } = answer.body.links;
      if (next === null) break;
      const { pathname, search } = new URL(next);
      answer = await service.request(pathname + search, { token });
    }
    assert.equal(seen.size, 25_000);
    assert.deepEqual(answer.body.meta, {
      page: 250,
      page_size: 100,
      total: 25_000,
      last_page: 250,
    });
    const { pathname, search } = new URL(first.body.links.last);
    const last = await service.request(pathname + search, { token });
    assert.equal(last.body.data.at(-1).order_id, "old-25001");
    const rare = "total_min=255.01&status=error";
    const narrow = await service.request(`/transactions/?${rare}`, { token });
    assert.equal(narrow.body.meta.total, 250);
  });
});

/** Counts lines and forgets them, asking now and then how much memory is held. */
async function download({ token }: Shop): Promise<{ lines: number; bytes: number; most: number }> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const held = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  const url = `${service.url}/transactions/?format=csv`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  assert(answer.body !== null);
  let [lines, bytes, most, chunks] = [0, 0, 0, 0];
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (chunks++ % 20 === 0) most = Math.max(most, held() - before);
  }
  return { lines, bytes, most };
}
