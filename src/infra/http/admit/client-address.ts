/**
 * The client's address. Forwarding headers are believed only from listed proxies, walked from the
 * right: the first address that is not such a proxy is the client. A count of hops is never
 * trusted, because a client that reaches us directly can add hops.
 */

import type { IncomingMessage } from "node:http";
import net from "node:net";
import { blockListOf, plainAddress } from "../../../kit/ip-address.ts";
import { HttpRefused } from "../http-refused.ts";

export type ReadAddress = (request: IncomingMessage) => string;

export function createAddressReader(trustedProxies: readonly string[]): ReadAddress {
  const trusted = blockListOf(trustedProxies);
  return (request) => {
    const { remoteAddress } = request.socket;
    // A client that has reset the connection has no address, and reads no answer either.
    if (remoteAddress === undefined)
      throw new HttpRefused("malformed_request", { cause: "the client has gone" });
    let address = plainAddress(remoteAddress);
    if (trustedProxies.length === 0) return address;
    const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",");
    for (const hop of forwarded.reverse()) {
      const next = plainAddress(hop.trim());
      if (!isIn(trusted, address) || net.isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

/**
 * One IPv6 customer holds a whole /64, so limits count by it; an IPv4 address counts as itself.
 * Takes an address in its one spelling.
 */
export function limitedAddress(address: string): string {
  return prefixOf(address, 64);
}

/**
 * The subscriber of an address, as far as it is known: a subscriber may hold a /48 of IPv6, and
 * change the /64 in it at will.
 */
export function subscriberOf(address: string): string {
  return prefixOf(address, 48);
}

function prefixOf(address: string, bits: 48 | 64): string {
  if (!net.isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const gap = address.includes("::") ? 8 - left.length - right.length : 0;
  const groups = [...left, ...Array<string>(Math.max(gap, 0)).fill("0"), ...right];
  return `${groups.slice(0, bits / 16).join(":")}::/${bits}`;
}

function isIn(list: net.BlockList, address: string): boolean {
  const version = net.isIP(address);
  return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
}
