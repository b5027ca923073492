/**
 * What is not quite HTTP is refused and the connection closed: a
 * server that is stricter than the proxy in front of it cannot be made to read one request as two.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { ask, converse, expectRefusal } from "../../../testkit/raw-http.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const { host } = new URL(service.url);
const shop = await service.world.merchant();
const { token } = await mintToken(service.ctx, shop, SCOPES);
const authorization = `Authorization: Bearer ${token}`;

/** Lines joined as HTTP wants them, with nothing added. */
const request = (...lines: string[]) => Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");

async function expectRefusedAndClosed(bytes: Buffer, ...statuses: number[]): Promise<void> {
  const { answers } = await converse(service.url, bytes);
  expectRefusal(answers[0], ...statuses);
  assert.equal(answers.length, 1, "more was answered than refused");
  assert.equal(answers[0]?.headers.get("connection"), "close");
}

describe("a connection is closed with 400 after", () => {
  const get = "GET /auth/whoami HTTP/1.1";
  const post = "POST /auth/tokens HTTP/1.1";
  const chunked = "Transfer-Encoding: chunked";
  const json = "Content-Type: application/json";
  const CASES: Record<string, Buffer> = {
    "lines that end in a bare LF": Buffer.from(`${get}\nHost: ${host}\n\n`),
    "one header line that ends in a bare LF": Buffer.from(
      `${get}\r\nHost: ${host}\nX-A: b\r\n\r\n`,
    ),
    "a bare CR in a header": request(get, `Host: ${host}`, "X-A: a\rb"),
    "a folded header": request(get, `Host: ${host}`, "X-A: a", "  b"),
    "a NUL in a header": request(get, `Host: ${host}`, "X-A: a\0b"),
    "a NUL in a header's name": request(get, `Host: ${host}`, "X-\0A: b"),
    "a space before the colon": request(get, `Host: ${host}`, "X-A : b"),
    "a header without a colon": request(get, `Host: ${host}`, "X-A"),
    "a header without a name": request(get, `Host: ${host}`, ": b"),
    "no Host": request(get, "X-A: b"),
    "an unknown method": request("GIVE / HTTP/1.1", `Host: ${host}`),
    "a method in small letters": request("get /auth/whoami HTTP/1.1", `Host: ${host}`),
    "no method at all": request("hello"),
    "a path that does not begin with a slash": request("GET auth/whoami HTTP/1.1", `Host: ${host}`),
    "a space in the path": request("GET /auth /whoami HTTP/1.1", `Host: ${host}`),
    "HTTP/9.9": request("GET /auth/whoami HTTP/9.9", `Host: ${host}`),
    "the preface of HTTP/2": request("PRI * HTTP/2.0", "", "SM"),
    "the first bytes of TLS": Buffer.from("16030100c8010000c40303", "hex"),
    "a length that is no number": request(post, `Host: ${host}`, json, "Content-Length: x"),
    "a negative length": request(post, `Host: ${host}`, json, "Content-Length: -1"),
    "a length with a sign": request(post, `Host: ${host}`, json, "Content-Length: +2"),
    "two lengths that differ": request(
      post,
      `Host: ${host}`,
      json,
      "Content-Length: 0",
      "Content-Length: 20",
    ),
    "both a length and chunks": request(post, `Host: ${host}`, json, "Content-Length: 5", chunked),
    "an encoding that does not end in chunks": request(
      post,
      `Host: ${host}`,
      json,
      `${chunked}, identity`,
    ),
  };
  for (const [what, bytes] of Object.entries(CASES))
    test(what, () => expectRefusedAndClosed(bytes, 400));

  test("a chunk whose size is no number", async () => {
    const lines = [post, `Host: ${host}`, json, chunked];
    await expectRefusedAndClosed(Buffer.concat([request(...lines), Buffer.from("zz\r\n")]), 400);
  });
});

describe("one request is never read as two:", () => {
  test("what follows a refused request is not looked at", async () => {
    const smuggled = request("GET /livez HTTP/1.1", `Host: ${host}`);
    const bad = request("GET /livez HTTP/1.1", `Host: ${host}`, "X-A : b");
    await expectRefusedAndClosed(Buffer.concat([bad, smuggled]), 400);
  });

  test("a request inside the body of another stays a body", async () => {
    const body = request("DELETE /auth/tokens HTTP/1.1", `Host: ${host}`, authorization);
    const lines = ["Content-Type: text/plain"];
    const outer = { method: "POST", target: "/auth/tokens", lines, body };
    expectRefusal(await ask(service.url, outer), 415);
    assert.equal((await service.request("/auth/whoami", { token })).status, 200);
  });
});

describe("headers", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: x`);
  const get = ["GET /livez HTTP/1.1", `Host: ${host}`, "Connection: close"];

  test("may be 100 lines, and 101 are refused with 431", async () => {
    const { answers } = await converse(service.url, request(...get, ...lines(98)));
    assert.equal(answers[0]?.status, 200);
    await expectRefusedAndClosed(request(...get.slice(0, 2), ...lines(100)), 431);
  });

  test("beyond 2,000 lines, where Node stops counting, are refused with 431", async () => {
    const short = Array.from({ length: 2_050 }, () => "A:");
    await expectRefusedAndClosed(request(...get.slice(0, 2), ...short), 431);
  });

  test("may be 8 KiB, and more is refused with 431 and closed", async () => {
    const { answers } = await converse(service.url, request(...get, `X: ${"x".repeat(7_900)}`));
    assert.equal(answers[0]?.status, 200);
    await expectRefusedAndClosed(request(...get, `X: ${"x".repeat(8_200)}`), 431);
    await expectRefusedAndClosed(request(...get, ...lines(60).map((l) => l.padEnd(150, "x"))), 431);
  });

  test("a megabyte of API key is refused with 431", async () => {
    await expectRefusedAndClosed(request(...get, `X-SVC-Key: ${"x".repeat(1_000_000)}`), 431);
  });
});

describe("the Host", () => {
  const from = (...hosts: string[]) =>
    request(
      "GET /auth/whoami HTTP/1.1",
      ...hosts.map((name) => `Host: ${name}`),
      authorization,
      "Connection: close",
    );
  const status = async (...hosts: string[]) => {
    const { answers } = await converse(service.url, from(...hosts));
    return answers[0]?.status;
  };

  for (const hosts of [
    [host, host],
    [host, "evil.example"],
    ["evil.example", host],
    [`${host}, x`],
  ])
    test(`given as ${hosts.join(" and ")} is refused`, async () => {
      await expectRefusedAndClosed(from(...hosts), hosts.length === 1 ? 421 : 400);
    });

  const FOREIGN = [
    "evil.example",
    "",
    "localhost.evil.example",
    "evil.example:3000",
    `${host}.evil.example`,
    `${host}@evil.example`,
    "169.254.169.254",
    "localhost/",
    "[::1",
    "127.1",
  ];
  for (const name of FOREIGN)
    test(`of another site is refused with 421: ${JSON.stringify(name)}`, async () => {
      const { answers } = await converse(service.url, from(name));
      expectRefusal(answers[0], 421, 400);
    });

  for (const name of [host, "localhost", "LOCALHOST:1", "localhost.", "127.0.0.1", "[::1]:9"])
    test(`may be ${name}`, async () => assert.equal(await status(name), 200));

  test("is needed with HTTP/1.0 as well", async () => {
    await expectRefusedAndClosed(request("GET /auth/whoami HTTP/1.0"), 400);
  });
});

describe("a whole address as the target", () => {
  const ofHost = (name: string, path: string) =>
    ask(service.url, { target: `http://${name}${path}`, lines: [authorization] });

  for (const path of ["/auth/whoami", "/auth/keys", "/auth/keys?page=1", "/livez", "/openapi.json"])
    test(`of ours works like its path: ${path}`, async () => {
      assert.equal((await ofHost(host, path)).status, 200);
    });

  for (const path of ["/auth/whoami", "/auth/keys", "/livez", "", "/"])
    test(`of another site is refused, whatever Host says: ${path}`, async () => {
      expectRefusal(await ofHost("evil.example", path), 421, 400);
    });

  for (const target of ["*", "http://", "http:/auth/whoami", "ftp://x/auth/whoami", "//x/livez"])
    test(`that is none is refused: ${target}`, async () => {
      expectRefusal(await ask(service.url, { target, lines: [authorization] }), 400, 404, 421);
    });
});

describe("nothing is upgraded:", () => {
  for (const upgrade of ["websocket", "h2c", "TLS/1.0"])
    test(`Upgrade: ${upgrade} is answered as if it were not there`, async () => {
      const lines = [`Upgrade: ${upgrade}`, "Connection: Upgrade", "HTTP2-Settings: AAMAAABk"];
      const answer = await ask(service.url, { target: "/livez", lines });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("upgrade"), undefined);
    });

  test("CONNECT opens no tunnel", async () => {
    const bytes = request("CONNECT 127.0.0.1:5432 HTTP/1.1", `Host: ${host}`);
    const { answers } = await converse(service.url, bytes);
    assert(answers.every(({ status }) => status >= 400));
  });

  test("an unknown expectation is not awaited", async () => {
    const answer = await ask(service.url, { target: "/livez", lines: ["Expect: 200-ok"] });
    assert.equal(answer.status, 200);
  });
});
