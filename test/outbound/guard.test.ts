/**
 * The guarantee: where private targets are refused, no connection to a private address is ever
 * opened, however the URL is spelled and whatever the name server says, before or after.
 */

import assert from "node:assert/strict";
import net from "node:net";
import { describe, type TestContext, test } from "node:test";
import { createGuardedConnector } from "../../src/infra/outbound/guarded-connect.ts";
import { OutboundFailure } from "../../src/infra/outbound/outbound-failure.ts";
import type { Resolver } from "../../src/infra/outbound/resolve-target.ts";
import { createSender } from "../../src/infra/outbound/send.ts";
import { until } from "../../testkit/until.ts";
import { PARCEL, PRIVATE_REFUSED, startRogue } from "./rogue-server.ts";

const PUBLIC = "93.184.215.14";

/** A sender whose names are invented, and which tells where it would have connected to. */
function watchedSender(t: TestContext, resolver: Resolver, open?: () => net.Socket) {
  const connects: string[] = [];
  const sender = createSender({
    config: PRIVATE_REFUSED,
    resolver,
    connect: ({ host }) => {
      connects.push(host);
      return open?.() ?? net.connect({ host: "127.0.0.1", port: 1 });
    },
  });
  t.after(() => sender.stop());
  return { sender, connects };
}

const HOSTS = [
  ["127.1", "127.0.0.1", "0x7f.1", "2130706433", "017700000001", "①②⑦.⓪.⓪.①", "127。0。0。1"],
  ["0", "0.0.0.0", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"],
  ["[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[fd00:ec2::254]", "[fe80::1]", "100.64.0.1"],
  ["192.0.0.1", "192.88.99.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
  ["[5f00::1]", "[100::1]", "[2001:db8::1]", "[3fff::1]", "169.254.169.254", "10.0.0.1"],
  ["localhost", "localhost.", "a.local", "metadata.google.internal", "8.8.8.8"],
].flat();

describe("a host that is an address or a private name", () => {
  for (const host of HOSTS)
    test(`${host} is never connected to, nor asked after`, async (t) => {
      let asked = 0;
      const { sender, connects } = watchedSender(t, async () => {
        asked += 1;
        return [PUBLIC];
      });
      const outcome = await sender.send({ ...PARCEL, url: `https://${host}/` });
      assert("failure" in outcome && outcome.failure === "bad_url", JSON.stringify(outcome));
      assert.deepEqual([connects, asked], [[], 0]);
    });
});

describe("the connector itself", () => {
  const addresses = HOSTS.filter((host) => /^(\[.*\]|[\d.]+)$/.test(host) && host !== "8.8.8.8");
  for (const host of addresses)
    test(`refuses ${host} when no name is asked and no URL rule stands before it`, async () => {
      const { hostname } = new URL(`http://${host}/`);
      const connects: string[] = [];
      const connector = createGuardedConnector({
        privateTargets: "refuse",
        resolver: () => assert.fail("an address was asked after"),
        connect: (to) => {
          connects.push(to.host);
          return new net.Socket();
        },
        signal: new AbortController().signal,
      });
      const error = await new Promise((resolve) => {
        connector({ hostname, protocol: "http:", port: "" }, (each, _socket) => resolve(each));
      });
      assert(error instanceof OutboundFailure && error.word === "address_refused", String(error));
      assert.deepEqual(connects, []);
    });
});

describe("a name", () => {
  const refused: [what: string, addresses: string[]][] = [
    ["loopback", ["127.0.0.1"]],
    ["public A, private AAAA", [PUBLIC, "fd00::1"]],
    ["two A records, one private", [PUBLIC, "10.0.0.7"]],
    ["private first", ["192.168.1.1", PUBLIC]],
    ["the metadata service", ["169.254.169.254"]],
    ["IPv4 in IPv6", ["::ffff:10.0.0.1"]],
    ["something that is no address", ["localhost"]],
  ];
  for (const [what, addresses] of refused)
    test(`that leads to ${what} is refused, without a connection or a word where it led`, async (t) => {
      const { sender, connects } = watchedSender(t, async () => addresses);
      const outcome = await sender.send({ ...PARCEL, url: "https://shop.example.com/" });
      assert("failure" in outcome);
      assert.equal(outcome.failure, "address_refused");
      assert.equal(outcome.text, "The url leads to an address that is not public.");
      assert.deepEqual(connects, []);
    });

  test("that changes between check and connect is connected to where it was checked", async (t) => {
    let asked = 0;
    const { sender, connects } = watchedSender(t, async () => {
      asked += 1;
      return asked === 1 ? [PUBLIC] : ["127.0.0.1"];
    });
    const parcel = { ...PARCEL, url: "https://shop.example.com/" };
    await sender.send(parcel);
    assert.deepEqual([connects, asked], [[PUBLIC], 1]);
    const again = await sender.send(parcel);
    assert("failure" in again && again.failure === "address_refused");
    assert.deepEqual([connects, asked], [[PUBLIC], 2], "the next attempt asks and checks anew");
  });

  test("whose connection ends up at a private address gets nothing written to it", async (t) => {
    const rogue = await startRogue((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    t.after(rogue.close);
    const { sender } = watchedSender(
      t,
      async () => [PUBLIC],
      () => net.connect({ host: "127.0.0.1", port: rogue.port }),
    );
    const outcome = await sender.send({ ...PARCEL, url: "https://shop.example.com/" });
    assert("failure" in outcome && outcome.failure === "address_refused", JSON.stringify(outcome));
    await sender.stop();
    await until(() => rogue.openCount() === 0, "the connection is closed");
    assert.equal(rogue.received(), "");
  });

  test("with several public addresses is tried at the next when one is closed", async (t) => {
    const { sender, connects } = watchedSender(t, async () => ["2606:4700::1", PUBLIC, "1.2.3.4"]);
    const outcome = await sender.send({ ...PARCEL, url: "https://shop.example.com/" });
    assert("failure" in outcome && outcome.failure === "connect_failed");
    assert.deepEqual(connects, [PUBLIC, "1.2.3.4", "2606:4700::1"]);
  });

  test("that leads nowhere is a failure to resolve", async (t) => {
    const { sender, connects } = watchedSender(t, async () => []);
    const outcome = await sender.send({ ...PARCEL, url: "https://shop.example.com/" });
    assert("failure" in outcome && outcome.failure === "dns_failed");
    assert.deepEqual(connects, []);
  });
});
