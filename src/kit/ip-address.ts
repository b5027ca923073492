/** IP addresses and ranges: one spelling of each, and lists that addresses are held against. */

import assert from "node:assert/strict";
import net from "node:net";

interface AddressRange {
  readonly address: string;
  readonly family: "ipv4" | "ipv6";
  readonly bits: number;
}

/**
 * The one spelling of an address. IPv4 written as IPv6 is the IPv4 address; scope ids are dropped.
 */
export function plainAddress(address: string): string {
  if (!address.includes(":")) return address;
  const bare = address.split("%")[0] ?? "";
  if (!net.isIPv6(bare)) return bare;
  const plain = new net.SocketAddress({ address: bare, family: "ipv6" }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1] ?? plain;
}

/** A bare address is a range of one. Undefined: not a range, or every address (/0). */
export function readRange(text: string): AddressRange | undefined {
  const [address = "", given, ...rest] = text.split("/");
  const version = net.isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  const width = version === 4 ? 32 : 128;
  if (given !== undefined && !/^\d{1,3}$/.test(given)) return undefined;
  const bits = given === undefined ? width : Number(given);
  if (bits === 0 || bits > width) return undefined;
  return { address, family: version === 4 ? "ipv4" : "ipv6", bits };
}

export function blockListOf(ranges: readonly string[]): net.BlockList {
  const list = new net.BlockList();
  for (const text of ranges) {
    const range = readRange(text);
    assert(range !== undefined, `${text} is not an address range`);
    list.addSubnet(range.address, range.bits, range.family);
  }
  return list;
}
