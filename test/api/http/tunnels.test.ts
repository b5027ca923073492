/**
 * CONNECT and Upgrade get an HTTP answer: the first is refused and its connection closed, the
 * second is served as if no upgrade had been asked for. Neither takes the process down.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, describe, test } from "node:test";
import { ask, converse, expectRefusal } from "../../../testkit/raw-http.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const { host, hostname, port } = new URL(service.url);

const connect = (target: string, ...lines: string[]) =>
  Buffer.from([`CONNECT ${target} HTTP/1.1`, `Host: ${host}`, ...lines, "", ""].join("\r\n"));

async function expectAlive(): Promise<void> {
  assert.equal((await service.request("/livez")).status, 200);
}

describe("CONNECT", () => {
  for (const target of ["example.com:443", host, "127.0.0.1:5432", "[::1]:22"])
    test(`to ${target} is answered 405 with Allow, and the connection is closed`, async () => {
      const { answers } = await converse(service.url, connect(target));
      assert.equal(answers.length, 1);
      expectRefusal(answers[0], 405);
      assert.equal(answers[0]?.body, '{"message":"Method Not Allowed"}');
      assert.equal(answers[0]?.headers.get("allow"), "GET, HEAD, POST, PATCH, DELETE, OPTIONS");
      assert.equal(answers[0]?.headers.get("connection"), "close");
    });

  test("with bytes behind it is answered once, and they are not read as a request", async () => {
    const behind = Buffer.from(`GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(100));
    const bytes = Buffer.concat([connect("example.com:443"), behind]);
    const { answers } = await converse(service.url, bytes);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [405],
    );
  });

  test("with a credential is no different", async () => {
    const { answers } = await converse(
      service.url,
      connect("example.com:443", "Authorization: Bearer x", "Proxy-Authorization: Basic eA=="),
    );
    expectRefusal(answers[0], 405);
  });

  test("from a client that resets at once, or never closes, leaves the process well", async () => {
    const reset = net.connect(Number(port), hostname);
    await once(reset, "connect");
    reset.write(connect("example.com:443"));
    reset.resetAndDestroy();
    await converse(service.url, connect("example.com:443"), { neverEnds: true });
    await expectAlive();
  });
});

describe("a request to upgrade", () => {
  for (const protocol of ["websocket", "h2c", "TLS/1.2"])
    test(`to ${protocol} is served as any other`, async () => {
      const lines = [`Upgrade: ${protocol}`, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
      const raw = [
        `GET /livez HTTP/1.1`,
        `Host: ${host}`,
        "Connection: Upgrade, close",
        ...lines,
      ].join("\r\n");
      const { answers } = await converse(service.url, `${raw}\r\n\r\n`);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200],
      );
      assert.equal((await ask(service.url, { target: "/livez", lines })).status, 200);
    });

  test("keeps its body, and the connection serves the next request", async () => {
    const body = "email=x";
    const first = [
      "POST /auth/tokens HTTP/1.1",
      `Host: ${host}`,
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
      "Content-Type: application/x-www-form-urlencoded",
      `Content-Length: ${body.length}`,
    ].join("\r\n");
    const second = `GET /livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const { answers } = await converse(service.url, `${first}\r\n\r\n${body}`, {
      whenOpen: (socket) => socket.once("data", () => socket.write(second)),
    });
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.body]),
      [
        [400, '{"message":"The email must be a valid email address."}'],
        [200, '{"message":"OK"}'],
      ],
    );
  });
});
