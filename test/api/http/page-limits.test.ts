/**
 * Pages that hash a password, send a mail or open a payment for anybody take only so many posts of
 * an address in a minute: without that one machine keeps all hashing busy, or fills a mailbox or a
 * merchant's list. Written out, so that a page that loses its limit is a line in a diff.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { appRoutes } from "../../../src/app.ts";
import { pathOf, routeName } from "../../../testkit/route-requests.ts";
import { startService } from "../../../testkit/service.ts";

const LIMITED: ReadonlyMap<string, string> = new Map([
  ["POST /forgot", "password"],
  ["POST /reset/{token}", "password"],
  ["POST /invite/{token}", "password"],
  ["POST /operator/password/{token}", "password"],
  ["POST /pay/{slug}", "payment_request"],
]);
const MAX = 2;

const service = await startService({
  settings: {
    TRUSTED_PROXIES: "127.0.0.1/32, ::1/128",
    LIMIT_PASSWORD: String(MAX),
    LIMIT_PAYMENT_REQUEST: String(MAX),
  },
});
after(() => service.stop());

const pages = appRoutes(service.ctx).filter(
  ({ isHidden, method, limit }) =>
    isHidden === true && method === "POST" && typeof limit === "object",
);

test("the pages with a limit of their own are these, each by address", () => {
  const found = pages.map((route) => {
    const { name, per } = route.limit as { name: string; per: string };
    return [routeName(route), name, per];
  });
  const expected = [...LIMITED].map(([route, name]) => [route, name, "address"]);
  assert.deepEqual(found.toSorted(), expected.toSorted());
});

for (const [index, name] of [...LIMITED.keys()].entries())
  test(`${name} takes ${MAX} of one address in a minute, and then those of another`, async () => {
    const path = pathOf({ path: name.replace("POST ", "") });
    const post = (address: string) =>
      service.request(path, {
        method: "POST",
        form: { email: "nobody@example.com" },
        headers: { "x-forwarded-for": address },
      });
    const address = `198.51.100.${index}`;
    for (let sent = 0; sent < MAX; sent++) assert.notEqual((await post(address)).status, 429);
    const refused = await post(address);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("x-svc-error"), "too_many_attempts");
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.notEqual((await post(`203.0.113.${index}`)).status, 429);
  });
