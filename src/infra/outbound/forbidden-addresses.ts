/**
 * Addresses that no event is ever sent to, unless private targets are allowed (Decision 0035):
 * loopback, private, link-local, documentation, benchmarking, multicast, reserved, and the ranges
 * that carry another address inside of them (6to4, NAT64, Teredo), because what that leads to is
 * for a router to say.
 *
 * What cannot be read as an address is forbidden, and so is all of IPv6 that is not given out to
 * the public: a range that means nothing today may mean a router tomorrow.
 */

import net from "node:net";
import { blockListOf, plainAddress } from "../../kit/ip-address.ts";

const FORBIDDEN_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Public by its number, but inside of Azure it answers for the machine's own host.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "255.255.255.255/32",
];

/** All that is given out to the public… */
const GIVEN_OUT_V6 = ["2000::/3"];
/** …and what of it is not public. */
const FORBIDDEN_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

// Two lists: one list for both would compare an address of one kind with ranges of the other.
const v4 = blockListOf(FORBIDDEN_V4);
const v6 = blockListOf(FORBIDDEN_V6);
const givenOut = blockListOf(GIVEN_OUT_V6);

export function isForbiddenAddress(address: string): boolean {
  // A zone ("fe80::1%eth0") names an interface of this machine.
  if (net.isIP(address) === 0 || address.includes("%")) return true;
  // IPv4 written as IPv6 is judged as the IPv4 it is: that is what the socket connects to.
  const plain = plainAddress(address);
  if (net.isIPv4(plain)) return v4.check(plain, "ipv4");
  return !givenOut.check(plain, "ipv6") || v6.check(plain, "ipv6");
}
