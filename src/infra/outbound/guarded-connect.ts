/**
 * Opens connections to where events are sent, and to nowhere else (Decision 0035).
 *
 * The check stands where the connection is made. Every address of a name is looked at, one
 * forbidden address refuses them all, the socket is opened to a checked address and not to the
 * name, and before a byte is written the far end is looked at once more. An address in place of a
 * name goes the same way. TLS is asked for by name, with our own minimum and no way to switch
 * verification off.
 */

import net from "node:net";
import tls from "node:tls";
import type { buildConnector } from "undici";
import { isForbiddenAddress } from "./forbidden-addresses.ts";
import { codeOf, OutboundFailure, withCode } from "./outbound-failure.ts";
import type { Resolver } from "./resolve-target.ts";
import { addressIn } from "./target-url.ts";

const DNS_MS = 3_000;
const CONNECT_MS = 5_000;
const TLS_MS = 5_000;
/** A name may have any number of addresses; more than these are not tried. */
const ADDRESSES_TRIED_MAX = 4;

export type Connect = (to: { readonly host: string; readonly port: number }) => net.Socket;

export interface Guard {
  readonly privateTargets: "allow" | "refuse";
  readonly resolver: Resolver;
  readonly connect: Connect;
  /** Ends whatever is being opened. */
  readonly signal: AbortSignal;
}

export const connectPlainly: Connect = ({ host, port }) =>
  net.connect({ host, port, noDelay: true, autoSelectFamily: false });

export function createGuardedConnector(guard: Guard): buildConnector.connector {
  return (options, callback) => {
    open(guard, options).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  };
}

async function open(guard: Guard, to: buildConnector.Options): Promise<net.Socket> {
  const isTls = to.protocol === "https:";
  const addresses = await checkedAddresses(guard, to.hostname);
  const socket = await openFirst(guard, addresses, Number(to.port) || (isTls ? 443 : 80));
  const far = socket.remoteAddress;
  if (far === undefined || isForbidden(guard, far)) {
    socket.destroy();
    throw far === undefined ? lost() : refused();
  }
  return isTls ? openTls(guard, socket, to.hostname) : socket;
}

async function checkedAddresses(guard: Guard, host: string): Promise<readonly string[]> {
  const literal = addressIn(host);
  const addresses = literal === undefined ? await resolve(guard, host) : [literal];
  if (addresses.some((address) => isForbidden(guard, address))) throw refused();
  // IPv4 first: it is there on every machine, and half of a name's IPv6 is never tried by anybody.
  return addresses.toSorted((a, b) => net.isIP(a) - net.isIP(b)).slice(0, ADDRESSES_TRIED_MAX);
}

async function resolve(guard: Guard, name: string): Promise<readonly string[]> {
  const late = AbortSignal.timeout(DNS_MS);
  const signal = AbortSignal.any([late, guard.signal]);
  const { promise, reject } = Promise.withResolvers<never>();
  const give = () =>
    reject(
      guard.signal.aborted
        ? stopped()
        : new OutboundFailure("dns_timeout", "No name server answered in time."),
    );
  if (signal.aborted) give();
  signal.addEventListener("abort", give, { once: true });
  try {
    const addresses = await Promise.race([guard.resolver(name, signal), promise]);
    if (addresses.length > 0) return addresses;
    throw new OutboundFailure("dns_failed", "The name leads to no address.");
  } finally {
    signal.removeEventListener("abort", give);
  }
}

/** The first of several addresses that takes the connection; all of them share one limit. */
async function openFirst(
  guard: Guard,
  addresses: readonly string[],
  port: number,
): Promise<net.Socket> {
  const deadline = performance.now() + CONNECT_MS;
  let failure = new OutboundFailure("connect_failed", "The connection failed.");
  for (const [index, host] of addresses.entries()) {
    if (guard.signal.aborted) throw stopped();
    const ms = (deadline - performance.now()) / (addresses.length - index);
    try {
      return await opened(guard.connect({ host, port }), "connect", {
        ms,
        signal: guard.signal,
        late: new OutboundFailure("connect_timeout", "The connection was not accepted in time."),
        failed: (error) =>
          new OutboundFailure("connect_failed", withCode("The connection failed", error), error),
      });
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      failure = error;
    }
  }
  throw failure;
}

function openTls(guard: Guard, socket: net.Socket, host: string): Promise<net.Socket> {
  const secured = tls.connect({
    socket,
    host,
    // An address is no server name; the certificate is compared with `host` then.
    ...(addressIn(host) === undefined ? { servername: host } : {}),
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
  });
  return opened(secured, "secureConnect", {
    ms: TLS_MS,
    signal: guard.signal,
    late: new OutboundFailure("tls_timeout", "The TLS handshake took too long."),
    failed: (error) => {
      socket.destroy();
      const sentence = TLS_SENTENCES[codeOf(error)] ?? "The TLS handshake failed";
      return new OutboundFailure("tls_failed", withCode(sentence, error), error);
    },
  });
}

/** In our words: those of the certificate are whatever the other side wrote into it. */
const TLS_SENTENCES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The certificate has expired",
  CERT_NOT_YET_VALID: "The certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate is signed by nobody known",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate is signed by nobody known",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The certificate is signed by nobody known",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another host",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "The receiver speaks no TLS of 1.2 or later",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "The receiver speaks no TLS of 1.2 or later",
};

interface Opening {
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly late: OutboundFailure;
  readonly failed: (error?: Error) => OutboundFailure;
}

async function opened<S extends net.Socket>(
  socket: S,
  event: "connect" | "secureConnect",
  { ms, signal, late, failed }: Opening,
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>();
  const onAbort = () => reject(stopped());
  const onClose = () => reject(failed());
  const timer = setTimeout(() => reject(late), ms);
  socket.once(event, () => resolve(socket));
  // Stays: between this and the client's own listeners an error must find a listener.
  socket.on("error", (error) => reject(failed(error)));
  socket.once("close", onClose);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await promise;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    socket.off("close", onClose);
    signal.removeEventListener("abort", onAbort);
  }
}

function isForbidden(guard: Guard, address: string): boolean {
  return guard.privateTargets === "refuse" && isForbiddenAddress(address);
}

function refused(): OutboundFailure {
  return new OutboundFailure("address_refused", "The url leads to an address that is not public.");
}

function lost(): OutboundFailure {
  return new OutboundFailure("connection_lost", "The connection was closed at once.");
}

function stopped(): OutboundFailure {
  return new OutboundFailure("stopped", "The sender is stopping.");
}
