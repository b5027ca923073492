/**
 * The shipped HAProxy file does what docs/operations.md says of it: it limits addresses, cuts slow
 * clients, keeps large bodies apart, and refuses what waits too long in the words of the service.
 *
 * Limits are not reached by hurrying: HAProxy's own counters are set to just below them.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { type Haproxy, startHaproxy } from "../../testkit/haproxy.ts";
import { dripping, until } from "../../testkit/until.ts";
import { type Answer, expectRefusal, get } from "./requests.ts";

const CONNECTIONS_PER_ADDRESS = 250;
const REQUESTS_PER_TEN_SECONDS = 5_000;
const SLOTS_OF_BOTH = 2 * 192;
const QUEUED_BEFORE_SHEDDING = 32;
const DRIP_MS = 500;
/** The longest limit is 20 s. */
const CUT = { timeout: 60_000 };

/** Two servers that answer all but `/held…`, which waits until it is released. */
async function startServers() {
  const seen: string[] = [];
  const held: http.ServerResponse[] = [];
  const servers = [0, 1].map(() =>
    http.createServer((request, response) => {
      const { url = "" } = request;
      if (url !== "/readyz") seen.push(url);
      request.resume().on("end", () => {
        if (url.startsWith("/held")) held.push(response);
        else response.end(url.startsWith("/docs") ? Buffer.alloc(64 * 1024 * 1024) : "");
      });
    }),
  );
  await Promise.all(servers.map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
  return {
    seen,
    held,
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    stop() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

describe("before servers that answer when they are told to", () => {
  let servers: Awaited<ReturnType<typeof startServers>>;
  let proxy: Haproxy;
  before(async () => {
    servers = await startServers();
    proxy = await startHaproxy(servers.urls);
  });
  after(async () => {
    await proxy.stop();
    servers.stop();
  });

  const connect = (from: string) => {
    const socket = net.connect({
      host: "127.0.0.1",
      port: Number(new URL(proxy.url).port),
      localAddress: from,
    });
    return socket.on("error", () => {});
  };
  /** A reset is one, too. */
  const closeOf = (socket: net.Socket) =>
    new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  /** Sends this, then a byte again and again; all that comes back until the connection ends. */
  const drip = async (from: string, opening: string) => {
    const socket = connect(from).setEncoding("latin1");
    let received = "";
    socket.on("data", (text) => {
      received += text;
    });
    if (opening !== "") {
      socket.write(opening);
      dripping(socket, DRIP_MS, "x");
    }
    await closeOf(socket);
    return received;
  };
  const setCounter = (from: string, counter: string) =>
    proxy.command(`set table public key ::ffff:${from} ${counter}`);
  const connectionsOf = async (from: string) => {
    const shown = await proxy.command(`show table public key ::ffff:${from}`);
    return Number(/conn_cur=(\d+)/.exec(shown)?.[1] ?? 0);
  };
  /** A figure of `show stat`, for a frontend or a backend as a whole. */
  const figureOf = async (name: string, column: string) => {
    const [head = "", ...lines] = (await proxy.command("show stat")).split("\n");
    const at = head.replace(/^# /, "").split(",").indexOf(column);
    const own = lines.find((line) => new RegExp(`^${name},(FRONT|BACK)END,`).test(line)) ?? "";
    return Number(own.split(",")[at]);
  };

  describe("slow clients are cut:", { concurrency: true }, () => {
    const head = (path: string, lines = "") =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}`;

    test("a head that is never whole", CUT, async () => {
      assert.match(await drip("127.0.0.31", head("/slow-head", "X-Slow: ")), /^HTTP\/1.1 408 /);
      assert(!servers.seen.includes("/slow-head"));
    });

    test("a body that is never whole, of which no server learns", CUT, async () => {
      const received = await drip("127.0.0.32", head("/slow-body", "Content-Length: 5000\r\n\r\n"));
      assert.match(received, /^HTTP\/1.1 408 [\s\S]*\{"message":"Request Timeout"\}$/);
      assert(!servers.seen.includes("/slow-body"));
    });

    test("a connection on which nothing comes, without a word", CUT, async () => {
      assert.equal(await drip("127.0.0.33", ""), "");
    });

    test("an answer that nobody reads", CUT, async () => {
      const socket = connect("127.0.0.34").pause();
      socket.write(head("/docs/reference.js", "Content-Length: 0\r\n\r\n"));
      await until(() => servers.seen.includes("/docs/reference.js"), "it was passed on");
      await until(async () => (await connectionsOf("127.0.0.34")) === 0, "it was cut");
      socket.destroy();
    });
  });

  test("an address has at most 250 connections, and others are not affected", async () => {
    const first = connect("127.0.0.41");
    await until(async () => (await connectionsOf("127.0.0.41")) === 1, "a connection is counted");
    await setCounter("127.0.0.41", `data.conn_cur ${CONNECTIONS_PER_ADDRESS}`);
    await closeOf(connect("127.0.0.41"));
    assert.equal((await get(`${proxy.url}/`, { from: "127.0.0.42" })).status, 200);
    await setCounter("127.0.0.41", `data.conn_cur ${CONNECTIONS_PER_ADDRESS - 1}`);
    assert.equal((await get(`${proxy.url}/`, { from: "127.0.0.41" })).status, 200);
    first.destroy();
  });

  test("an address has at most 500 requests a second, and others are not affected", async () => {
    const ask = () => get(`${proxy.url}/`, { from: "127.0.0.43" });
    assert.equal((await ask()).status, 200);
    await setCounter("127.0.0.43", `data.http_req_rate ${REQUESTS_PER_TEN_SECONDS}`);
    const answer = await ask();
    expectRefusal(answer, 429, "Too Many Attempts.");
    assert.equal(answer.headers["retry-after"], "10");
    assert.equal((await get(`${proxy.url}/`, { from: "127.0.0.44" })).status, 200);
  });

  test("a body larger than a buffer takes none of the slots of other requests", async () => {
    const body = Buffer.alloc(100_000);
    const request = http.request(`${proxy.url}/user/picture`, {
      method: "POST",
      agent: false,
      headers: { "content-length": body.length },
    });
    request.write(body.subarray(0, body.length / 2));
    await until(() => servers.seen.includes("/user/picture"), "it was passed on");
    assert.deepEqual([await figureOf("bulk", "scur"), await figureOf("web", "scur")], [1, 0]);
    request.end(body.subarray(body.length / 2));
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    assert.equal(response.resume().statusCode, 200);
  });

  test("a stream of an open page takes none of the slots of other requests", async () => {
    const answer = await get(`${proxy.url}/console/live?environment=live`);
    assert.equal(answer.status, 200);
    assert.equal(await figureOf("live", "stot"), 1);
  });

  test("a process that is drained gets nothing through any backend", async () => {
    await proxy.command("set server web/web1 state drain");
    const lines = (await proxy.command("show stat")).split("\n");
    const drained = lines.filter((line) => /^(web|bulk|sign_in|live),web1,.*,DRAIN/.test(line));
    await proxy.command("set server web/web1 state ready");
    assert.equal(drained.length, 4);
  });

  describe("when all slots are taken", () => {
    const waiting: Promise<Answer>[] = [];
    /** From many addresses: none of them is one that sends much. */
    const ask = (path: string, turn: number) =>
      get(`${proxy.url}${path}`, { from: `127.0.1.${1 + (turn % 32)}` });
    const hasQueue = (length: number) =>
      until(async () => (await figureOf("web", "qcur")) >= length, `${length} wait`);

    before(async () => {
      for (let turn = 0; turn < SLOTS_OF_BOTH; turn++) waiting.push(ask("/held", turn));
      await until(() => servers.held.length === SLOTS_OF_BOTH, "all slots are taken");
    });
    after(async () => {
      for (const response of servers.held) response.end();
      await Promise.all(waiting);
    });

    test("a request waits for two seconds and is refused", async () => {
      const beganAt = performance.now();
      const answer = await ask("/", 0);
      expectRefusal(answer, 503, "Service Unavailable");
      assert.equal(answer.headers["retry-after"], "1");
      assert(performance.now() - beganAt >= 1_900);
    });

    test("what belongs to paying is served first", async () => {
      const other = ask("/other", 1);
      await hasQueue(1);
      const paying = ask("/checkout/assets/page.js", 2);
      await hasQueue(2);
      servers.held.pop()?.end();
      assert.equal((await paying).status, 200);
      await other;
      const order = servers.seen.filter((path) => /other|checkout/.test(path));
      assert.equal(order[0], "/checkout/assets/page.js");
      waiting.push(ask("/held", 3));
      await until(() => servers.held.length === SLOTS_OF_BOTH, "all slots are taken again");
    });

    test("requests of an address that sends much do not even wait", async () => {
      const from = "127.0.0.45";
      const isShed = async () => {
        const before = await figureOf("public", "dreq");
        const queued = Array.from({ length: QUEUED_BEFORE_SHEDDING + 8 }, (_, turn) =>
          ask("/", turn),
        );
        await hasQueue(QUEUED_BEFORE_SHEDDING + 1);
        await setCounter(from, "data.http_req_rate 1000");
        const answer = await get(`${proxy.url}/`, { from });
        const denied = (await figureOf("public", "dreq")) - before;
        await Promise.all(queued);
        expectRefusal(answer, 503, "Service Unavailable");
        return denied === 1;
      };
      // A machine that stands still for two seconds has an empty queue again.
      await until(isShed, "the request was refused at once");
    });
  });
});
