/**
 * From a name to every address it leads to: all of them are checked before connecting, since one
 * forbidden address among good ones is how a guard is led astray (Decision 0035).
 */

import dns from "node:dns/promises";
import { codeOf, OutboundFailure, withCode } from "./outbound-failure.ts";

/** Rejects with `OutboundFailure`; stops asking when the signal says so. */
export type Resolver = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const TRY_MS = 1_000;
const TRIES = 2;

/** Asks name servers for A and AAAA; knows no file of this machine and no search domain. */
export function createDnsResolver(servers?: readonly string[]): Resolver {
  return async (name, signal) => {
    // One for each question: it reads the machine's name servers anew, and can be cancelled alone.
    const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const asked = [resolver.resolve4(name), resolver.resolve6(name)];
      const answers = await Promise.allSettled(asked);
      // Name servers exist that fail at AAAA; only what they did tell is ever connected to.
      const addresses = answers.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      if (addresses.length > 0) return addresses;
      throw asFailure(answers.map((one) => (one.status === "rejected" ? one.reason : undefined)));
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

/** Asks as every other program here does: knows /etc/hosts, where private names are kept. */
export const systemResolver: Resolver = async (name) => {
  try {
    const found = await dns.lookup(name, { all: true, order: "ipv4first" });
    return found.map(({ address }) => address);
  } catch (error) {
    throw asFailure([error]);
  }
};

/** "There is none of this kind" says less than whatever else went wrong. */
const NONE = ["ENODATA", "ENOTFOUND"];

function asFailure(errors: readonly unknown[]): OutboundFailure {
  const error = errors.find((each) => !NONE.includes(codeOf(each))) ?? errors[0];
  const code = codeOf(error);
  if (code === "ETIMEOUT" || code === "ECANCELLED")
    return new OutboundFailure("dns_timeout", "No name server answered in time.", error);
  if (NONE.includes(code))
    return new OutboundFailure("dns_failed", "The name leads to no address.", error);
  return new OutboundFailure("dns_failed", withCode("The name cannot be resolved", error), error);
}
