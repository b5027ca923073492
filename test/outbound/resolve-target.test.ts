/**
 * The guarantee: every address that the name servers return is checked before a connection, those
 * behind an alias included, and a name server that does not answer costs 3 s and no more.
 */

import assert from "node:assert/strict";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { createDnsResolver } from "../../src/infra/outbound/resolve-target.ts";
import { createSender, type Sender } from "../../src/infra/outbound/send.ts";
import { type NameServer, startNameServer } from "./name-server.ts";
import { PARCEL, PRIVATE_REFUSED } from "./rogue-server.ts";

const PUBLIC = "93.184.215.14";

describe("a name of a real name server", { concurrency: 8 }, () => {
  const connects: string[] = [];
  let server: NameServer;
  let sender: Sender;

  before(async () => {
    server = await startNameServer({
      "public.example.com": [["public.example.com", "A", PUBLIC]],
      "both.example.com": [
        ["both.example.com", "A", PUBLIC],
        ["both.example.com", "AAAA", "2606:4700::1111"],
      ],
      "six.example.com": [["six.example.com", "AAAA", "2606:4700::1111"]],
      "alias.example.com": [
        ["alias.example.com", "CNAME", "middle.example.com"],
        ["middle.example.com", "CNAME", "inside.example.com"],
        ["inside.example.com", "A", "10.0.0.5"],
      ],
      "half.example.com": [
        ["half.example.com", "A", PUBLIC],
        ["half.example.com", "AAAA", "fd00::5"],
      ],
      "mapped.example.com": [["mapped.example.com", "AAAA", "::ffff:7f00:1"]],
      "two.example.com": [
        ["two.example.com", "A", PUBLIC],
        ["two.example.com", "A", "169.254.169.254"],
      ],
      "empty.example.com": [],
      "failing.example.com": "failing",
      "silent.example.com": "silent",
    });
    sender = createSender({
      config: PRIVATE_REFUSED,
      resolver: createDnsResolver([server.address]),
      connect: ({ host }) => {
        connects.push(host);
        return net.connect({ host: "127.0.0.1", port: 1 });
      },
    });
  });

  after(async () => {
    await sender.stop();
    server.close();
  });

  const resolved: [name: string, addresses: string[]][] = [
    ["public.example.com", [PUBLIC]],
    ["both.example.com", [PUBLIC, "2606:4700::1111"]],
    ["six.example.com", ["2606:4700::1111"]],
    ["alias.example.com", ["10.0.0.5"]],
    ["half.example.com", [PUBLIC, "fd00::5"]],
  ];
  for (const [name, addresses] of resolved)
    test(`${name} is ${addresses.join(" and ")}`, async () => {
      const resolver = createDnsResolver([server.address]);
      assert.deepEqual(await resolver(name, new AbortController().signal), addresses);
    });

  const refused: [name: string, word: string, text: string][] = [
    ["alias", "address_refused", "The url leads to an address that is not public."],
    ["half", "address_refused", "The url leads to an address that is not public."],
    ["mapped", "address_refused", "The url leads to an address that is not public."],
    ["two", "address_refused", "The url leads to an address that is not public."],
    ["empty", "dns_failed", "The name leads to no address."],
    ["unknown", "dns_failed", "The name leads to no address."],
    ["failing", "dns_failed", "The name cannot be resolved (ESERVFAIL)."],
    ["silent", "dns_timeout", "No name server answered in time."],
  ];
  for (const [name, word, text] of refused)
    test(`${name}.example.com is refused (${word}) within 3 s`, async () => {
      const outcome = await sender.send({ ...PARCEL, url: `https://${name}.example.com/` });
      assert("failure" in outcome);
      assert.deepEqual([outcome.failure, outcome.text], [word, text]);
      assert(outcome.durationMs < 4_500, String(outcome.durationMs));
    });

  after(() => assert.deepEqual(connects, [], "none of them was connected to"));
});
