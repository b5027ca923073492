/** A `page` over 1,000,000 is 400 on every list, as the routes name them. */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { appRoutes } from "../src/app.ts";
import { pageBody } from "../src/kit/page.ts";
import { keepRecords, openHolder, pathTo } from "../testkit/records.ts";
import { routeName } from "../testkit/route-requests.ts";
import { isForPeople } from "../testkit/sandbox-access.ts";
import { startService } from "../testkit/service.ts";

const SENTENCE = "The page must be a whole number from 1 to 1000000.";

const service = await startService();
after(() => service.stop());
const owner = await openHolder(service);
const records = await keepRecords(service, owner, "live");
const { token } = owner;

const lists = appRoutes(service.ctx).filter(
  (route) => route.query?.page !== undefined && !isForPeople(route),
);

test("the lists that are paged are known", () => {
  assert.deepEqual(lists.map(routeName).toSorted(), [
    "GET /auth/keys",
    "GET /payment-links",
    "GET /requests",
    "GET /transactions/",
    "GET /transactions/history",
    "GET /trusted-card/retrieve",
    "GET /trusted-cards/",
    "GET /webhooks",
    "GET /webhooks/{id}/deliveries",
    "GET /withdrawals/",
  ]);
});

for (const route of lists)
  describe(routeName(route), () => {
    const path = pathTo(route.path, records);
    const at = (query: string, headers = {}) =>
      service.request(`${path}?${query}`, { token, headers });

    test("refuses a page over 1,000,000", async () => {
      for (const page of ["1000001", "2000000", "999999999999999", "1e9"]) {
        const { status, body } = await at(`page=${page}`);
        assert.deepEqual([status, body], [400, { message: SENTENCE }], page);
      }
    });

    test("answers the last page that may be asked for", async () => {
      for (const size of [1, 100]) {
        const { status, body } = await at(`page=1000000&page_size=${size}`);
        assert.equal(status, 200);
        assert.deepEqual(body.data, []);
      }
    });

    if (route.answers[200]?.alsoAs !== undefined)
      test("refuses it as CSV, too", async () => {
        assert.equal((await at("page=1000001&format=csv")).status, 400);
        assert.equal((await at("page=1000001", { accept: "text/csv" })).status, 400);
      });
  });

test("no link leads beyond it", () => {
  const found = { rows: [], total: 3_000_000 };
  const url = "https://api.example.com/list";
  const { links, meta } = pageBody({ page: 1_000_000, page_size: 1 }, found, url);
  assert.equal(links.next, null);
  assert.equal(links.last, `${url}?page=1000000&page_size=1`);
  assert.equal(meta.last_page, 3_000_000);
});
