/**
 * Who is at the other end: the socket, and a forwarding header only where a listed proxy wrote it.
 * Seen from outside by what an address decides: whether a key with a list of addresses works, and
 * whose limit a request uses up.
 */

import assert from "node:assert/strict";
import net from "node:net";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { mintKey } from "../../../testkit/credentials.ts";
import { ask, rawRequest } from "../../../testkit/raw-http.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const CLIENT = "203.0.113.7";
const STRANGER = "198.51.100.9";

const direct = await startService({ settings: { LIMIT_SIGN_IN: "1" } });
const proxied = await startService({
  settings: { LIMIT_SIGN_IN: "1", TRUSTED_PROXIES: "127.0.0.0/8,2001:db8:ffff::/48" },
  database: direct.database,
});
after(async () => {
  await proxied.stop();
  await direct.stop();
});
const shop = await direct.world.merchant();

/** Whether a key that works from these addresses only works with these header lines. */
async function worksFrom(service: TestService, cidr: string, lines: string[]): Promise<boolean> {
  const { key } = await mintKey(service.ctx, shop, ["svc-user-all"], { allowedCidrs: [cidr] });
  const request = { target: "/auth/whoami", lines: [`X-SVC-Key: ${key}`, ...lines] };
  const { status } = await ask(service.url, request);
  assert([200, 401].includes(status), String(status));
  return status === 200;
}

describe("without listed proxies the socket decides, whatever is claimed by", () => {
  const CLAIMS = [
    `X-Forwarded-For: ${CLIENT}`,
    `X-Forwarded-For: ${CLIENT}, 127.0.0.1`,
    `Forwarded: for=${CLIENT};proto=https;by=127.0.0.1`,
    `X-Real-IP: ${CLIENT}`,
    `True-Client-IP: ${CLIENT}`,
    `CF-Connecting-IP: ${CLIENT}`,
    `X-Client-IP: ${CLIENT}`,
    `X-Cluster-Client-IP: ${CLIENT}`,
  ];
  for (const claim of CLAIMS)
    test(claim, async () => {
      assert.equal(await worksFrom(direct, `${CLIENT}/32`, [claim]), false);
      assert.equal(await worksFrom(direct, "127.0.0.1/32", [claim]), true);
    });

  test("X-Forwarded-Host and -Proto, which build no links", async () => {
    const { access_token: token } = await direct.world.merchant().then((one) => {
      return direct.ctx.db.run(sql`delete from rate_limit_windows`).then(() => one.signIn());
    });
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "gopher" };
    const list = await direct.request("/auth/keys", { token, headers });
    assert(list.body.links.first.startsWith(direct.ctx.config.http.publicUrl));
    assert(!list.text.includes("evil.example"));
  });
});

describe("behind a listed proxy the client is the first from the right that is no proxy:", () => {
  const CHAINS: [boolean, ...string[]][] = [
    [true, CLIENT],
    [true, `${STRANGER}, ${CLIENT}`],
    [true, `evil, ,${CLIENT}`],
    [true, `${CLIENT}, 127.0.0.9`],
    [true, `${STRANGER},${CLIENT},127.0.0.9,127.1.2.3`],
    [true, `${CLIENT}, 2001:db8:ffff::1`],
    [true, `::ffff:${CLIENT}`],
    [true, "::ffff:cb00:7107"],
    [true, `${STRANGER}`, CLIENT],
    [false, `${CLIENT}, ${STRANGER}`],
    [false, CLIENT, STRANGER],
    [false, `${CLIENT}, evil`],
    [false, `${CLIENT}, 127.0.0.9, evil`],
    [false, `${CLIENT}, `],
    [false, `${CLIENT}, 0x7f.0.0.9`],
    [false, `${CLIENT}, 127.0.0.9:80`],
    [false, `${CLIENT}, 2001:db8:fffe::1`],
    [false, `"${CLIENT}"`],
    [false, `${CLIENT}/32`],
    [false, ""],
  ];
  for (const [expected, ...values] of CHAINS)
    test(`${values.join(" and ")} is ${expected ? "" : "not "}the client`, async () => {
      const lines = values.map((value) => `X-Forwarded-For: ${value}`);
      assert.equal(await worksFrom(proxied, `${CLIENT}/32`, lines), expected);
    });

  test("other headers are not believed even from a proxy", async () => {
    for (const name of ["Forwarded", "X-Real-IP", "True-Client-IP"]) {
      const lines = [`${name}: ${CLIENT}`, `${name}: for=${CLIENT}`];
      assert.equal(await worksFrom(proxied, `${CLIENT}/32`, lines), false);
    }
  });

  test("an IPv6 client matches its range and no other, however it is written", async () => {
    const from = (cidr: string, address: string) =>
      worksFrom(proxied, cidr, [`X-Forwarded-For: ${address}`]);
    assert.equal(await from("2001:db8:1::/48", "2001:db8:1::5"), true);
    assert.equal(await from("2001:db8:1::/48", "2001:0DB8:0001:0:0:0:0:5"), true);
    assert.equal(await from("2001:db8:1::/48", "2001:db8:2::5"), false);
    assert.equal(await from("2001:db8:1::5/128", "2001:db8:1::6"), false);
    assert.equal(await from("fe80::1/128", "fe80::1%eth0"), true);
  });
});

describe("a limit per address counts together", () => {
  /** Of two sign-ins in the same minute, is the second refused? */
  async function share(one: string, other: string): Promise<boolean> {
    await proxied.ctx.db.run(sql`delete from rate_limit_windows`);
    const signIn = async (address: string) => {
      const headers = { "x-forwarded-for": address };
      return (await proxied.request("/auth/tokens", { method: "POST", headers })).status;
    };
    assert.equal(await signIn(one), 400);
    return (await signIn(other)) === 429;
  }

  const PAIRS: [boolean, string, string][] = [
    [true, CLIENT, CLIENT],
    [true, CLIENT, `::ffff:${CLIENT}`],
    [true, CLIENT, "::ffff:cb00:7107"],
    [false, CLIENT, "203.0.113.8"],
    [true, "2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
    [true, "2001:db8:1:2::1", "2001:DB8:1:2::2"],
    [true, "2001:db8:1:2::1", "2001:0db8:0001:0002:0:0:0:1"],
    [true, "2001:db8:1:2::1", "2001:db8:1:2:0:0:192.0.2.1"],
    [true, "1::2:3:4:5:192.0.2.1", "1:0:2:3::9"],
    [true, "2001:db8::1", "2001:db8:0:0::2"],
    [false, "2001:db8:1:2::1", "2001:db8:1:3::1"],
    [false, "2001:db8:1:2::1", "2001:db8:2::1"],
  ];
  for (const [expected, one, other] of PAIRS)
    test(`${one} and ${other}: ${expected}`, async () => {
      assert.equal(await share(one, other), expected);
    });
});

test("a client that disconnects before it is served affects no other request", async () => {
  const allowedCidrs = ["127.0.0.0/8"];
  const { key } = await mintKey(direct.ctx, shop, ["svc-user-all"], { allowedCidrs });
  const { hostname, port } = new URL(direct.url);
  const lines = [`X-SVC-Key: ${key}`];
  const bytes = rawRequest(direct.url, { target: "/auth/whoami", lines });
  for (let round = 0; round < 10; round++) {
    const honest = Array.from({ length: 3 }, () => direct.request("/auth/whoami", { key }));
    const gone = Array.from({ length: 10 }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const socket = net.connect({ host: hostname, port: Number(port) }, () => {
        socket.write(bytes);
        socket.resetAndDestroy(); // the server finds the request and nobody behind it
      });
      socket.on("close", () => resolve());
      return promise;
    });
    for (const answer of await Promise.all(honest)) assert.equal(answer.status, 200, answer.text);
    await Promise.all(gone);
  }
  const mistakes = direct.logged.filter((line) => line.includes('"level":50'));
  assert.deepEqual(mistakes, []);
});
