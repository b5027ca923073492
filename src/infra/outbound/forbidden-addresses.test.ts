/**
 * The guarantee: no spelling of an address that is not public passes as public, to the last address
 * of each range and not one further.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isForbiddenAddress } from "./forbidden-addresses.ts";

/** First and last address of each range, and the public neighbours on both sides. */
const RANGES: [first: string, last: string, outside: string[]][] = [
  ["0.0.0.0", "0.255.255.255", ["1.0.0.0"]],
  ["10.0.0.0", "10.255.255.255", ["9.255.255.255", "11.0.0.0"]],
  ["100.64.0.0", "100.127.255.255", ["100.63.255.255", "100.128.0.0"]],
  ["127.0.0.0", "127.255.255.255", ["126.255.255.255", "128.0.0.0"]],
  ["168.63.129.16", "168.63.129.16", ["168.63.129.15", "168.63.129.17"]],
  ["169.254.0.0", "169.254.255.255", ["169.253.255.255", "169.255.0.0"]],
  ["172.16.0.0", "172.31.255.255", ["172.15.255.255", "172.32.0.0"]],
  ["192.0.0.0", "192.0.0.255", ["191.255.255.255", "192.0.1.0"]],
  ["192.0.2.0", "192.0.2.255", ["192.0.1.255", "192.0.3.0"]],
  ["192.88.99.0", "192.88.99.255", ["192.88.98.255", "192.88.100.0"]],
  ["192.168.0.0", "192.168.255.255", ["192.167.255.255", "192.169.0.0"]],
  ["198.18.0.0", "198.19.255.255", ["198.17.255.255", "198.20.0.0"]],
  ["198.51.100.0", "198.51.100.255", ["198.51.99.255", "198.51.101.0"]],
  ["203.0.113.0", "203.0.113.255", ["203.0.112.255", "203.0.114.0"]],
  ["224.0.0.0", "255.255.255.255", ["223.255.255.255"]],
  ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2000::"]],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", ["2000:ffff::", "2001:200::"]],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:db7:ffff::", "2001:db9::"]],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2003::"]],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", ["3ffe:ffff::", "3fff:1000::"]],
  [
    "4000::",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ["3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ],
];

describe("an address", () => {
  for (const [first, last, outside] of RANGES)
    test(`from ${first} to ${last} is forbidden, its neighbours are not`, () => {
      for (const address of [first, last]) assert(isForbiddenAddress(address), address);
      for (const address of outside) assert(!isForbiddenAddress(address), address);
    });

  const forbidden = [
    "127.0.0.1",
    "169.254.169.254",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:7f00:0001",
    "::FFFF:10.0.0.1",
    "::ffff:0:0",
    "::ffff:0:127.0.0.1",
    "::ffff:0:8.8.8.8",
    "1::1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "100::1",
    "4000::1",
    "5f00::1",
    "2002:7f00:1::",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "fe80::1%eth0",
    "2606:4700::1%eth0",
  ];
  for (const address of forbidden)
    test(`${address} is forbidden`, () => assert(isForbiddenAddress(address)));

  for (const address of ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "::ffff:808:808"])
    test(`${address} is public`, () => assert(!isForbiddenAddress(address)));

  for (const text of ["", "localhost", "127.1", "0x7f.0.0.1", "8.8.8.8/8", "[::1]", " 8.8.8.8"])
    test(`${JSON.stringify(text)} is no address and so forbidden`, () => {
      assert(isForbiddenAddress(text));
    });

  test("of IPv4 is judged alike however it is written as IPv6", () => {
    const byte = fc.nat(255);
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        const plain = [a, b, c, d].join(".");
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const verdict = isForbiddenAddress(plain);
        for (const spelled of [`::ffff:${plain}`, `::ffff:${hex}`, `0:0:0:0:0:FFFF:${hex}`])
          assert.equal(isForbiddenAddress(spelled), verdict, spelled);
      }),
    );
  });
});
