/**
 * Addresses that no event is ever sent to, unless private targets are allowed (Decision 0035):
 * loopback, private, link-local, documentation, benchmarking, multicast, reserved, and the ranges
 * that carry another address inside of them (6to4, NAT64, Teredo), because what that leads to is
 * for a router to say.
 *
 * What cannot be read as an address is forbidden, and so is all of IPv6 that
 * is not given out to the public: a range that means nothing today may mean a router tomorrow.
 */

import net from "node:net";

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
const v4 = blockList(FORBIDDEN_V4, "ipv4");
const v6 = blockList(FORBIDDEN_V6, "ipv6");
const givenOut = blockList(GIVEN_OUT_V6, "ipv6");

/** IPv4 written as IPv6 is judged as the IPv4 it is: that is what the socket connects to. */
const mapped = blockList(["::ffff:0:0/96"], "ipv6");

export function isForbiddenAddress(address: string): boolean {
  if (net.isIPv4(address)) return v4.check(address, "ipv4");
  // A zone ("fe80::1%eth0") names an interface of this machine.
  if (!net.isIPv6(address) || address.includes("%")) return true;
  if (mapped.check(address, "ipv6")) return v4.check(foldMapped(address), "ipv4");
  return !givenOut.check(address, "ipv6") || v6.check(address, "ipv6");
}

/** The last 32 bits, which the URL parser spells one way however they were given. */
function foldMapped(address: string): string {
  const [high = "0", low = "0"] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split(":")
    .slice(-2);
  const bits = [high, low].flatMap((group) => {
    const value = Number.parseInt(group === "" ? "0" : group, 16);
    return [value >> 8, value & 0xff];
  });
  return bits.join(".");
}

function blockList(ranges: readonly string[], family: "ipv4" | "ipv6"): net.BlockList {
  const list = new net.BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
