/**
 * The shipped HAProxy file before two web processes: the service learns the client's address, and a
 * dead process is passed by.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import { freshDatabase, type TestDatabase } from "../../testkit/database.ts";
import { type Haproxy, startHaproxy } from "../../testkit/haproxy.ts";
import { endAll, type Running, start, UNHINDERED } from "../../testkit/processes.ts";
import { expectRefusal, get } from "./requests.ts";

describe("before two web processes", () => {
  let database: TestDatabase;
  let services: Running[];
  let proxy: Haproxy;
  before(async () => {
    database = await freshDatabase();
    const settings = {
      ...UNHINDERED,
      LIMIT_PAYMENT_REQUEST: "3",
      TRUSTED_PROXIES: "127.0.0.1/32",
      DATABASE_URL: database.url,
    };
    services = [await start({ settings }), await start({ settings })];
    proxy = await startHaproxy(services.map(({ url }) => url));
  });
  after(async () => {
    await proxy.stop();
    await endAll();
    await database.drop();
  });

  test("a request is counted for the client's address, whatever address it names", async () => {
    const remaining = async (from: string, named: string) => {
      const request = http.request(`${proxy.url}/plugins/payments/request`, {
        method: "POST",
        agent: false,
        localAddress: from,
        headers: { "x-forwarded-for": named },
      });
      request.end();
      const [response] = (await once(request, "response")) as [http.IncomingMessage];
      response.resume();
      return response.headers["x-ratelimit-remaining"];
    };
    assert.equal(await remaining("127.0.0.21", "192.0.2.1"), "2");
    assert.equal(await remaining("127.0.0.21", "192.0.2.2"), "1");
    assert.equal(await remaining("127.0.0.22", "192.0.2.2"), "2");
  });

  test("requests for a process that died go to the other at once", async () => {
    await services[0]?.kill();
    for (let turn = 0; turn < 10; turn++)
      assert.equal((await get(`${proxy.url}/livez`)).status, 200);
  });

  test("without any process the answer is a 503 of our own", async () => {
    await services[1]?.kill();
    const answer = await get(`${proxy.url}/livez`);
    expectRefusal(answer, 503, "Service Unavailable");
    assert.equal(answer.headers["retry-after"], "1");
  });
});
