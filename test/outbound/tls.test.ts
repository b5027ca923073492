/**
 * The guarantee: events go only to a receiver that proves to be the host of the URL, over TLS 1.2
 * or later, and the recorded attempt says what is wrong with the certificate.
 */

import assert from "node:assert/strict";
import https from "node:https";
import net from "node:net";
import { after, before, describe, type TestContext, test } from "node:test";
import tls from "node:tls";
import { createSender } from "../../src/infra/outbound/send.ts";
import { createAuthority, type Identity, selfSigned } from "../../testkit/certificates.ts";
import { PARCEL, PRIVATE_ALLOWED, PRIVATE_REFUSED, startRogue } from "./rogue-server.ts";

const authority = createAuthority("Known");
const sender = createSender({ config: PRIVATE_ALLOWED });
const known = tls.getCACertificates("default");

before(() => tls.setDefaultCACertificates([...known, authority.cert]));
after(async () => {
  tls.setDefaultCACertificates(known);
  await sender.stop();
});

interface Receiver {
  readonly port: number;
  readonly asked: () => (string | undefined)[];
}

async function receiver(
  t: TestContext,
  identity: Identity,
  options: https.ServerOptions = {},
): Promise<Receiver> {
  const asked: (string | undefined)[] = [];
  const server = https.createServer({ ...identity, ...options }, (request, response) => {
    const { servername } = request.socket as tls.TLSSocket & { servername?: string };
    asked.push(request.headers.host, servername || undefined);
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, asked: () => asked };
}

describe("a receiver over TLS", { concurrency: 4 }, () => {
  test("is asked for by its name, in the handshake and in the Host header", async (t) => {
    const { port, asked } = await receiver(t, authority.issue({ hosts: ["localhost"] }));
    const outcome = await sender.send({ ...PARCEL, url: `https://localhost:${port}/` });
    assert("status" in outcome, JSON.stringify(outcome));
    assert.deepEqual([outcome.status, outcome.head], [200, "ok"]);
    assert.deepEqual(asked(), [`localhost:${port}`, "localhost"]);
  });

  test("at an address must have that address in its certificate", async (t) => {
    const good = await receiver(t, authority.issue({ hosts: ["127.0.0.1"] }));
    const outcome = await sender.send({ ...PARCEL, url: `https://127.0.0.1:${good.port}/` });
    assert("status" in outcome && outcome.status === 200, JSON.stringify(outcome));
  });

  const hosts = ["localhost"];
  const tls10: https.ServerOptions = {
    minVersion: "TLSv1",
    maxVersion: "TLSv1",
    ciphers: "DEFAULT@SECLEVEL=0",
  };
  const stranger = createAuthority("Unknown");
  const refused: [what: string, identity: Identity, text: RegExp, options?: typeof tls10][] = [
    [
      "that has expired",
      authority.issue({ hosts, daysFromNow: { from: -30, to: -1 } }),
      /^The certificate has expired \(CERT_HAS_EXPIRED\)\.$/,
    ],
    [
      "that is not valid yet",
      authority.issue({ hosts, daysFromNow: { from: 1, to: 30 } }),
      /^The certificate is not valid yet \(CERT_NOT_YET_VALID\)\.$/,
    ],
    ["that vouches for itself", selfSigned({ hosts }), /^The certificate is self-signed \(/],
    [
      "of an authority that nobody knows",
      stranger.issue({ hosts }),
      /^The certificate is signed by nobody known \(/,
    ],
    [
      "of another host",
      authority.issue({ hosts: ["shop.example.com"] }),
      /^The certificate is for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/,
    ],
    [
      "that is fine, over TLS 1.0",
      authority.issue({ hosts }),
      /^The receiver speaks no TLS of 1\.2 or later \(/,
      tls10,
    ],
  ];
  for (const [what, identity, text, options] of refused)
    test(`with a certificate ${what} is refused in words and sent nothing`, async (t) => {
      const { port, asked } = await receiver(t, identity, options);
      const outcome = await sender.send({ ...PARCEL, url: `https://localhost:${port}/` });
      assert("failure" in outcome && outcome.failure === "tls_failed", JSON.stringify(outcome));
      assert.match(outcome.text, text);
      assert.deepEqual(asked(), []);
    });

  test("that does not speak it is a failure of TLS", async (t) => {
    const rogue = await startRogue((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    t.after(rogue.close);
    const outcome = await sender.send({ ...PARCEL, url: rogue.url.replace("http:", "https:") });
    assert("failure" in outcome);
    assert.match(outcome.failure, /^tls_/);
    assert.doesNotMatch(rogue.received(), /evt_1/);
  });

  test("that hangs in the handshake is given up after 5 s", async (t) => {
    const rogue = await startRogue(() => {});
    t.after(rogue.close);
    const outcome = await sender.send({ ...PARCEL, url: `https://127.0.0.1:${rogue.port}/` });
    assert("failure" in outcome && outcome.failure === "tls_timeout", JSON.stringify(outcome));
    assert(outcome.durationMs >= 4_900 && outcome.durationMs < 20_000, String(outcome.durationMs));
  });
});

test("where private targets are refused, a public host is reached by name on 8443", async (t) => {
  const hosts = ["shop.example.com"];
  const { port, asked } = await receiver(t, authority.issue({ hosts }));
  const connects: unknown[] = [];
  const strict = createSender({
    config: PRIVATE_REFUSED,
    resolver: async () => ["93.184.215.14"],
    connect: (to) => {
      connects.push(to);
      const socket = net.connect({ host: "127.0.0.1", port });
      // What the guard looks at before it writes; the network of a test has no such address.
      return Object.defineProperty(socket, "remoteAddress", { value: to.host });
    },
  });
  t.after(() => strict.stop());
  const outcome = await strict.send({ ...PARCEL, url: "https://shop.example.com:8443/hook" });
  assert("status" in outcome && outcome.status === 200, JSON.stringify(outcome));
  assert.deepEqual(connects, [{ host: "93.184.215.14", port: 8443 }]);
  assert.deepEqual(asked(), ["shop.example.com:8443", "shop.example.com"]);
});
